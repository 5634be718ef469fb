// What can lie on an image, and the values of each.
import { labelValues, subjectPlanes, volumeBytes, voxels } from "./volumes.js";

export function overlayChoices(run, withSubject) {
  const choices = [["none", "nothing"]];
  if (run.labels.length) choices.push(["labels", "labels of the atlas"]);
  if (run.labels.length && withSubject) choices.push(["own-labels", "labels of the subject"]);
  if (run.labels.length) choices.push(["probability", "probability of a label"]);
  choices.push(["variability", "variability of the cohort"]);
  if (withSubject) choices.push(["difference", "difference to the atlas"], ["jacobian", "Jacobian (log2)"]);
  return choices;
}

// Into 8 bits a 0 … 1 image is stored; back to numbers that the readout can show.
const scaled = (bytes, factor, offset = 0) => Float32Array.from(bytes, (value) => factor * value + offset);

async function difference(state, atlas, planes) {
  const image = state.base === "before" ? planes.before : planes.after;
  return Float32Array.from(image, (value, i) => (value - atlas[i]) / 255);
}

// {type, values, colormap, low, high, text} or null.
export async function overlayOf(run, state, hidden) {
  const atlasName = `${state.run}-atlas`;
  const labels = (bytes) => {
    const [type, values] = labelValues(run, bytes);
    return { type, values, labels: run.labels, hidden, low: 0, high: run.labels.length };
  };
  if (state.overlay === "labels") return labels(await volumeBytes(`${state.run}-labels`));
  if (state.overlay === "variability") {
    const values = scaled(await volumeBytes(`${state.run}-variability`), run.variability_max / 255);
    return { type: "float32", values, colormap: "aladdin-sequential", low: 0, high: run.variability_max, text: ["0", run.variability_max.toPrecision(2)] };
  }
  if (state.overlay === "probability") {
    const all = await volumeBytes(`${state.run}-probabilities`);
    const n = voxels(run);
    const values = scaled(all.subarray(state.label * n, (state.label + 1) * n), 1 / 255);
    return { type: "float32", values, colormap: "aladdin-sequential", low: 0, high: 1, text: ["0", "1"] };
  }
  if (state.subject === null) return null;
  const planes = await subjectPlanes(run, state.run, state.subject);
  if (state.overlay === "own-labels") {
    const own = state.base === "before" ? planes.labelsBefore : planes.labelsAfter;
    return own ? labels(own) : null;
  }
  if (state.overlay === "difference") {
    const values = await difference(state, await volumeBytes(atlasName), planes);
    return { type: "float32", values, colormap: "aladdin-diverging", low: -0.5, high: 0.5, text: ["darker", "brighter"] };
  }
  if (state.overlay === "jacobian") {
    const values = scaled(planes.jacobian, 1 / 63, -128 / 63);
    return { type: "float32", values, colormap: "aladdin-diverging", low: -2, high: 2, text: ["shrinks 4×", "grows 4×"] };
  }
  return null;
}
