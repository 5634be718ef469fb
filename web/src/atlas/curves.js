// Each structure's volume in the atlases over those of the subjects; the function that is returned moves the mark.
import { number, svg } from "../stats/svg.js";
import { axes, path, range, room } from "./chart.js";

function chart(data, structure) {
  const at = data.atlases.map((atlas) => atlas.at);
  const span = range([...data.x, ...at]);
  const [, high] = range([...structure.own, ...structure.atlas, ...structure.high]);
  const [low] = range([...structure.own, ...structure.atlas, ...structure.low]);
  const { root, x, y } = axes(span, [low, high], data.covariate, `${structure.name} against ${data.covariate}`);
  data.x.forEach((value, i) => {
    root.append(svg("circle", { class: "own", cx: x(value), cy: y(structure.own[i]), r: 2.2 }, svg("title", {}, `${data.ids[i]}: ${number(value, 4)}, ${number(structure.own[i], 4)}`)));
  });
  const points = (values) => at.map((a, i) => [a, values[i]]).filter(([, v]) => v !== null).map(([a, v]) => [x(a), y(v)]);
  const band = [...points(structure.high), ...points(structure.low).reverse()];
  if (band.length > 2) root.append(svg("path", { class: "band", d: `${path(band)}Z` }));
  if (at.length > 1) {
    root.append(svg("path", { class: "fit", d: path(points(structure.regression)) }));
    root.append(svg("path", { class: "atlas", d: path(points(structure.atlas)) }));
  }
  const line = svg("line", { class: "here", y1: room.top, y2: room.height - room.bottom });
  const mark = svg("circle", { class: "mark", r: 4.5 });
  root.append(line, mark);
  const box = document.createElement("div");
  box.className = "chart";
  const value = Object.assign(document.createElement("span"), { className: "small" });
  const title = Object.assign(document.createElement("h3"), { textContent: structure.name });
  box.append(title, value, root);
  const move = (which) => {
    line.setAttribute("x1", x(at[which]));
    line.setAttribute("x2", x(at[which]));
    mark.setAttribute("cx", x(at[which]));
    mark.setAttribute("cy", y(structure.atlas[which]));
    value.textContent = `${number(structure.atlas[which], 4)} ${data.unit}; the subjects' ${number(structure.regression[which], 4)} (${number(structure.low[which], 4)} to ${number(structure.high[which], 4)})`;
  };
  return { box, move };
}

export function makeCurves(data, place) {
  if (!data.structures.length || data.atlases.length < 2) return () => {};
  const charts = data.structures.map((structure) => chart(data, structure));
  place.append(...charts.map((one) => one.box));
  return (which) => charts.forEach((one) => one.move(which));
}
