// A run directory made without a training: synthetic knees with their true transforms, an atlas that is
// the truth, and a record and tables as `aladdin build` writes them. ids may be as hostile as they like.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

const toAtlas = (id) => `${id}_from-native_to-atlas_mode-image_xfm.nii.gz`;
const toNative = (id) => `${id}_from-atlas_to-native_mode-image_xfm.nii.gz`;

// The values of a NIfTI file as float32 changed by `change`; with `volumes` it becomes 4-D.
function rewrite(from, to, change, volumes = 0) {
  const file = gunzipSync(readFileSync(from));
  const offset = Math.round(file.readFloatLE(108));
  const type = file.readInt16LE(70);
  const size = [1, 2, 3].map((axis) => file.readInt16LE(40 + 2 * axis));
  const count = size[0] * size[1] * size[2];
  const read = { 2: (i) => file.readUInt8(offset + i), 16: (i) => file.readFloatLE(offset + 4 * i) }[type];
  const parts = [Buffer.from(file.subarray(0, offset))];
  parts[0].writeInt16LE(16, 70);
  parts[0].writeInt16LE(32, 72);
  if (volumes) {
    parts[0].writeInt16LE(4, 40);
    parts[0].writeInt16LE(volumes, 48);
  }
  for (let v = 0; v < Math.max(1, volumes); ++v) {
    const values = Buffer.alloc(4 * count);
    for (let i = 0; i < count; ++i) values.writeFloatLE(change(read(i), v), 4 * i);
    parts.push(values);
  }
  writeFileSync(to, gzipSync(Buffer.concat(parts)));
}

// The middle of a NIfTI file's grid, LPS mm.
function middle(path) {
  const file = gunzipSync(readFileSync(path));
  const index = [1, 2, 3].map((axis) => (file.readInt16LE(40 + 2 * axis) - 1) / 2);
  return [0, 1, 2].map((row) => {
    const entry = (column) => file.readFloatLE(280 + 16 * row + 4 * column);
    const point = entry(0) * index[0] + entry(1) * index[1] + entry(2) * index[2] + entry(3);
    return row < 2 ? -point : point;
  });
}

function metrics() {
  const lines = ["epoch,step,fraction,rate,coarsening,energy,sim,reg,atlas_pairs,image_pairs,dice,gradient_norm,val_energy,val_bridge_dice,val_folds,atlas_change"];
  for (let epoch = 1; epoch <= 20; ++epoch) {
    const sim = (0.6 * Math.exp(-epoch / 8) + 0.2).toFixed(6);
    const checked = epoch % 5 === 0;
    const validation = checked ? `${sim},${(0.8 - 0.3 * Math.exp(-epoch / 6)).toFixed(5)},0,${(0.02 / epoch).toExponential(6)}` : ",,,";
    lines.push(`${epoch},${6 * epoch},${(epoch / 20).toFixed(6)},1.0e-03,${epoch <= 10 ? 2 : 1},${(2 * sim).toFixed(6)},${sim},1.0e-05,0.000000,${sim},0.000000,0.5,${validation}`);
  }
  return `${lines.join("\n")}\n`;
}

// options: ids (one a subject), names (label to name), notes (of the cohort), labels (in the table; the knees have four)
export function makeRun(aladdin, folder, { ids, names = {}, notes = [], labels = 4 }) {
  const knees = join(folder, "knees");
  const run = join(folder, "run");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(run, "transforms"), { recursive: true });
  execFileSync(aladdin, ["synth", "-o", knees, "--subjects", String(ids.length), "--val", "2", "--test", "0", "--size", "24,32,32", "--spacing", "4,4,4", "-q", "--threads", "1"]);
  rewrite(join(knees, "atlas", "image.nii.gz"), join(run, "atlas.nii.gz"), (value) => value / 920);
  rewrite(join(knees, "atlas", "image.nii.gz"), join(run, "atlas_variability.nii.gz"), (value) => (0.1 * value) / 920);
  rewrite(join(knees, "atlas", "labels.nii.gz"), join(run, "atlas_probabilities.nii.gz"), (value, v) => Number(value === v), labels + 1);
  copyFileSync(join(knees, "atlas", "labels.nii.gz"), join(run, "atlas_labels.nii.gz"));
  const centre = middle(join(run, "atlas.nii.gz"));
  const subjects = ids.map((id, i) => {
    const old = `knee${String(i + 1).padStart(3, "0")}`;
    renameSync(join(knees, "transforms", toAtlas(old)), join(run, "transforms", toAtlas(id)));
    renameSync(join(knees, "transforms", toNative(old)), join(run, "transforms", toNative(id)));
    const image = join(knees, "images", `${old}.nii.gz`);
    const shift = middle(image).map((value, axis) => value - centre[axis]);
    return {
      id,
      split: i < ids.length - 2 ? "train" : "val",
      image,
      label: join(knees, "labels", `${old}.nii.gz`),
      size: [24, 32, 32],
      spacing_mm: [4, 4, 4],
      shift_mm: shift,
      intensity: [0, 920],
    };
  });
  const record = {
    format: "aladdin run",
    version: 1,
    state: "done",
    command: "aladdin build knees/cohort.csv -o run",
    preset: "default",
    settings: "0123456789abcdef",
    seed: 1,
    device: "cpu",
    threads: 1,
    versions: { aladdin: "0.1.0" },
    cohort: { source: "knees/cohort.csv", kind: "CSV", dims: 3, label_names: names, notes },
    grid: "24 x 32 x 32, 4 x 4 x 4 mm, axes LPS",
    subjects,
    results: { subjects: ids.length, folds: 0, folded_cells: 0, inverse_error_mm: 0.03, mean_displacement_mm: 0.002, labels: [...Array(labels + 1).keys()], epochs: 20, steps: 120 },
    timing: { training_minutes: 1.5, peak_memory_gb: 0.7 },
  };
  writeFileSync(join(run, "run.json"), JSON.stringify(record, null, 2));
  writeFileSync(join(run, "metrics.csv"), metrics());
  const field = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = subjects.map((s, i) => `${field(s.id)},${s.split},0,0,0.${3 + i}00,2.0,0.03,1.0${i}`);
  writeFileSync(join(run, "subjects.csv"), `id,split,folds,folded_cells,smallest_jacobian,largest_jacobian,inverse_error_mm,energy\n${lines.join("\n")}\n`);
  return run;
}
