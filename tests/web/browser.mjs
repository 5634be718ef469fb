// Headless Chromium through Playwright, with a list of all that must not happen.
import { createRequire } from "node:module";
import { join } from "node:path";

export async function openBrowser(modules, chromium) {
  const playwright = createRequire(join(modules, "x.js"))("playwright-core");
  return playwright.chromium.launch({
    executablePath: chromium,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });
}

// A page that counts errors on its console and requests beyond its own address.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const bad = [];
  page.on("console", (message) => message.type() === "error" && bad.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => bad.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    bad.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    const to = request.url();
    if (to !== url && !to.startsWith("data:") && !to.startsWith("blob:")) bad.push(`request: ${to}`);
  });
  await page.goto(url);
  return { page, bad, close: () => context.close() };
}

export async function shown(page, what, timeout = 60000) {
  await page.waitForFunction((wanted) => document.getElementById("viewer").dataset.shown?.includes(wanted), what, { timeout });
}

// How many pixels of the canvas are not black: has anything been drawn?
export async function brightPixels(page, id = "canvas-main") {
  const shot = await page.locator(`#${id}`).screenshot();
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
    let count = 0;
    for (let i = 0; i < bytes.length; i += 4) count += bytes[i] + bytes[i + 1] + bytes[i + 2] > 90;
    return count;
  }, shot.toString("base64"));
}
