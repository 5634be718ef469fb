// report_test.mjs ALADDIN MODULES CHROMIUM: the page of a run in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { brightPixels, openBrowser, openPage, shown } from "./browser.mjs";
import { makeRun } from "./make_run.mjs";

const [aladdin, modules, chromium] = process.env.REPORT_TEST.split("|");
const folder = mkdtempSync(join(tmpdir(), "aladdin-report-"));
const script = "<script>document.title='owned'</script>";
const ids = ["knee one", `<img src=x onerror="document.title='owned'">`, "Å 膝 'quoted' & \"double\"", "x".repeat(60), "five", "six", "seven"];
const names = { 1: script, 2: "femoral cartilage", 3: "tibia \"'&", 4: "很长的名字".repeat(12) };
let run;
let browser;

function makePage(name, ...more) {
  const file = join(folder, name);
  execFileSync(aladdin, ["report", run, "-o", file, "--force", "--threads", "1", ...more], { stdio: ["ignore", "pipe", "pipe"] });
  return { file, url: pathToFileURL(file).href };
}

before(async () => {
  run = makeRun(aladdin, join(folder, "made"), { ids, names, notes: [`a remark with ${script}`] });
  browser = await openBrowser(modules, chromium);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a page shows the viewer, switches subjects and overlays, and asks for nothing else", async () => {
  const { file, url } = makePage("report.html");
  assert.ok(statSync(file).size < 5e6, "a small run has a small page");
  const { page, bad, close } = await openPage(browser, url);
  await shown(page, "0/atlas/labels");
  assert.ok((await brightPixels(page)) > 3000, "the atlas is drawn");
  await page.check("input[value=after]", { force: true });
  await shown(page, "0/after/labels");
  await page.selectOption("#overlay", "jacobian");
  await shown(page, "0/after/jacobian");
  assert.match(await page.textContent("#legend"), /shrinks 4×.*grows 4×/);
  for (const overlay of ["difference", "variability", "own-labels", "probability", "none"]) {
    await page.selectOption("#overlay", overlay);
    await shown(page, `0/after/${overlay}`);
  }
  const first = await page.inputValue("#subject");
  await page.click("#next");
  await page.waitForFunction((old) => document.getElementById("subject").value !== old, first);
  await page.check("#side-by-side");
  await page.waitForFunction(() => document.getElementById("canvas-second").width > 50);
  for (const layout of ["axial", "coronal", "sagittal", "render"]) await page.check(`input[value=${layout}]`, { force: true });
  assert.ok((await brightPixels(page)) > 1000, "the subject is drawn");
  assert.deepEqual(bad, []);
  await close();
});

test("the background is as dark with 142 labels as with four", async () => {
  const many = makeRun(aladdin, join(folder, "many"), { ids: ["a", "b", "c", "d"], labels: 142 });
  const few = makeRun(aladdin, join(folder, "few"), { ids: ["a", "b", "c", "d"] });
  const bright = {};
  for (const [name, made] of Object.entries({ many, few })) {
    const file = join(folder, `${name}.html`);
    execFileSync(aladdin, ["report", made, "-o", file, "--threads", "1"], { stdio: ["ignore", "pipe", "pipe"] });
    const { page, bad, close } = await openPage(browser, pathToFileURL(file).href);
    await shown(page, "0/atlas/labels");
    bright[name] = [await brightPixels(page)];
    await page.check("input[value=render]", { force: true });
    await page.waitForTimeout(500);
    bright[name].push(await brightPixels(page));
    assert.deepEqual(bad, []);
    await close();
  }
  for (const view of [0, 1])
    assert.ok(bright.many[view] < 1.1 * bright.few[view], `view ${view}: ${bright.many[view]} pixels are bright, ${bright.few[view]} with four labels`);
});

test("tabs, theme and figures, with the keyboard alone", async () => {
  const { url } = makePage("report.html");
  const { page, bad, close } = await openPage(browser, url);
  const tabs = page.locator("article:not([hidden]) [role=tab]");
  assert.deepEqual(await tabs.allTextContents(), ["Atlas", "Accuracy", "Training", "Deformations", "Cohort", "Facts"]);
  await tabs.first().focus();
  for (const figure of ["#figure-dice", "#figure-training_energy", "#figure-jacobian", "table.subjects", ".command"]) {
    await page.keyboard.press("ArrowRight");
    assert.ok(await page.locator(`article:not([hidden]) ${figure}`).first().isVisible(), `${figure} is on its tab`);
  }
  await page.keyboard.press("Home");
  assert.equal(await tabs.first().getAttribute("aria-selected"), "true");
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.click("#theme");
  const light = await background();
  await page.click("#theme");
  assert.notEqual(await background(), light, "dark is another colour than light");
  assert.deepEqual(bad, []);
  await close();
});

test("on a phone nothing is cut off", async () => {
  const { url } = makePage("report.html");
  const { page, bad, close } = await openPage(browser, url, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  await shown(page, "0/atlas");
  const count = await page.locator("article:not([hidden]) [role=tab]").count();
  for (let i = 0; i < count; ++i) {
    await page.locator("article:not([hidden]) [role=tab]").nth(i).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `tab ${i} is ${width} pixels wide`);
  }
  assert.ok((await brightPixels(page)) > 500);
  assert.deepEqual(bad, []);
  await close();
});

test("hostile names are text", async () => {
  const { url } = makePage("report.html");
  const { page, bad, close } = await openPage(browser, url);
  await shown(page, "0/atlas");
  await page.locator("article:not([hidden]) [role=tab]", { hasText: "Cohort" }).click();
  const cells = await page.locator("table.subjects tbody th").allTextContents();
  assert.deepEqual([...cells].sort(), [...ids].sort());
  const legend = await page.locator("#legend button").allTextContents();
  assert.deepEqual(legend, Object.values(names));
  const options = await page.locator("#subject option").allTextContents();
  ids.forEach((id, i) => assert.ok(options[i].startsWith(id)));
  assert.ok((await page.textContent(".note")).includes(script));
  await page.click("table.subjects button.show >> nth=1");
  await page.waitForTimeout(300);
  assert.notEqual(await page.title(), "owned");
  assert.deepEqual(bad, []);
  await close();
});

test("what metrics.csv says is what the page says", async () => {
  const metrics = join(run, "metrics.csv");
  const text = readFileSync(metrics, "utf8");
  const old = text.match(/^20,.*$/m)[0].split(",")[13];
  const read = async () => {
    const { url } = makePage("changed.html");
    const { page, close } = await openPage(browser, url);
    const last = await page.locator("#figure-training_val_bridge_dice circle").last();
    const found = { hover: await last.locator("title").textContent(), y: await last.getAttribute("cy") };
    await close();
    return found;
  };
  const first = await read();
  assert.equal(first.hover, `epoch 20: ${Number(old)}`);
  writeFileSync(metrics, text.replace(`,${old},`, ",0.61234,"));
  const second = await read();
  assert.equal(second.hover, "epoch 20: 0.61234");
  assert.notEqual(second.y, first.y);
  writeFileSync(metrics, text);
});
