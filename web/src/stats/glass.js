// Glass projections: through each axis the value of largest size among the voxels that pass.
import { colourPlace, colours } from "./colours.js";
import { drawLetters, fitCanvas, kindsOf, layout, strokeContour } from "./planes.js";

function project(study, plane, state) {
  const { across, down } = plane;
  const [w, h] = [across.size, down.size];
  const largest = new Int32Array(w * h).fill(-1);
  const body = new Uint8Array(w * h);
  const values = study.maps.statistic;
  const index = [0, 0, 0];
  for (let v = 0; v < study.n; ++v) {
    study.index(study.offsets[v], index);
    const pixel = plane.row(index[down.axis]) * w + plane.column(index[across.axis]);
    body[pixel] = 1;
    if (!state.passes[v] || Number.isNaN(values[v])) continue;
    if (largest[pixel] < 0 || Math.abs(values[v]) > Math.abs(values[largest[pixel]])) largest[pixel] = v;
  }
  return { largest, body, w, h };
}

export function makeGlass(container, study, current, move) {
  const views = kindsOf(study).map((kind) => {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${kind.name} projection of the statistic above the threshold`);
    const name = Object.assign(document.createElement("span"), { className: "what", textContent: kind.name });
    const view = Object.assign(document.createElement("div"), { className: "view" });
    view.append(canvas, name);
    container.append(view);
    return { kind, canvas };
  });
  for (const view of views)
    view.canvas.addEventListener("click", (event) => {
      const { left, top, sx, sy, largest, w, h } = view.drawn;
      const box = view.canvas.getBoundingClientRect();
      const column = Math.floor((event.clientX - box.left - left) / sx);
      const row = Math.floor((event.clientY - box.top - top) / sy);
      if (column < 0 || column >= w || row < 0 || row >= h || largest[row * w + column] < 0) return;
      move(study.index(study.offsets[largest[row * w + column]]));
    });
  return () => {
    const state = current();
    for (const view of views) {
      const plane = layout(study, view.kind, state.neurological);
      const { context, width, height } = fitCanvas(view.canvas);
      const { largest, body, w, h } = project(study, plane, state);
      const margin = 22;
      const scale = Math.min(
        ...views.map(({ kind }) => {
          const { across, down } = layout(study, kind, false);
          return Math.min((width - 2 * margin) / (across.size * across.mm), (height - 2 * margin) / (down.size * down.mm));
        }),
      );
      const [sx, sy] = [plane.across.mm * scale, plane.down.mm * scale];
      const [left, top] = [(width - w * sx) / 2, (height - h * sy) / 2];
      context.fillStyle = "#000";
      context.fillRect(0, 0, width, height);
      context.save();
      context.translate(left, top);
      for (let r = 0; r < h; ++r)
        for (let c = 0; c < w; ++c) {
          const v = largest[r * w + c];
          if (v < 0 && !body[r * w + c]) continue;
          const place = v < 0 ? -1 : colourPlace(study.maps.statistic[v], state.statisticLimit);
          context.fillStyle = v < 0 ? "#12171d" : `rgb(${colours[place]} ${colours[place + 1]} ${colours[place + 2]})`;
          context.fillRect(c * sx, r * sy, sx + 0.5, sy + 0.5);
        }
      context.strokeStyle = "#8090a3";
      context.lineWidth = 1.2;
      strokeContour(context, body, w, h, sx, sy);
      context.restore();
      drawLetters(context, plane.across.letters, plane.down.letters, width, height);
      view.drawn = { left, top, sx, sy, largest, w, h };
    }
  };
}
