// serve_test.mjs: `aladdin report --serve` gives its page to its own browser and nothing to anybody else.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brightPixels, openBrowser, openPage, shown } from "./browser.mjs";
import { makeRun } from "./make_run.mjs";

const [aladdin, modules, chromium] = process.env.REPORT_TEST.split("|");
const folder = mkdtempSync(join(tmpdir(), "aladdin-serve-"));
let server;
let port;

before(async () => {
  const run = makeRun(aladdin, join(folder, "made"), { ids: ["one", "two", "three"] });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(run, ".hidden"), "secret");
  symlinkSync(join(folder, "secret.txt"), join(run, "link.txt"));
  server = spawn(aladdin, ["report", run, "--serve", "--port", "0", "--embed", "0", "--threads", "1"], { stdio: ["ignore", "pipe", "inherit"] });
  port = await new Promise((resolve, reject) => {
    server.stdout.on("data", (data) => resolve(Number(/:(\d+)\//.exec(data)[1])));
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
});
after(() => {
  server?.removeAllListeners("exit");
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

// The bytes as they are: fetch() would tidy a path up.
function ask(lines, address = "127.0.0.1") {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address, () => socket.write(lines.join("\r\n") + "\r\n\r\n"));
    let text = "";
    socket.setEncoding("latin1").setTimeout(30000);
    socket.on("data", (data) => (text += data));
    socket.on("end", () => resolve({ status: Number(text.split(" ")[1]), text }));
    socket.on("error", reject);
  });
}
const get = (path, ...headers) => ask([`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers]);

test("files of the run, read only", async () => {
  const { status, text } = await get("/run/0/metrics.csv");
  assert.equal(status, 200);
  assert.match(text, /epoch,step,fraction/);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) assert.equal((await ask([`${method} /run/0/metrics.csv HTTP/1.1`, `Host: localhost:${port}`])).status, 405);
  assert.equal((await get("/data/0-atlas")).status, 200);
  assert.equal((await get("/data/0-subject-9")).status, 404);
});

test("nothing outside the run", async () => {
  const paths = ["/run/0/../../secret.txt", "/run/0/..%2f..%2fsecret.txt", "/run/0/%2e%2e/%2e%2e/secret.txt", "/run/0/link.txt", "/run/0/.hidden", "/run/0//etc/passwd", "/run/0/%2fetc/passwd",
    "/etc/passwd", "/../etc/passwd", "//etc/passwd", "/run/1/run.json", "/run/-1/run.json", "/run/0/..\\..\\secret.txt", "/run/0/run.json%00.csv", "/run/0/transforms", "/run/0/", "/run/0/%", "http://127.0.0.1/run/0/run.json"];
  for (const path of paths) {
    const { status, text } = await get(path);
    assert.ok(status === 400 || status === 404, `${path}: ${status}`);
    assert.doesNotMatch(text, /secret\n?$|root:/);
  }
});

test("nothing for other hosts and origins", async () => {
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1:${port + 1}`, `127.0.0.1:${port}.evil.example`]) assert.equal((await ask(["GET / HTTP/1.1", `Host: ${host}`])).status, 403, host);
  assert.equal((await ask(["GET / HTTP/1.1"])).status, 403);
  assert.equal((await ask(["GET / HTTP/1.1", `Host: 127.0.0.1:${port}`, "Host: evil.example"])).status, 400);
  assert.equal((await get("/", "Origin: https://evil.example")).status, 403);
  assert.equal((await get("/run/0/run.json", "Sec-Fetch-Site: cross-site")).status, 403);
  assert.equal((await ask(["nonsense"])).status, 400);
});

test("nobody but this machine can connect", async () => {
  const outside = Object.values(networkInterfaces()).flat().find((address) => address.family === "IPv4" && !address.internal);
  if (outside) await assert.rejects(ask(["GET / HTTP/1.1", `Host: 127.0.0.1:${port}`], outside.address), /ECONNREFUSED/);
});

test("subjects that the page does not hold are fetched", async () => {
  const browser = await openBrowser(modules, chromium);
  const url = `http://127.0.0.1:${port}/`;
  const { page, bad } = await openPage(browser, url);
  await shown(page, "0/atlas");
  await page.check("input[value=after]", { force: true });
  await shown(page, "0/after");
  assert.ok((await brightPixels(page)) > 2000);
  assert.deepEqual(bad.filter((what) => !what.startsWith(`request: ${url}data/`)), []);
  assert.ok(bad.some((what) => what.includes("data/0-subject-")));
  assert.match(await page.locator("ul.files a").first().getAttribute("href"), /^run\/0\//);
  await browser.close();
});
