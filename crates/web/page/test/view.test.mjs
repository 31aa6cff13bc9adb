import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../src/go/game.js";
import { BLACK, WHITE } from "../src/go/position.js";
import { Clock, timeText } from "../src/view/clock.js";
import { build } from "esbuild";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** JSX is no JavaScript until esbuild has seen it. */
async function load(name) {
  const directory = await mkdtemp(join(tmpdir(), "tesuji-page-"));
  const outfile = join(directory, "module.mjs");
  await build({ entryPoints: [new URL(`../src/${name}`, import.meta.url).pathname], outfile, bundle: true, format: "esm", jsx: "automatic", jsxImportSource: "preact" });
  const module = await import(pathToFileURL(outfile));
  await rm(directory, { recursive: true });
  return module;
}

test("clocks are written into the record and read again", () => {
  const game = Game.begin({ width: 9, height: 9, rules: { RU: "Chinese" }, komi: 7.5, terms: { engine: "W", main: 60, period: 10, periods: 3 } });
  const clock = Clock.of(game);
  clock.left[BLACK] = { main: 12.5, period: 10, periods: 3 };
  clock.left[WHITE] = { main: 0, period: 10, periods: 2 };
  clock.write(game.play(0));
  const again = Game.fromSgf(game.toSgf());
  const read = Clock.of(again);
  read.read(again, again.mainEnd());
  assert.deepEqual(read.left, clock.left);
  assert.deepEqual(read.state(WHITE), { mainLeft: 0, period: 10, periodsLeft: 2 });
  assert.equal(Clock.of(Game.fromSgf("(;SZ[9])")), null);
  assert.equal(timeText(3725), "1:02:05");
  assert.equal(timeText(59.2), "1:00");
});

test("no two nodes of a tree share a place, and lines go to the right", async () => {
  const { layout } = await load("view/tree.jsx");
  const game = Game.fromSgf("(;SZ[9](;B[aa](;W[ba];B[bb](;W[cc])(;W[dd];B[ee]))(;W[ca];B[cb]))(;B[da];W[db];B[dc];W[dd]))");
  const places = layout(game.root);
  const seen = new Set([...places.values()].map(String));
  assert.equal(seen.size, places.size);
  for (const [node, [column, row]] of places) {
    assert.equal(column, node.depth);
    if (node.parent) assert.ok(row >= places.get(node.parent)[1]);
    if (node.parent?.children[0] === node) assert.equal(row, places.get(node.parent)[1]);
  }
});

test("tables with quotes are read", async () => {
  const { readCsv } = await load("view/labpage.jsx");
  const { head, rows } = readCsv('# made by hand\na,"b, c",d\n1,"say ""x""",\n');
  assert.deepEqual(head, ["a", "b, c", "d"]);
  assert.deepEqual(rows, [["1", 'say "x"', ""]]);
});

test("ticks are round and within the axis", async () => {
  const { ticks } = await load("view/chart.jsx");
  assert.deepEqual(ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(ticks(3, 47, 5), [10, 20, 30, 40]);
});
