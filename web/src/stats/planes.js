// Orthogonal planes through the crosshair: atlas in grey, map in colour, contour of what passes the threshold.
import { colourPlace, colours } from "./colours.js";

// Horizontal, vertical and through axis of the world (LPS: 0 to the left, 1 to the back, 2 up); `up`: vertical grows upwards.
const kinds = [
  { name: "Coronal", across: 0, down: 2, through: 1, up: true },
  { name: "Sagittal", across: 1, down: 2, through: 0, up: true },
  { name: "Axial", across: 0, down: 1, through: 2, up: false },
];
const letters = [["R", "L"], ["A", "P"], ["I", "S"]];
const atlasBrightness = 0.82;

// How a plane runs through the grid: column and row to voxel and back.
export function layout(study, kind, neurological) {
  const part = (world, reversed) => {
    const { axis, sign } = study.world[world];
    const same = sign > 0 !== reversed;
    return { axis, size: study.size[axis], mm: study.spacing[axis], same, letters: reversed ? [...letters[world]].reverse() : letters[world] };
  };
  const across = part(kind.across, neurological && kind.across === 0);
  const down = part(kind.down, kind.up);
  const at = (side, place) => (side.same ? place : side.size - 1 - place);
  return { across, down, through: study.world[kind.through].axis, column: (i) => at(across, i), row: (i) => at(down, i) };
}

export function kindsOf(study) {
  return study.flat ? kinds.filter((kind) => study.world[kind.through].axis === 2) : kinds;
}

export function strokeContour(context, inside, width, height, scaleX, scaleY) {
  context.beginPath();
  for (let r = 0; r < height; ++r)
    for (let c = 0; c < width; ++c) {
      if (!inside[r * width + c]) continue;
      const [x, y, x1, y1] = [c * scaleX, r * scaleY, (c + 1) * scaleX, (r + 1) * scaleY];
      const edge = (ax, ay, bx, by) => (context.moveTo(ax, ay), context.lineTo(bx, by));
      if (c === 0 || !inside[r * width + c - 1]) edge(x, y, x, y1);
      if (c === width - 1 || !inside[r * width + c + 1]) edge(x1, y, x1, y1);
      if (r === 0 || !inside[(r - 1) * width + c]) edge(x, y, x1, y);
      if (r === height - 1 || !inside[(r + 1) * width + c]) edge(x, y1, x1, y1);
    }
  context.stroke();
}

// A canvas as sharp as the screen; returns its size in CSS pixels.
export function fitCanvas(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { context, width, height };
}

export function drawLetters(context, [left, right], [top, bottom], width, height) {
  context.fillStyle = "#aeb9c6";
  context.font = "600 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [letter, x, y] of [[left, 10, height / 2], [right, width - 10, height / 2], [top, width / 2, 10], [bottom, width / 2, height - 10]])
    context.fillText(letter, x, y);
}

const scratch = (width, height) => {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  return { canvas, context, image: context.createImageData(width, height) };
};

