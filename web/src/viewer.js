// The viewer: controls on one side, one or two linked canvases on the other.
import { colourBar } from "./colours.js";
import { overlayChoices, overlayOf } from "./overlays.js";
import { Scene } from "./scene.js";
import { subjectPlanes, volumeBytes, voxels } from "./volumes.js";

const byId = (id) => document.getElementById(id);
const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });

// The value that is shown white, for the atlas and all subjects alike: the 99.5 percentile of the atlas.
function white(bytes) {
  const counts = new Uint32Array(256);
  for (const value of bytes) ++counts[value];
  let above = 0.005 * bytes.length;
  for (let value = 255; value > 1; --value) if ((above -= counts[value]) < 0) return value;
  return 255;
}

class Viewer {
  constructor(data) {
    this.data = data;
    this.section = byId("viewer");
    this.state = { run: 0, subject: null, base: "atlas", overlay: "none", label: 0, layout: "all", opacity: 0.45 };
    this.hidden = new Set();
    this.scenes = null;
    this.queue = Promise.resolve();
    this.connect();
  }

  get run() {
    return this.data.runs[this.state.run];
  }

  // One change after the other: a slow volume must not overtake a newer wish.
  later(work) {
    this.queue = this.queue.then(work).catch((error) => this.say(error.message));
    return this.queue;
  }

  say(words) {
    byId("readout").textContent = words;
  }

  async start() {
    try {
      this.scenes = [await Scene.create(byId("canvas-main"), (where) => this.readOut(where))];
    } catch {
      this.section.classList.add("broken");
      this.say("This browser has no WebGL 2, which the viewer needs. The figures below need nothing.");
    }
  }

  showRun(number) {
    const run = number === null ? null : this.data.runs[number];
    this.section.hidden = !run || !run.size;
    if (this.section.hidden) return;
    this.state.run = number;
    this.hidden.clear();
    const worst = run.worst ?? run.subjects.findIndex((subject) => subject.readable);
    this.state.subject = worst >= 0 && run.subjects[worst].readable ? worst : null;
    this.state.base = "atlas";
    this.state.overlay = run.labels.length ? "labels" : "none";
    this.state.label = 0;
    this.fillControls();
    this.later(async () => {
      if (!this.scenes && !this.section.classList.contains("broken")) await this.start();
      await this.draw();
      if (run.dims === 2) this.setLayout("axial");
    });
  }

  showSubject(number, id) {
    const at = this.data.runs[number].subjects.findIndex((subject) => subject.id === id);
    if (at < 0) return;
    this.setSubject(at);
    this.section.scrollIntoView({ block: "start", behavior: "smooth" });
  }

  fillControls() {
    const run = this.run;
    const chooser = byId("subject");
    chooser.replaceChildren(
      ...run.subjects.map((subject, i) => {
        const score = subject.dice === undefined ? "" : ` · Dice ${subject.dice.toFixed(3)}`;
        const entry = option(String(i), `${subject.id} · ${subject.split}${score}`);
        entry.disabled = !subject.readable;
        return entry;
      }),
    );
    chooser.value = String(this.state.subject ?? "");
    byId("label").replaceChildren(...run.labels.map((label, i) => option(String(i), label.name)));
    byId("opacity").value = String(100 * this.state.opacity);
    this.section.classList.toggle("flat", run.dims === 2);
    this.fillOverlays();
    this.check("base", this.state.base);
  }

  fillOverlays() {
    const withSubject = this.state.subject !== null && this.state.base !== "atlas";
    const choices = overlayChoices(this.run, withSubject);
    if (!choices.some(([name]) => name === this.state.overlay)) this.state.overlay = this.run.labels.length ? "labels" : "none";
    byId("overlay").replaceChildren(...choices.map(([name, text]) => option(name, text)));
    byId("overlay").value = this.state.overlay;
    byId("label").hidden = this.state.overlay !== "probability";
  }

  check(name, value) {
    for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = input.value === value;
  }

  async baseValues() {
    if (this.state.base === "atlas") return volumeBytes(`${this.state.run}-atlas`);
    const planes = await subjectPlanes(this.run, this.state.run, this.state.subject);
    return planes[this.state.base];
  }

