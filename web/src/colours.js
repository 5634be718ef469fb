// Colour maps that the colour-blind can read, in NiiVue's form.
export const maps = {
  "aladdin-diverging": {
    // blue below, orange above, clear in the middle
    R: [20, 90, 200, 240, 235, 225, 200],
    G: [88, 150, 215, 240, 205, 140, 82],
    B: [170, 210, 235, 240, 160, 60, 0],
    A: [255, 210, 110, 0, 110, 210, 255],
    I: [0, 48, 100, 128, 156, 208, 255],
  },
  "aladdin-sequential": {
    // cividis, clear at 0
    R: [0, 46, 87, 124, 166, 211, 255],
    G: [32, 65, 93, 123, 157, 194, 234],
    B: [77, 108, 109, 120, 117, 94, 70],
    A: [0, 140, 170, 190, 210, 235, 255],
    I: [0, 32, 85, 128, 170, 213, 255],
  },
};

const css = (map) => {
  const stops = map.I.map((at, i) => `rgb(${map.R[i]} ${map.G[i]} ${map.B[i]}) ${((100 * at) / 255).toFixed(0)}%`);
  return `linear-gradient(to right, ${stops.join(", ")})`;
};

// A bar with its ends named.
export function colourBar(name, low, high) {
  const bar = document.createElement("div");
  bar.className = "bar";
  const ramp = document.createElement("span");
  ramp.className = "ramp";
  ramp.style.background = css(maps[name]);
  const text = (words) => Object.assign(document.createElement("span"), { textContent: words });
  bar.append(text(low), ramp, text(high));
  return bar;
}

// Index to colour, index 0 clear; hidden ones clear too. NiiVue's shader lifts every value above the table's
// least to 2/256 of the table: with more than 64 labels the background would take the colour of the first. Clear
// entries below index 0, which no voxel has, keep the background above that.
export function labelMap(labels, hidden) {
  const clear = Array(1 + Math.ceil((labels.length + 1) / 64)).fill(0);
  const channel = (c) => [...clear, ...labels.map((label) => label.colour[c])];
  return {
    R: channel(0),
    G: channel(1),
    B: channel(2),
    A: [...clear, ...labels.map((_, i) => (hidden.has(i) ? 0 : 255))],
    I: [...Array(clear.length + labels.length).keys()].map((i) => i + 1 - clear.length),
  };
}
