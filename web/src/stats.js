// The page of a statistical test: reads the data, holds the state, and draws again what a change touches.
import { makeSortable } from "./tables.js";
import { startTheme } from "./theme.js";
import { colourLimit, drawBar } from "./stats/colours.js";
import { drawForest } from "./stats/forest.js";
import { makeGlass } from "./stats/glass.js";
import { makePlanes } from "./stats/planes.js";
import { makeScatter } from "./stats/scatter.js";
import { readStudy } from "./stats/study.js";
import { number, pText } from "./stats/svg.js";

const part = (id) => document.getElementById(id);
const corrections = {
  p: "p, uncorrected",
  p_permuted: "p, uncorrected by permutation",
  p_fdr: "p, false discovery rate",
  p_fwe: "p, family-wise (maximum statistic)",
  p_tfce: "p, family-wise (TFCE)",
};
const steps = 300;
const decades = 3;

const mapNames = (study) => ({ statistic: study.statistic, effect: "Effect per unit", partial_r: "Partial r", tfce: "TFCE" });

function fillSelect(select, names, there, chosen) {
  for (const [value, words] of Object.entries(names)) {
    if (!there[value]) continue;
    select.append(Object.assign(document.createElement("option"), { value, textContent: words }));
  }
  select.value = chosen;
}

function startPoint(study) {
  if (study.clusters.length) return study.clusters[0].peak;
  const values = study.maps.statistic;
  let best = 0;
  for (let v = 1; v < study.n; ++v) if (!(Math.abs(values[v]) <= Math.abs(values[best]))) best = v;
  return study.index(study.offsets[best]);
}

function showValues(study, state) {
  const rows = [];
  const add = (name, text) => rows.push([name, text]);
  const { cross } = state;
  const at = study.offset(cross);
  const v = study.voxelAt[at];
  const places = study.flat ? 2 : 3;
  if (study.labels) add("Structure", study.labels[at] ? study.names[study.labels[at] - 1] : "none");
  add("Voxel", cross.slice(0, places).join(", "));
  add("mm, LPS", study.toPoint(cross).slice(0, study.dims).map((x) => x.toFixed(1).replace("-", "−")).join(", "));
  if (v < 0) add("Value", "not analysed");
  else {
    const value = (name) => study.maps[name][v];
    add(study.statistic, number(value("statistic")));
    if (study.maps.effect) {
      const interval = study.maps.effect_low && study.maps.effect_high ? ` [${number(value("effect_low"))}, ${number(value("effect_high"))}]` : "";
      add("Effect", number(value("effect")) + interval);
    }
    if (study.maps.partial_r) add("Partial r", number(value("partial_r"), 2));
    if (study.maps.tfce) add("TFCE", number(value("tfce")));
    for (const [name, words] of Object.entries({ p: "p", p_permuted: "p, permuted", p_fdr: "p, FDR", p_fwe: "p, FWE", p_tfce: "p, TFCE" }))
      if (study.maps[name]) add(words, pText(10 ** value(name)));
  }
  part("values").replaceChildren(
    ...rows.map(([name, text]) => {
      const row = document.createElement("div");
      row.append(Object.assign(document.createElement("dt"), { textContent: name }), Object.assign(document.createElement("dd"), { textContent: text }));
      return row;
    }),
  );
}

function startMap(study) {
  const state = { map: "statistic", by: study.correction, threshold: study.alpha, faint: true, neurological: false, cross: startPoint(study) };
  const limits = {};
  const limitOf = (name) => (limits[name] ??= colourLimit(study.maps[name]));
  const signed = (name) => study.maps[name].some((x) => x < 0);
  state.statisticLimit = limitOf("statistic");
  part("map").hidden = false;
  document.body.classList.toggle("flat", study.flat);
  part("glass-part").hidden = study.flat;
  part("hint").textContent = `Click or drag to move the crosshair; ${study.flat ? "" : "scroll to change the slice; "}arrow keys move one voxel.`;

  let asked = 0;
  const later = (...draw) => {
    draw.forEach((f) => pending.add(f));
    document.documentElement.dataset.drawn = "no";
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      const now = [...pending];
      pending.clear();
      now.forEach((f) => f());
      document.documentElement.dataset.drawn = "yes";
    });
  };
  const pending = new Set();
  const current = () => state;
  const moveTo = (cross) => {
    state.cross = cross;
    later(planes, values, scatter);
  };
  const values = () => showValues(study, state);
  const planes = makePlanes(part("planes"), study, current, moveTo);
  const glass = study.flat ? () => {} : makeGlass(part("glass"), study, current, moveTo);
  const scatter = makeScatter(study, current);
  const bar = () => {
    state.limit = limitOf(state.map);
    drawBar(part("bar"), { name: mapNames(study)[state.map], limit: state.limit, signed: signed(state.map), beyond: study.maps[state.map].some((x) => Math.abs(x) > state.limit), format: (x) => number(x) });
  };
  const threshold = () => {
    const { passes, count } = study.passing(state.by, state.threshold);
    state.passes = passes;
    part("p-shown").textContent = `p ≤ ${pText(state.threshold)}`;
    const words = (k) => k.toLocaleString("en");
    part("count").textContent = `${words(count)} of ${words(study.n)} voxels (${number((100 * count) / (study.n || 1), 2)} %)`;
  };

  fillSelect(part("shown"), mapNames(study), study.maps, state.map);
  fillSelect(part("corrected"), corrections, study.maps, state.by);
  part("p").value = Math.round(steps * (1 + Math.log10(state.threshold) / decades));
  part("shown").addEventListener("change", (event) => {
    state.map = event.target.value;
    later(bar, planes);
  });
  part("corrected").addEventListener("change", (event) => {
    state.by = event.target.value;
    later(threshold, planes, glass);
  });
  part("p").addEventListener("input", (event) => {
    state.threshold = Number((10 ** (decades * (event.target.value / steps - 1))).toPrecision(2));
    later(threshold, planes, glass);
  });
  part("faint").addEventListener("change", (event) => {
    state.faint = event.target.checked;
    later(planes);
  });
  part("neurological").addEventListener("change", (event) => {
    state.neurological = event.target.checked;
    later(planes, glass);
  });
  new ResizeObserver(() => later(planes, glass)).observe(part("viewer"));
  bar();
  threshold();
  planes();
  glass();
  values();
  scatter();
  return moveTo;
}

function linkClusters(study, moveTo) {
  for (const row of document.querySelectorAll("table.clusters tbody tr")) {
    const cell = row.cells[0];
    const place = Number(cell.textContent) - 1;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "show", textContent: cell.textContent, title: "Show its peak" });
    button.addEventListener("click", () => {
      moveTo(study.clusters[place].peak);
      part("map").scrollIntoView({ block: "start" });
    });
    cell.replaceChildren(button);
  }
}

async function start() {
  startTheme();
  const data = JSON.parse(part("data").textContent);
  drawForest(part("forest"), data);
  part("structures-part").hidden = data.structures.length === 0;
  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
  const study = await readStudy(data);
  if (study.n && study.maps.statistic && study.maps[study.correction]) linkClusters(study, startMap(study));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => {
  part("broken").textContent = `The map cannot be shown: ${error.message}.`;
  part("broken").hidden = false;
});
