// install.mjs NPM FOLDER: what package-lock.json names into FOLDER/node_modules, from npm's cache where
// it is there. A failure is one sentence.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [npm, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
mkdirSync(folder, { recursive: true });
for (const file of ["package.json", "package-lock.json", ".npmrc"]) copyFileSync(join(here, file), join(folder, file));
const result = spawnSync(npm, ["ci", "--prefer-offline", "--no-progress", "--fetch-retries=1"], { cwd: folder, encoding: "utf8" });
if (result.status !== 0) {
  const said = `${result.stderr ?? ""}${result.error ?? ""}`;
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/i.test(said);
  const line = said.split("\n").find((text) => /(npm error|ERR!)/.test(text)) ?? said.trim().split("\n")[0];
  console.error(
    offline
      ? "error: npm cannot reach its registry and has not cached the packages of web/package-lock.json; build once with a network"
      : `error: npm could not install the packages of web/package-lock.json: ${line}`,
  );
  process.exit(1);
}
