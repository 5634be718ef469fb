// The data at the crosshair: against a number with its line, or per group with mean and interval.
import { number, svg, ticks, tPoint } from "./svg.js";

const [width, height] = [320, 250];
const edge = { left: 52, right: 10, top: 8, bottom: 38 };

const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;

function axes(low, high, titles, xTicks, x) {
  const y = (value) => height - edge.bottom - ((value - low) / (high - low || 1)) * (height - edge.top - edge.bottom);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${titles.y} against ${titles.x}` });
  for (const tick of ticks(low, high, 5)) {
    root.append(svg("line", { class: "grid", x1: edge.left, x2: width - edge.right, y1: y(tick), y2: y(tick) }));
    root.append(svg("text", { class: "muted", x: edge.left - 6, y: y(tick) + 4, "text-anchor": "end" }, number(tick, 4)));
  }
  for (const [at, words] of xTicks) root.append(svg("text", { class: "muted", x: x(at), y: height - edge.bottom + 16, "text-anchor": "middle" }, words));
  root.append(svg("text", { x: (edge.left + width - edge.right) / 2, y: height - 4, "text-anchor": "middle" }, titles.x));
  return { root, y };
}

const dot = (cx, cy, words, style = "s0") => svg("circle", { class: `${style} dot`, cx, cy, r: 3.2 }, svg("title", {}, words));

const range = (values) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.05 || Math.abs(high) * 0.05 || 1;
  return [low - room, high + room];
};

// Least squares with the 95 % band of the line.
function fit(xs, ys) {
  const n = xs.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const sxx = xs.reduce((sum, x) => sum + (x - mx) ** 2, 0);
  if (n < 3 || sxx === 0) return null;
  const slope = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0) / sxx;
  const line = (x) => my + slope * (x - mx);
  const error = Math.sqrt(ys.reduce((sum, y, i) => sum + (y - line(xs[i])) ** 2, 0) / (n - 2));
  return { line, half: (x) => tPoint(n - 2) * error * Math.sqrt(1 / n + (x - mx) ** 2 / sxx) };
}

function scatter(study, values) {
  const there = study.tested.map((_, i) => i).filter((i) => Number.isFinite(study.tested[i] ?? NaN));
  const xs = there.map((i) => study.tested[i]);
  const ys = there.map((i) => values[i]);
  const [left, right] = range(xs);
  const fitted = fit(xs, ys);
  const at = Array.from({ length: 41 }, (_, i) => left + ((right - left) * i) / 40);
  const [low, high] = range(fitted ? [...ys, ...at.flatMap((v) => [fitted.line(v) - fitted.half(v), fitted.line(v) + fitted.half(v)])] : ys);
  const x = (value) => edge.left + ((value - left) / (right - left)) * (width - edge.left - edge.right);
  const { root, y } = axes(low, high, { x: study.tested_name, y: study.measure }, ticks(left, right, 5).map((t) => [t, number(t, 6)]), x);
  if (fitted) {
    const path = (f) => at.map((v) => `${x(v).toFixed(1)} ${y(f(v)).toFixed(1)}`);
    const upper = path((v) => fitted.line(v) + fitted.half(v));
    const lower = path((v) => fitted.line(v) - fitted.half(v)).reverse();
    root.append(svg("path", { class: "s1 area", d: `M${upper.join("L")}L${lower.join("L")}Z` }));
    root.append(svg("path", { class: "s1 line", d: `M${path(fitted.line).join("L")}` }));
  }
  there.forEach((i, k) => root.append(dot(x(xs[k]), y(ys[k]), `${study.ids[i]}: ${number(xs[k], 4)}, ${number(ys[k], 4)}`)));
  return root;
}

function strips(study, values) {
  const names = [...new Set(study.groups)].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const [low, high] = range(values);
  const room = (width - edge.left - edge.right) / names.length;
  const x = (group) => edge.left + (group + 0.5) * room;
  const short = (name) => (name.length * 7 > room ? `${name.slice(0, Math.max(2, Math.floor(room / 7) - 1))}…` : name);
  const { root, y } = axes(low, high, { x: study.tested_name, y: study.measure }, names.map((name, g) => [g, short(name)]), x);
  names.forEach((name, g) => {
    const own = values.filter((_, i) => study.groups[i] === name);
    let k = 0;
    values.forEach((value, i) => {
      if (study.groups[i] !== name) return;
      // The golden ratio spreads the points evenly without chance.
      const jitter = (((++k * 0.618034) % 1) - 0.5) * Math.min(46, 0.5 * room);
      root.append(dot(x(g) + jitter, y(value), `${study.ids[i]}: ${name}, ${number(value, 4)}`));
    });
    const m = mean(own);
    const sd = Math.sqrt(own.reduce((sum, v) => sum + (v - m) ** 2, 0) / (own.length - 1));
    const half = own.length > 1 ? (tPoint(own.length - 1) * sd) / Math.sqrt(own.length) : 0;
    const wide = Math.min(28, 0.3 * room);
    root.append(svg("line", { class: "s1 line", x1: x(g), x2: x(g), y1: y(m - half), y2: y(m + half) }));
    root.append(svg("line", { class: "s1 line", x1: x(g) - wide, x2: x(g) + wide, y1: y(m), y2: y(m) }, svg("title", {}, `${name}: mean ${number(m, 4)}`)));
  });
  return root;
}

export function makeScatter(study, current) {
  const grouped = study.groups.length > 0;
  if (!study.valuesAt || (!grouped && !study.tested.length)) return () => {};
  const part = (id) => document.getElementById(id);
  part("scatter-part").hidden = false;
  part("scatter-title").textContent = study.measure || "Data at the crosshair";
  return () => {
    const found = study.valuesAt(study.offset(current().cross));
    if (!found) {
      part("scatter").replaceChildren();
      part("scatter-note").textContent = "The crosshair is outside the analysed region.";
      return;
    }
    part("scatter").replaceChildren(grouped ? strips(study, found.values) : scatter(study, found.values));
    const what = grouped
      ? "Bars: mean of the group with its 95 % interval."
      : "The line with its 95 % band is fitted to these points alone; the map comes from the whole model.";
    const moved = found.moved_mm > 0 ? `Shown is the nearest voxel kept in this page, ${number(found.moved_mm, 2)} mm away. ` : "";
    part("scatter-note").textContent = moved + what;
  };
}
