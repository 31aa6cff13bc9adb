import assert from "node:assert/strict";
import test from "node:test";
import { Game } from "../src/go/game.js";
import { nodesByTurn, sgfAlong } from "../src/view/review.js";

const SGF = "(;SZ[9]C[start];AB[ee];B[cc](;W[gg];B[gc])(;W[dd];C[a word];B[ed]))";

test("the line that is shown becomes the main line, and nothing is lost", () => {
  const game = Game.fromSgf(SGF);
  const other = game.follow([0, 0, 1, 0, 0]);
  const text = sgfAlong(game, game.pathOf(other));
  assert.ok(text.indexOf("W[dd]") < text.indexOf("W[gg]"), text);
  assert.ok(["C[start]", "AB[ee]", "C[a word]", "B[gc]"].every((part) => text.includes(part)), text);
  assert.equal(game.root.children[0].children[0].children[0].get("W"), "gg", "the game itself is as it was");
});

test("nodes without a move belong to the move before, or to the start", () => {
  const game = Game.fromSgf(SGF);
  const nodes = nodesByTurn(game, game.line(game.follow([0, 0, 1])));
  assert.deepEqual(nodes.map((node) => Object.keys(node.props)[0]), ["AB", "B", "W", "B"]);
});
