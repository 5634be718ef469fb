// Axes of a small chart: round ticks, numbers, the name of x.
import { number, svg, ticks } from "../stats/svg.js";

export const room = { width: 320, height: 210, left: 54, right: 10, top: 8, bottom: 36 };

export function range(values, share = 0.04) {
  const there = values.filter((value) => value !== null && Number.isFinite(value));
  const [low, high] = [Math.min(...there), Math.max(...there)];
  const more = (high - low) * share || Math.abs(high) * share || 1;
  return [low - more, high + more];
}

export function axes([left, right], [low, high], name, label) {
  const { width, height } = room;
  const x = (value) => room.left + ((value - left) / (right - left)) * (width - room.left - room.right);
  const y = (value) => height - room.bottom - ((value - low) / (high - low)) * (height - room.top - room.bottom);
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const tick of ticks(low, high, 4)) {
    root.append(svg("line", { class: "grid", x1: room.left, x2: width - room.right, y1: y(tick), y2: y(tick) }));
    root.append(svg("text", { class: "muted", x: room.left - 6, y: y(tick) + 4, "text-anchor": "end" }, number(tick, 6)));
  }
  for (const tick of ticks(left, right, 5)) root.append(svg("text", { class: "muted", x: x(tick), y: height - room.bottom + 16, "text-anchor": "middle" }, number(tick, 6)));
  root.append(svg("text", { x: (room.left + width - room.right) / 2, y: height - 4, "text-anchor": "middle" }, name));
  return { root, x, y };
}

export const path = (points) => `M${points.map(([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`).join("L")}`;