function drawPlane(canvas, study, kind, state, scaleOf) {
  const plane = layout(study, kind, state.neurological);
  const { across, down, through } = plane;
  const { context, width, height } = fitCanvas(canvas);
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  const [w, h] = [across.size, down.size];
  const grey = scratch(w, h);
  const colour = scratch(w, h);
  const inside = new Uint8Array(w * h);
  const values = study.maps[state.map];
  const base = state.cross[through] * study.strides[through];
  for (let r = 0; r < h; ++r)
    for (let c = 0; c < w; ++c) {
      const at = base + plane.column(c) * study.strides[across.axis] + plane.row(r) * study.strides[down.axis];
      const pixel = 4 * (r * w + c);
      const bright = study.atlas[at] * atlasBrightness;
      const g = grey.image.data;
      g[pixel] = g[pixel + 1] = g[pixel + 2] = bright;
      g[pixel + 3] = 255;
      const v = study.voxelAt[at];
      if (v < 0 || Number.isNaN(values[v])) continue;
      const passes = state.passes[v] === 1;
      if (!passes && !state.faint) continue;
      inside[r * w + c] = passes ? 1 : 0;
      const place = colourPlace(values[v], state.limit);
      const alpha = passes ? 235 : 105 * Math.min(1, Math.abs(values[v]) / state.limit);
      const d = colour.image.data;
      for (let channel = 0; channel < 3; ++channel) d[pixel + channel] = colours[place + channel];
      d[pixel + 3] = alpha;
    }
  grey.context.putImageData(grey.image, 0, 0);
  colour.context.putImageData(colour.image, 0, 0);
  const scale = scaleOf(width, height);
  const [sx, sy] = [across.mm * scale, down.mm * scale];
  const [left, top] = [(width - w * sx) / 2, (height - h * sy) / 2];
  context.save();
  context.translate(left, top);
  context.imageSmoothingQuality = "high";
  context.drawImage(grey.canvas, 0, 0, w * sx, h * sy);
  context.imageSmoothingEnabled = false;
  context.drawImage(colour.canvas, 0, 0, w * sx, h * sy);
  context.lineWidth = 1.1;
  context.strokeStyle = "rgb(255 255 255 / 85%)";
  strokeContour(context, inside, w, h, sx, sy);
  const x = (plane.column(state.cross[across.axis]) + 0.5) * sx;
  const y = (plane.row(state.cross[down.axis]) + 0.5) * sy;
  context.strokeStyle = "rgb(140 255 160 / 80%)";
  context.lineWidth = 1;
  context.beginPath();
  const gap = 7;
  for (const [ax, ay, bx, by] of [[x, 0, x, y - gap], [x, y + gap, x, h * sy], [0, y, x - gap, y], [x + gap, y, w * sx, y]]) {
    if (bx < ax || by < ay) continue;
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
  }
  context.stroke();
  context.restore();
  drawLetters(context, across.letters, down.letters, width, height);
  return { plane, left, top, sx, sy };
}

// Builds the canvases; returns what draws them for a state. `move(cross)` is called when the user moves the crosshair.
export function makePlanes(container, study, current, move) {
  const views = kindsOf(study).map((kind) => {
    const canvas = document.createElement("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", `${study.flat ? "Image" : `${kind.name} plane`}; arrow keys move the crosshair`);
    const name = Object.assign(document.createElement("span"), { className: "what", textContent: study.flat ? "" : kind.name });
    const view = Object.assign(document.createElement("div"), { className: "view" });
    view.append(canvas, ...(study.flat ? [] : [name]));
    container.append(view);
    return { kind, canvas, drawn: null };
  });
  const limited = (axis, value) => Math.min(study.size[axis] - 1, Math.max(0, value));
  for (const view of views) {
    const { canvas } = view;
    const to = (event) => {
      const { plane, left, top, sx, sy } = view.drawn;
      const box = canvas.getBoundingClientRect();
      const cross = [...current().cross];
      const place = (side, pixels, mm) => Math.min(side.size - 1, Math.max(0, Math.floor(pixels / mm)));
      cross[plane.across.axis] = plane.column(place(plane.across, event.clientX - box.left - left, sx));
      cross[plane.down.axis] = plane.row(place(plane.down, event.clientY - box.top - top, sy));
      move(cross);
    };
    const step = (axis, by) => {
      const cross = [...current().cross];
      cross[axis] = limited(axis, cross[axis] + by);
      move(cross);
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      to(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons & 1 && to(event));
    canvas.addEventListener("wheel", (event) => {
      if (study.flat || event.ctrlKey) return;
      event.preventDefault();
      step(view.drawn.plane.through, Math.sign(event.deltaY));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const { across, down } = view.drawn.plane;
      const arrows = { ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [down, -1], ArrowDown: [down, 1] };
      if (!arrows[event.key]) return;
      event.preventDefault();
      const [side, by] = arrows[event.key];
      step(side.axis, side.same ? by : -by);
    });
  }
  // All planes share one scale, that of the tightest.
  const margin = 22;
  const scaleOf = (width, height) =>
    Math.min(
      ...views.map(({ kind }) => {
        const { across, down } = layout(study, kind, false);
        return Math.min((width - 2 * margin) / (across.size * across.mm), (height - 2 * margin) / (down.size * down.mm));
      }),
    );
  return () => {
    for (const view of views) view.drawn = drawPlane(view.canvas, study, view.kind, current(), scaleOf);
  };
}
