// build.mjs MODULES PAGE STATS ATLAS: bundles src/ with the packages in MODULES into one file each: PAGE shows a run, STATS
// a statistical test, ATLAS an atlas of covariates. The script's hash goes into the page's content security policy: nothing else can ever run there.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, page, stats, atlas] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { build } = createRequire(join(modules, "x.js"))("esbuild");

// NiiVue can read Zarr; we never do, and its codecs are more than half of the bundle.
const withoutZarrCodecs = {
  name: "without-zarr-codecs",
  setup(bundle) {
    bundle.onResolve({ filter: /^numcodecs(\/|$)/ }, () => ({ path: "absent", namespace: "absent" }));
    bundle.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "export default null;" }));
  },
};

async function bundle(entry, options) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    nodePaths: [modules],
    logLevel: "error",
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

async function makePage(name, look, entry, file) {
  const script = await bundle(`${entry}.js`, { format: "iife", target: "es2022", charset: "utf8", plugins: [withoutZarrCodecs] });
  const style = await bundle(`${look}.css`, {});
  if (/<\/script|@@[A-Z]+@@/i.test(script)) throw new Error("the script cannot stand inside a page");
  const hash = createHash("sha256").update(script).digest("base64");
  const parts = { "/*STYLE*/": style, "/*SCRIPT*/": script, "SCRIPT-HASH": `sha256-${hash}` };
  const text = readFileSync(join(here, "src", `${name}.html`), "utf8").replace(/\/\*STYLE\*\/|\/\*SCRIPT\*\/|SCRIPT-HASH/g, (part) => parts[part]);
  writeFileSync(file, text);
}

await makePage("page", "style", "main", page);
await makePage("stats", "stats", "stats", stats);
await makePage("atlas", "atlas", "atlas", atlas);
