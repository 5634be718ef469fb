// SVG by hand, ticks at round numbers, numbers as text.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function ticks(low, high, wanted = 5) {
  const raw = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const out = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i) out.push(Number((i * step).toPrecision(12)));
  return out;
}

export function number(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  const text = size !== 0 && (size < 1e-3 || size >= 1e6) ? size.toExponential(digits - 1) : String(Number(size.toPrecision(digits)));
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

// ".034", "< .001"
export function pText(p) {
  if (!Number.isFinite(p)) return "–";
  if (p < 0.001) return "< .001";
  if (p >= 0.9995) return "1";
  return p.toFixed(3).replace(/^0/, "").replace(/(\.\d\d)0$/, "$1");
}

// The two-sided 5 % point of Student's t, by Hill's expansion (exact for 1 and 2 degrees of freedom).
export function tPoint(dof) {
  if (dof <= 0) return NaN;
  if (dof === 1) return 12.7062;
  if (dof === 2) return 4.30265;
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, k) => sum + term / dof ** (k + 1), z);
}
