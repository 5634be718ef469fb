// Every figure that two places show is the same number under the same name: one run, its log, run.json, subjects.csv,
// `register`, `evaluate`, and the card and tabs of its page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const aladdin = process.env.ALADDIN;
const folder = mkdtempSync(join(tmpdir(), "aladdin-figures-"));
const run = join(folder, "run");
const read = (name) => readFileSync(join(run, name), "utf8");
const call = (...words) => execFileSync(aladdin, [...words, "--threads", "1"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], env: { ...process.env, OMP_WAIT_POLICY: "passive" } });
const evaluate = (...words) => JSON.parse(call("evaluate", ...words, "--json")).evaluations[0];

let record, log, page, subjects, all, training;

// The value, and of whom, on the card of this name.
function card(name) {
  const found = page.match(new RegExp(`<span class="value">([^<]*)</span><span class="what">${name}</span><span class="more">([^<]*)</span>`));
  assert.ok(found, `a card '${name}'`);
  return { value: parseFloat(found[1]), text: found[1], whom: found[2] };
}
// The cells of each subject in the table of the page, by the name of the column.
function table() {
  const body = page.match(/<table class="subjects[^]*?<\/table>/)[0];
  const cells = (row, kind) => [...row.matchAll(new RegExp(`<${kind}[^>]*>([^<]*)`, "g"))].map((cell) => cell[1]);
  const rows = [...body.matchAll(/<tr>([^]*?)<\/tr>/g)].map((row) => row[1]);
  const header = cells(rows[0], "th");
  return Object.fromEntries(rows.slice(1).map((row) => {
    const [id] = cells(row, "th");
    const values = [id, ...cells(row, "td")];
    return [id, Object.fromEntries(header.map((name, i) => [name, values[i]]))];
  }));
}
function logged(pattern) {
  const found = log.match(pattern);
  assert.ok(found, `the log has ${pattern}`);
  return found.slice(1);
}
const sum = (values) => values.reduce((a, b) => a + b, 0);
const near = (a, b, digits, what) => assert.ok(Math.abs(a - b) <= 0.500001 * 10 ** -digits, `${what}: ${a} and ${b}`);

before(() => {
  call("synth", "--subjects", "9", "--val", "2", "--test", "1", "--size", "28,34,34", "--spacing", "4,4,4", "-q", "-o", "knees");
  call("build", "knees/cohort.csv", "-o", "run", "--spacing", "6", "--engine", "learn", "--refine", "0", "--epochs", "6,6,6", "--rate", "5e-3", "--set", "network.width=8", "--set", "network.passes=[4,2,1]", "--set", "train.least=1", "--set", "atlas.every=1");
  record = JSON.parse(read("run.json"));
  log = read("log.txt");
  page = read("report.html");
  const [header, ...lines] = read("subjects.csv").trim().split("\n").map((line) => line.split(","));
  subjects = Object.fromEntries(lines.map((line) => [line[0], Object.fromEntries(header.map((name, i) => [name, i > 1 ? Number(line[i]) : line[i]]))]));
  all = evaluate("run", "--split", "all");
  training = evaluate("run", "--split", "train");
  assert.equal(all.by_subject.length, 9);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test("inverse error", () => {
  const value = record.results.inverse_error_mm;
  assert.ok(value > 1e-5, `${value} mm is something to compare`);
  near(all.inverse_error_mm.mean, value, 6, "evaluate");
  for (const { id, inverse_error_mm } of all.by_subject) near(inverse_error_mm.mean, subjects[id].inverse_error_mm, 6, id);
  const [shown, whom] = logged(/inverse error ([0-9.]+) mm \(mean of (9 subjects)\)/);
  near(Number(shown), value, 4, "log");
  near(card("inverse error").value, value, 4, "card");
  assert.equal(card("inverse error").whom, `mean of ${whom}`);
  const text = call("evaluate", "run", "--split", "all");
  near(Number(text.match(/inverse error +mean ([0-9.]+) mm/)[1]), value, 4, "text");
});

test("folds, folded cells, Jacobians", () => {
  const both = (name) => all.by_subject.map((s) => s.native_to_atlas[name] + s.atlas_to_native[name]);
  for (const name of ["folds", "folded_cells"]) {
    assert.equal(sum(both(name)), record.results[name], `evaluate: ${name}`);
    assert.equal(sum(Object.values(subjects).map((s) => s[name])), record.results[name], `subjects.csv: ${name}`);
  }
  assert.equal(Number(logged(/(\d+) folds,/)[0]), record.results.folds);
  assert.equal(card("folded voxels").value, record.results.folds);
  const rows = table();
  for (const { id, native_to_atlas: there, atlas_to_native: back } of all.by_subject) {
    const s = subjects[id];
    assert.equal(there.folds + back.folds, s.folds);
    near(Math.min(there.jacobian_min, back.jacobian_min), s.smallest_jacobian, 5, `${id}: smallest`);
    near(Math.max(there.jacobian_max, back.jacobian_max), s.largest_jacobian, 5, `${id}: largest`);
    assert.equal(Number(rows[id].folds), s.folds);
    near(Number(rows[id]["smallest det J"]), s.smallest_jacobian, 3, `${id}: tab`);
    near(Number(rows[id].energy), s.energy, 4, `${id}: energy`);
  }
});

test("mean displacement", () => {
  const value = record.results.mean_displacement_mm;
  assert.ok(value > 1e-5, `${value} mm is something to compare`);
  assert.equal(record.results.training_subjects, 6);
  near(training.centrality.mean_mm, value, 6, "evaluate --split train");
  near(training.centrality.max_mm, record.results.mean_displacement_max_mm, 6, "the most");
  for (const one of [all, training]) {
    assert.equal(one.training_centrality.mean_mm, value);
    assert.equal(one.training_centrality.subjects, 6);
  }
  near(Number(logged(/mean displacement ([0-9.]+) mm \(of 6 training subjects\)/)[0]), value, 4, "log");
  near(card("mean displacement").value, value, 4, "card");
  assert.equal(card("mean displacement").whom, "of 6 training subjects");
  const [, mean, most] = page.match(/mean displacement of 6 training subjects: ([0-9.]+) mm on average, ([0-9.]+) mm at most/);
  near(Number(mean), value, 4, "tab");
  near(Number(most), record.results.mean_displacement_max_mm, 4, "tab, the most");
});

test("bridge Dice, and over whom", () => {
  const [, count, split] = card("bridge Dice").whom.match(/mean of (\d+) subjects? \(split (\w+)\)/);
  const same = evaluate("run", "--split", split);
  assert.equal(same.by_subject.length, Number(count));
  near(card("bridge Dice").value, same.bridge.mean.mean, 3, "card");
  const rows = table();
  for (const { id, bridge } of same.by_subject) near(Number(rows[id]["bridge Dice"]), bridge.mean, 3, id);
});

test("the Dice of a validation has another name, one in the log and in metrics.csv", () => {
  const [header, ...lines] = read("metrics.csv").trim().split("\n").map((line) => line.split(","));
  const column = lines.map((line) => line[header.indexOf("val_bridge_dice")]).filter((value) => value !== "");
  const shown = [...log.matchAll(/working-grid Dice ([0-9.]+)/g)].map((found) => Number(found[1]));
  assert.equal(shown.length, column.length);
  shown.forEach((value, i) => near(value, Number(column[i]), 4, `validation ${i}`));
  assert.ok(!/(?<!working-grid )(?<!bridge )Dice [0-9]/.test(log), "no other Dice in the log");
});

test("subjects, epochs and time", () => {
  assert.ok(page.includes("Atlas of 6 subjects"), "six made it");
  assert.equal(card("subjects").text, "9");
  assert.equal(card("subjects").whom, "6 train, 2 val, 1 test");
  assert.equal(card("training").whom, `${record.results.epochs} epochs`);
});

test("register and evaluate", () => {
  const [done] = JSON.parse(call("register", "run", "knees/images/knee009.nii.gz", "-o", "out", "--refine", "0", "--json"));
  cpSync(run, join(folder, "copy"), { recursive: true });
  cpSync(join(folder, "out", "transforms"), join(folder, "copy", "transforms"), { recursive: true });
  const subject = evaluate("copy", "--split", "all").by_subject.find((s) => s.id === "knee009");
  near(done.inverse_error_mm.mean, subject.inverse_error_mm.mean, 6, "inverse error");
  near(done.inverse_error_mm.max, subject.inverse_error_mm.max, 4, "inverse error, the most");
  near(done.ncc_before, subject.similarity.ncc_before, 6, "NCC before");
  near(done.ncc_after, subject.similarity.ncc_after, 6, "NCC after");
  assert.ok(done.ncc_after > done.ncc_before, "it was registered");
  for (const way of ["native_to_atlas", "atlas_to_native"])
    for (const name of ["folds", "jacobian_min", "jacobian_max"]) near(done[way][name], subject[way][name], 6, `${way} ${name}`);
  // The network on its own, as the build published it
  near(done.inverse_error_mm.mean, subjects.knee009.inverse_error_mm, 4, "as built");
});
