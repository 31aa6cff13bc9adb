import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../src/go/game.js";
import { BLACK, Position, WHITE } from "../src/go/position.js";
import { parse, write } from "../src/go/sgf.js";
import { fromGtp, fromSgf, pointsOf, toGtp, toSgf } from "../src/go/vertex.js";

test("points have their names", () => {
  assert.equal(toGtp(0, 9, 9), "A9");
  assert.equal(toGtp(8, 9, 7), "J7");
  assert.equal(toGtp(-1, 9, 9), "pass");
  for (let point = -1; point < 63; point++) assert.equal(fromGtp(toGtp(point, 9, 7), 9, 7), point);
  for (let point = 0; point < 63; point++) assert.equal(fromSgf(toSgf(point, 9), 9, 7), point);
  assert.equal(fromGtp("I5", 9, 9), null);
  assert.equal(fromGtp("K1", 9, 9), null);
  assert.deepEqual(pointsOf(["aa:bb", "zz", "cc"], 9, 9), [0, 1, 9, 10, 20]);
});

test("stones are captured, suicide and ko are refused", () => {
  let position = new Position(4, 4);
  //  . X O .     the ko: White takes at B2's left neighbour
  //  X . X O
  //  . X O .
  for (const [color, name] of [[1, "B4"], [1, "A3"], [1, "C3"], [1, "B2"], [-1, "C4"], [-1, "D3"], [-1, "C2"]]) position.set(fromGtp(name, 4, 4), color);
  const inside = fromGtp("B3", 4, 4);
  position.toMove = WHITE;
  const taken = position.play(WHITE, inside);
  assert.equal(taken.stones[fromGtp("C3", 4, 4)], 0);
  assert.equal(taken.captures[WHITE], 1);
  assert.equal(taken.ko, fromGtp("C3", 4, 4));
  assert.equal(taken.play(BLACK, fromGtp("C3", 4, 4)), "ko");
  const later = taken.play(BLACK, -1).play(WHITE, -1);
  assert.equal(later.play(BLACK, fromGtp("C3", 4, 4)).stones[inside], 0);
  assert.equal(position.play(WHITE, fromGtp("A4", 4, 4)), "suicide");
  assert.equal(position.play(WHITE, fromGtp("B4", 4, 4)), "occupied");
});

test("records are read and written", () => {
  const text = "(;GM[1]SZ[9]C[a \\] b \\\\](;B[ee];W[cc])(;B[dd]))\n";
  const root = parse(text);
  assert.equal(root.get("C"), "a ] b \\");
  assert.equal(root.children.length, 2);
  assert.equal(write(root), text);
  for (const bad of ["", "(", "(;B[aa)", "(;B)", "hello", ";B[aa]"]) {
    assert.throws(() => parse(bad), `${bad} is no game`);
  }
  // A thousand moves deep, and nothing recurses.
  const deep = `(;SZ[19]${";B[aa];W[bb]".repeat(5000)})`;
  assert.equal(write(parse(deep)).trim(), deep);
});

test("a game is played, left and taken up again", () => {
  const game = Game.begin({ width: 9, height: 9, rules: { RU: "Chinese" }, komi: 7.5, terms: { engine: "W", level: 3 } });
  assert.equal(game.engineColor, WHITE);
  const first = game.play(fromGtp("E5", 9, 9));
  game.play(fromGtp("C3", 9, 9));
  game.node = first;
  game.play(fromGtp("G7", 9, 9), { isMain: true });
  const again = Game.fromSgf(game.toSgf());
  assert.deepEqual(again.query(again.mainEnd()).moves, [["B", "E5"], ["W", "G7"]]);
  assert.deepEqual(again.terms, { engine: "W", level: "3" });
  assert.equal(again.moveNumber(again.mainEnd()), 2);
  assert.equal(first.children.length, 2);
  game.play(-1);
  game.play(-1);
  assert.ok(game.isOver());
});

test("the rules of repetition are those of the game", () => {
  const game = Game.fromSgf("(;SZ[4]AB[ba][ab][cb][bc]AW[ca][db][cc]PL[W])");
  const [ko, back] = [fromGtp("B3", 4, 4), fromGtp("C3", 4, 4)];
  assert.equal(game.illegal(ko, { ko: "SIMPLE" }), null);
  game.play(ko);
  game.play(-1);
  game.play(-1);
  assert.equal(game.illegal(back, { ko: "SIMPLE" }), null);
  assert.equal(game.illegal(back, { ko: "POSITIONAL" }), "superko");
});

test("rules keep their exact name until another program changes the usual one", () => {
  const rules = { RU: "Chinese", XRU: "Chinese=chinese-ogs" };
  const game = Game.fromSgf(Game.begin({ width: 9, height: 9, rules, komi: 7.5 }).toSgf());
  assert.equal(game.rules, "chinese-ogs");
  assert.equal(game.query().rules, "chinese-ogs");
  game.root.set("RU", "AGA");
  assert.equal(game.rules, "AGA");
});

test("set-up in the middle begins a new position for the engine", () => {
  const game = Game.fromSgf("(;SZ[9]AB[aa];B[ee];W[cc];AW[gg]PL[B];B[gc])");
  const query = game.query(game.mainEnd());
  assert.deepEqual(query.moves, [["B", "G7"]]);
  assert.equal(query.initialStones.length, 4);
  assert.equal(query.initialPlayer, "B");
});

test("marks and set-up stones come and go", () => {
  const game = Game.fromSgf("(;SZ[9];B[ee])");
  game.toggleMark(0, "TR");
  game.toggleMark(0, "LB", "A");
  assert.deepEqual(game.marks().get(0), { label: "A" });
  assert.equal(game.node.props.TR, undefined);
  game.toggleMark(0, "LB", "A");
  assert.equal(game.marks().size, 0);
  game.setUp(5, WHITE);
  assert.equal(game.position().stones[5], WHITE);
  game.setUp(5, WHITE);
  assert.equal(game.position().stones[5], 0);
});
