// Structures as a forest plot: effect in percent of the mean with its interval; for F, partial r.
import { number, pText, svg, ticks } from "./svg.js";

const rowHeight = 24;
const width = 900;
const names = 230;
const right = 190;

const short = (name) => (name.length > 32 ? `${name.slice(0, 31)}…` : name);

export function drawForest(element, study) {
  const isF = study.statistic === "F";
  const rows = study.structures
    .filter((s) => isF || s.mean > 0)
    .map((s) => {
      const percent = (value) => (100 * value) / s.mean;
      return isF ? { ...s, at: s.partial_r } : { ...s, at: percent(s.effect), from: percent(s.low), to: percent(s.high) };
    })
    .filter((s) => Number.isFinite(s.at))
    .sort((a, b) => b.at - a.at);
  if (!rows.length) return;
  const ends = rows.flatMap((s) => (isF ? [s.at] : [s.at, s.from, s.to])).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const room = (high - low) * 0.04 || 1;
  const x = (value) => names + ((value - low + room) / (high - low + 2 * room)) * (width - names - right);
  const bottom = 14 + rows.length * rowHeight;
  const unit = isF ? "partial r" : `% of the mean volume per unit of ${study.tested_name || "the tested term"}`;
  const root = svg("svg", { viewBox: `0 0 ${width} ${bottom + 40}`, role: "img", "aria-label": `Structures: ${unit}` });
  for (const tick of ticks(low, high, 6)) {
    root.append(svg("line", { class: tick === 0 ? "axis" : "grid", x1: x(tick), x2: x(tick), y1: 6, y2: bottom }));
    root.append(svg("text", { class: "muted", x: x(tick), y: bottom + 15, "text-anchor": "middle" }, number(tick, 4)));
  }
  root.append(svg("text", { x: (names + width - right) / 2, y: bottom + 33, "text-anchor": "middle" }, unit));
  rows.forEach((s, r) => {
    const y = 14 + (r + 0.5) * rowHeight;
    const found = s.p_fwe <= study.alpha;
    const style = isF || s.at >= 0 ? "up" : "under";
    const interval = isF ? "" : ` [${number(s.from, 2)}, ${number(s.to, 2)}]`;
    const words = `${s.name}: ${number(s.at)}${isF ? "" : " %"}${interval}; ${study.statistic} = ${number(s.statistic)}, p = ${pText(s.p)}, FDR ${pText(s.p_fdr)}, family-wise ${pText(s.p_fwe)}`;
    const row = svg("g", { class: `row ${style}${found ? " found" : ""}` }, svg("title", {}, words));
    row.append(svg("rect", { class: "hover", x: 0, y: y - rowHeight / 2, width, height: rowHeight }));
    row.append(svg("text", { x: names - 14, y: y + 4, "text-anchor": "end" }, short(s.name)));
    if (!isF) row.append(svg("line", { class: "reach", x1: x(s.from), x2: x(s.to), y1: y, y2: y }));
    row.append(svg("circle", { class: "mark", cx: x(s.at), cy: y, r: 5 }));
    row.append(svg("text", { class: "muted", x: width - right + 12, y: y + 4 }, `${number(s.at, 2)}${interval}${found ? " *" : ""}`));
    root.append(row);
  });
  const key = document.createElement("p");
  key.className = "small";
  key.textContent = `Filled marks and *: p ≤ ${pText(study.alpha)}, family-wise over the structures. ${isF ? "" : "Lines: 95 % intervals. "}Hover for the numbers.`;
  element.replaceChildren(root, key);
  element.hidden = false;
}
