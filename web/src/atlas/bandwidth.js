// The leave-one-out error against the bandwidth, with the one that was chosen.
import { number, svg } from "../stats/svg.js";
import { axes, path, range } from "./chart.js";

export function drawBandwidth(data) {
  const best = data.bandwidth[data.chosen];
  // Where too few subjects are near, the error grows without end: what is far above the best says only that.
  const most = Math.max(1, best[1]) + 4 * Math.max(0.02, Math.abs(1 - best[1]));
  const shown = data.bandwidth.filter(([, error]) => error <= most);
  const { root, x, y } = axes(range(shown.map(([h]) => h)), range([1, ...shown.map(([, error]) => error)]), `bandwidth of ${data.covariate}`, "Left-one-out error against the bandwidth");
  root.append(svg("path", { class: "atlas", d: path(shown.map(([h, error]) => [x(h), y(error)])) }));
  for (const [h, error] of shown) root.append(svg("circle", { class: "own", cx: x(h), cy: y(error), r: 3 }, svg("title", {}, `${number(h, 4)}: ${number(error, 4)}`)));
  root.append(svg("circle", { class: "mark", cx: x(best[0]), cy: y(best[1]), r: 5 }, svg("title", {}, `chosen: ${number(best[0], 4)}`)));
  return root;
}
