// The page of an atlas of covariates: the slider changes the picture and moves a mark through the curves.
import { drawBandwidth } from "./atlas/bandwidth.js";
import { makeCurves } from "./atlas/curves.js";
import { number } from "./stats/svg.js";
import { makeSortable } from "./tables.js";
import { startTheme } from "./theme.js";

const part = (id) => document.getElementById(id);

function start() {
  const data = JSON.parse(part("data").textContent);
  const several = data.atlases.length > 1;
  const slider = part("which");
  slider.max = data.atlases.length - 1;
  slider.value = Math.floor((data.atlases.length - 1) / 2);
  part("slider").hidden = !several;
  if (!data.atlases[0].labels) part("kinds").querySelector("[value=labels]").parentElement.remove();
  part("least").textContent = `× ${number(1 / data.most, 2)}`;
  part("largest").textContent = `× ${number(data.most, 2)}`;

  const move = makeCurves(data, part("charts"));
  part("volumes-part").hidden = !(several && data.structures.length);
  part("bandwidth-part").hidden = !data.bandwidth.length;
  if (data.bandwidth.length) part("bandwidth").append(drawBandwidth(data));

  const draw = () => {
    const atlas = data.atlases[Number(slider.value)];
    const kind = document.querySelector("[name=kind]:checked").value;
    part("picture").src = atlas[kind];
    part("picture").alt = `${kind === "size" ? "Size against the population" : kind === "labels" ? "Labels" : "Image"} of the atlas of ${atlas.name}`;
    const effective = Object.assign(document.createElement("small"), { textContent: `${number(atlas.subjects, 3)} subjects behind it` });
    part("where").replaceChildren(atlas.name, effective);
    slider.setAttribute("aria-valuetext", atlas.name);
    part("bar").hidden = kind !== "size";
    move(Number(slider.value));
  };
  slider.addEventListener("input", draw);
  part("kinds").addEventListener("change", draw);
  part("atlas-part").hidden = false;
  draw();
}

startTheme();
for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
try {
  start();
} catch (error) {
  part("broken").textContent = `The page cannot be shown: ${error.message}`;
  part("broken").hidden = false;
}
document.documentElement.dataset.ready = "yes";
