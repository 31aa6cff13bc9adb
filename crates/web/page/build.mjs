// Builds the page into ../assets, or into the directory named on the command line. The same sources give the same bytes.
import { build } from "esbuild";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "assets");
await mkdir(target, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.jsx" },
  outdir: target,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
for (const name of ["index.html", "icon.svg"]) await copyFile(join(here, name), join(target, name));
