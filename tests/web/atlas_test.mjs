// atlas_test.mjs: the page of a sweep of atlases, and of one atlas, in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser, openPage } from "./browser.mjs";

const [aladdin, modules, chromium] = process.env.REPORT_TEST.split("|");
const folder = mkdtempSync(join(tmpdir(), "aladdin-atlas-"));
const run = join(folder, "run");
let browser;

const call = (...words) => execFileSync(aladdin, [...words, "-q"], { stdio: ["ignore", "pipe", "pipe"] });

function makePage(name, ...question) {
  call("atlas", run, ...question, "-o", join(folder, name));
  return pathToFileURL(join(folder, name, "page.html")).href;
}

async function open(url, options) {
  const opened = await openPage(browser, url, options);
  await opened.page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  assert.ok(await opened.page.locator("#broken").isHidden());
  return opened;
}

const width = (page) => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);

before(async () => {
  call("synth", "--slice", "--subjects", "16", "--val", "0", "--test", "0", "--size", "24,40,40", "--spacing", "4,4,4", "--seed", "5", "-o", join(folder, "slices"));
  call("build", join(folder, "slices", "cohort.csv"), "-o", run, "--engine", "optimise", "--epochs", "1,1", "--set", "train.pyramid=[2,1]", "--set", "optimise.iterations=5", "--no-report");
  const record = join(run, "run.json");
  const names = JSON.parse(readFileSync(record));
  names.cohort.label_names = { ...names.cohort.label_names, 1: "<img src=x onerror=\"document.title='owned'\">" };
  writeFileSync(record, JSON.stringify(names));
  browser = await openBrowser(modules, chromium);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the slider changes the atlas and moves the mark through the curves", async () => {
  const { page, bad, close } = await open(makePage("ages", "--sweep", "age=55:70:5", "--bandwidth", "10"));
  assert.equal(await page.locator("#charts .chart").count(), 4);
  assert.equal(await page.getAttribute("#which", "max"), "3");
  const state = async () => ({
    where: await page.textContent("#where"),
    picture: await page.getAttribute("#picture", "src"),
    mark: await page.locator("#charts .mark").first().getAttribute("cx"),
  });
  await page.locator("#which").fill("0");
  const first = await state();
  assert.match(first.where, /^age=55.* subjects behind it$/);
  await page.locator("#which").fill("3");
  const last = await state();
  assert.match(last.where, /^age=70/);
  assert.notEqual(first.picture, last.picture);
  assert.ok(Number(first.mark) < Number(last.mark));
  assert.ok(await page.evaluate(() => document.getElementById("picture").naturalWidth > 100));
  for (const kind of ["labels", "size"]) {
    await page.check(`input[value=${kind}]`);
    assert.notEqual(await page.getAttribute("#picture", "src"), last.picture);
  }
  assert.ok(await page.locator("#bar").isVisible());
  assert.ok((await page.locator("#charts").textContent()).includes("<img src=x"), "a name is text");
  assert.equal(await page.locator("#charts .chart").first().locator("circle.own").count(), 16);
  assert.notEqual(await page.title(), "owned");
  assert.deepEqual(bad, []);
  await close();
});

test("one atlas has no slider; the bandwidth has its curve", async () => {
  const { page, bad, close } = await open(makePage("one", "--at", "age=60"));
  assert.ok(await page.locator("#slider").isHidden());
  assert.ok(await page.locator("#volumes-part").isHidden());
  assert.ok((await page.locator("#bandwidth circle.own").count()) > 3);
  assert.equal(await page.locator("#bandwidth circle.mark").count(), 1);
  assert.equal(await page.locator("table tbody tr").count(), 4);
  assert.deepEqual(bad, []);
  await close();
});

test("nothing is wider than a telephone", async () => {
  const { page, close } = await open(pathToFileURL(join(folder, "ages", "page.html")).href, { viewport: { width: 390, height: 800 } });
  const [wide, there] = await width(page);
  assert.ok(wide <= there, `${wide} px on ${there}`);
  await close();
});