  async draw() {
    const { run, state } = this;
    const base = await this.baseValues();
    const overlay = await overlayOf(run, state, this.hidden);
    this.current = { base, overlay };
    byId("what-main").textContent = state.base === "atlas" ? "atlas" : `${run.subjects[state.subject].id}, ${state.base}`;
    this.fillLegend(overlay);
    if (!this.scenes) return;
    const atlas = await volumeBytes(`${state.run}-atlas`);
    const high = white(atlas);
    await this.scenes[0].show(run, { values: base, high }, overlay, state.opacity);
    if (this.scenes[1]) {
      const labels = run.labels.length && ["labels", "own-labels"].includes(state.overlay) ? await overlayOf(run, { ...state, overlay: "labels" }, this.hidden) : null;
      await this.scenes[1].show(run, { values: atlas, high }, labels, state.opacity);
    }
    this.section.dataset.shown = `${state.run}/${state.base}/${state.overlay}/${state.subject}`;
  }

  fillLegend(overlay) {
    const legend = byId("legend");
    legend.replaceChildren();
    if (!overlay) return;
    if (!overlay.labels) {
      legend.append(colourBar(overlay.colormap, ...overlay.text));
      return;
    }
    this.run.labels.forEach((label, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.background = `rgb(${label.colour.join(" ")})`;
      const name = Object.assign(document.createElement("span"), { textContent: label.name });
      button.append(swatch, name);
      button.addEventListener("click", () => this.toggleLabel(i, button));
      legend.append(button);
    });
  }

  toggleLabel(i, button) {
    if (!this.hidden.delete(i)) this.hidden.add(i);
    button.setAttribute("aria-pressed", String(!this.hidden.has(i)));
    for (const scene of this.scenes ?? []) scene.setHidden(this.run.labels, this.hidden);
  }

  readOut(where) {
    if (!this.current) return;
    const mm = [...where.mm].slice(0, this.run.dims).map((value) => value.toFixed(1));
    const [x, y, z] = [...where.vox].map(Math.round);
    const at = x + this.run.size[0] * (y + this.run.size[1] * z);
    if (!(at >= 0 && at < voxels(this.run))) return;
    const words = [`${mm.join(", ")} mm (RAS)`, `intensity ${(this.current.base[at] / 255).toFixed(2)}`];
    const overlay = this.current.overlay;
    if (overlay?.labels) words.push(this.run.labels[overlay.values[at] - 1]?.name ?? "no label");
    else if (overlay) words.push(`${byId("overlay").selectedOptions[0].textContent} ${overlay.values[at].toFixed(2)}`);
    this.say(words.join("  ·  "));
  }

  setSubject(at) {
    this.state.subject = at;
    if (this.state.base === "atlas") this.setBase("after");
    byId("subject").value = String(at);
    this.later(() => this.draw());
  }

  step(by) {
    const { subjects } = this.run;
    for (let n = 1; n <= subjects.length; ++n) {
      const at = (((this.state.subject ?? 0) + by * n) % subjects.length + subjects.length) % subjects.length;
      if (subjects[at].readable) return this.setSubject(at);
    }
  }

  setBase(base) {
    if (base !== "atlas" && this.state.subject === null) base = "atlas";
    this.state.base = base;
    this.check("base", base);
    this.fillOverlays();
  }

  setLayout(layout) {
    this.state.layout = layout;
    this.check("layout", layout);
    for (const scene of this.scenes ?? []) scene.setLayout(layout);
  }

  async setSideBySide(on) {
    byId("second-view").hidden = !on;
    this.section.classList.toggle("two", on);
    if (on && this.scenes && !this.scenes[1]) {
      this.scenes.push(await Scene.create(byId("canvas-second"), () => {}));
      this.scenes[0].link(this.scenes[1]);
      this.scenes[1].setLayout(this.state.layout);
    }
    await this.draw();
  }

  connect() {
    byId("subject").addEventListener("change", (event) => this.setSubject(Number(event.target.value)));
    byId("previous").addEventListener("click", () => this.step(-1));
    byId("next").addEventListener("click", () => this.step(1));
    byId("base").addEventListener("change", (event) => {
      this.setBase(event.target.value);
      this.later(() => this.draw());
    });
    byId("overlay").addEventListener("change", (event) => {
      this.state.overlay = event.target.value;
      byId("label").hidden = this.state.overlay !== "probability";
      this.later(() => this.draw());
    });
    byId("label").addEventListener("change", (event) => {
      this.state.label = Number(event.target.value);
      this.later(() => this.draw());
    });
    byId("opacity").addEventListener("input", (event) => {
      this.state.opacity = Number(event.target.value) / 100;
      for (const scene of this.scenes ?? []) scene.setOpacity(this.state.opacity);
    });
    byId("layout").addEventListener("change", (event) => this.setLayout(event.target.value));
    byId("side-by-side").addEventListener("change", (event) => this.later(() => this.setSideBySide(event.target.checked)));
    this.section.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  }
}

export function startViewer(data) {
  return new Viewer(data);
}
