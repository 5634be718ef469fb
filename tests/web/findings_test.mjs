// findings_test.mjs: the page of a statistical test in a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openBrowser, openPage } from "./browser.mjs";

const [makeFindings, modules, chromium] = process.env.FINDINGS_TEST.split("|");
const folder = mkdtempSync(join(tmpdir(), "aladdin-findings-"));
let browser;

async function open(kind, options) {
  const file = join(folder, `${kind}.html`);
  execFileSync(makeFindings, [kind, file]);
  const opened = await openPage(browser, pathToFileURL(file).href, options);
  await opened.page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
  return opened;
}

const firstDot = (page) => page.locator("#scatter circle title").first().textContent();
const value = (page, name) => page.locator("#values div", { has: page.locator(`dt:text-is("${name}")`) }).locator("dd").textContent();

const drawn = (page) => page.waitForFunction(() => document.documentElement.dataset.drawn === "yes");

async function setThreshold(page, step) {
  await page.locator("#p").fill(String(step));
  await drawn(page);
  return Number.parseInt((await page.textContent("#count")).replaceAll(",", ""), 10);
}

before(async () => {
  browser = await openBrowser(modules, chromium);
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("three planes: the crosshair changes the data, the slider the count, a cluster the crosshair", async () => {
  const { page, bad, close } = await open("3d");
  assert.equal(await page.locator("#planes canvas").count(), 3);
  assert.equal(await page.locator("#glass canvas").count(), 3);
  const peak = await value(page, "Voxel");
  const before = await firstDot(page);
  await page.locator("#planes canvas").nth(2).click({ position: { x: 215, y: 150 } });
  await page.waitForFunction((old) => !document.querySelector("#values").textContent.includes(old), peak);
  assert.notEqual(await firstDot(page), before);
  const voxel = await value(page, "Voxel");
  await page.locator("#planes canvas").nth(2).hover({ position: { x: 215, y: 150 } });
  await page.mouse.wheel(0, 100);
  await page.waitForFunction((old) => !document.querySelector("#values").textContent.includes(`Voxel${old}mm`), voxel);
  const [i, j, k] = voxel.split(", ").map(Number);
  assert.equal(await value(page, "Voxel"), [i, j, k + 1].join(", "), "the wheel moves along the third axis");
  await page.click("table.clusters button.show >> nth=0");
  await drawn(page);
  assert.equal(await value(page, "Voxel"), peak);
  assert.equal(await value(page, "Structure"), "left caudate");
  const [few, some, all] = [await setThreshold(page, 30), await setThreshold(page, 170), await setThreshold(page, 300)];
  assert.ok(0 < few && few < some && some < all, `${few} < ${some} < ${all}`);
  assert.equal(await page.textContent("#p-shown"), "p ≤ 1");
  for (const map of ["effect", "partial_r", "tfce"]) await page.selectOption("#shown", map);
  await setThreshold(page, 170);
  await page.selectOption("#corrected", "p");
  await drawn(page);
  assert.ok(Number.parseInt((await page.textContent("#count")).replaceAll(",", ""), 10) > some, "uncorrected p passes more");
  assert.equal(await page.locator("#forest .row").count(), 12);
  assert.ok((await page.locator("#forest").textContent()).includes("<b>brain stem</b>"), "a name is text");
  assert.deepEqual(bad, []);
  await close();
});

test("2-D data are one plane, right of the image is left of the subject until it is turned", async () => {
  const { page, bad, close } = await open("2d");
  assert.equal(await page.locator("#planes canvas").count(), 1);
  assert.ok(await page.locator("#glass-part").isHidden());
  const canvas = page.locator("#planes canvas");
  const { width, height } = await canvas.boundingBox();
  const column = async () => {
    await canvas.click({ position: { x: width * 0.6, y: height / 2 } });
    await drawn(page);
    return Number((await value(page, "Voxel")).split(",")[0]);
  };
  const right = await column();
  assert.ok(right > 80, "index 0 grows to the subject's left, shown on the right");
  await page.check("#neurological");
  assert.equal(await column(), 159 - right);
  assert.deepEqual(bad, []);
  await close();
});

test("an F test of groups, on a phone", async () => {
  const { page, bad, close } = await open("groups", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  assert.equal(await page.locator("#shown option").count(), 3, "no effect");
  assert.match(await page.textContent("#scatter"), /control/);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `the page is ${width} pixels wide`);
  assert.deepEqual(bad, []);
  await close();
});
