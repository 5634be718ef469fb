// Blue below zero, red above, brighter the farther: read on black, also by the colour-blind.
const below = [[20, 60, 170], [40, 120, 235], [95, 185, 255], [215, 243, 255]];
const above = [[150, 10, 30], [225, 50, 30], [255, 145, 45], [255, 238, 170]];

function along(ramp, share) {
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const i = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[i].map((c, k) => Math.round(c + (ramp[i + 1][k] - c) * (at - i)));
}

// Colours from -limit to limit in 511 steps: colour(value) is the place of its red in `table`.
const half = 255;
const table = new Uint8Array(3 * (2 * half + 1));
for (let i = -half; i <= half; ++i) table.set(along(i < 0 ? below : above, Math.abs(i) / half), 3 * (i + half));

export function colourPlace(value, limit) {
  const i = Math.round((half * value) / limit);
  return 3 * ((i < -half ? -half : i > half ? half : i) + half);
}
export { table as colours };

// Where the colours end: 99.9 % of the voxels lie within, rounded to two digits.
export function colourLimit(values) {
  const sizes = Float32Array.from(values, Math.abs)
    .filter((x) => !Number.isNaN(x))
    .sort();
  const limit = sizes.length ? sizes[Math.floor(0.999 * (sizes.length - 1))] : 1;
  return limit > 0 ? Number(limit.toPrecision(2)) : 1;
}

const css = (ramp, reverse) =>
  Array.from({ length: 9 }, (_, i) => `rgb(${along(ramp, (reverse ? 8 - i : i) / 8).join(" ")})`).join(", ");

// A bar with its numbers; one-sided for maps that have no sign.
export function drawBar(element, { name, limit, signed, beyond, format }) {
  const ramp = document.createElement("div");
  ramp.className = "ramp";
  ramp.style.background = `linear-gradient(to right, ${signed ? `${css(below, true)}, ` : ""}${css(above, false)})`;
  const ticks = document.createElement("div");
  ticks.className = "ticks";
  const numbers = signed ? [-limit, -limit / 2, 0, limit / 2, limit] : [0, limit / 4, limit / 2, (3 * limit) / 4, limit];
  const words = numbers.map(format);
  // What lies beyond has the last colour.
  if (beyond) words[4] = `≥ ${words[4]}`;
  if (beyond && signed) words[0] = `≤ ${words[0]}`;
  ticks.append(...words.map((textContent) => Object.assign(document.createElement("span"), { textContent })));
  const title = Object.assign(document.createElement("p"), { textContent: name });
  element.replaceChildren(title, ramp, ticks);
}
