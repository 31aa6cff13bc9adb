// A game tree with positions: what a person looks at and changes.

import { BLACK, Position, WHITE, colorOf, letterOf } from "./position.js";
import { Node, parse, write } from "./sgf.js";
import { PASS, fromSgf, pointsOf, toGtp, toSgf } from "./vertex.js";

/** The property with what was agreed with the engine; other programs leave it alone. */
const TERMS = "XTS";
/** The exact name of rules whose usual name says less, such as `Chinese=chinese-ogs`; it counts as long as RU says the same. */
const EXACT_RULES = "XRU";

export const MARKS = { TR: "triangle", SQ: "square", CR: "circle", MA: "cross" };

export class Game {
  constructor(root) {
    this.root = root;
    this.node = root;
    const [width, height = width] = (root.get("SZ") ?? "19").split(":").map(Number);
    this.width = width;
    this.height = height;
    this.positions = new Map();
  }

  static fromSgf(text) {
    const game = new Game(parse(text));
    if (!(game.width >= 2 && game.width <= 25 && game.height >= 2 && game.height <= 25))
      throw new Error(`a board of ${game.width} by ${game.height} cannot be shown`);
    return game;
  }

  /** A game before its first move. `rules` are their properties; `terms` says who plays and how fast, see `terms`. */
  static begin({ width, height, rules, komi, handicap = [], black, white, terms }) {
    const root = new Node();
    const set = (name, ...values) => root.set(name, ...values);
    set("GM", "1");
    set("FF", "4");
    set("CA", "UTF-8");
    set("AP", "Tesuji");
    set("SZ", width === height ? String(width) : `${width}:${height}`);
    for (const [name, value] of Object.entries(rules)) set(name, value);
    set("KM", String(komi));
    set("DT", new Date().toISOString().slice(0, 10));
    if (black) set("PB", black);
    if (white) set("PW", white);
    if (handicap.length > 0) {
      set("HA", String(handicap.length));
      set("AB", ...handicap.map((point) => toSgf(point, width)));
      set("PL", "W");
    }
    const game = new Game(root);
    if (terms) game.terms = terms;
    return game;
  }

  toSgf() {
    return write(this.root);
  }

  get rules() {
    const name = this.root.get("RU") ?? "";
    const [word, exact] = (this.root.get(EXACT_RULES) ?? "").split("=");
    return exact && word === name ? exact : name;
  }

  get komi() {
    const komi = Number(this.root.get("KM") ?? "");
    return Number.isFinite(komi) && Math.abs(komi) <= 1000 ? komi : 0;
  }

  get result() {
    return this.root.get("RE") ?? "";
  }

  /** What was agreed with the engine: its colour, level, seconds per move, clock. Empty if it does not play. */
  get terms() {
    const words = (this.root.get(TERMS) ?? "").split(" ").filter(Boolean);
    return Object.fromEntries(words.map((word) => word.split("=")));
  }

  set terms(terms) {
    const words = Object.entries(terms).filter(([, value]) => value !== undefined && value !== "");
    this.root.set(TERMS, words.length > 0 ? words.map(([name, value]) => `${name}=${value}`).join(" ") : undefined);
  }

  /** The colour that the engine plays, or 0. */
  get engineColor() {
    const { engine } = this.terms;
    return engine ? colorOf(engine) : 0;
  }

  /** The move of a node: colour and point. Nothing if it has none. */
  moveOf(node) {
    for (const color of [BLACK, WHITE]) {
      const value = node.get(letterOf(color));
      if (value !== undefined) {
        const point = fromSgf(value, this.width, this.height);
        return point === null ? null : { color, point };
      }
    }
    return null;
  }

  position(node = this.node) {
    const way = [];
    let start = node;
    while (start && !this.positions.has(start.id)) {
      way.push(start);
      start = start.parent;
    }
    let position = start ? this.positions.get(start.id) : new Position(this.width, this.height);
    for (const next of way.reverse()) {
      position = this.#after(position, next);
      this.positions.set(next.id, position);
    }
    return position;
  }

  #after(position, node) {
    const move = this.moveOf(node);
    // A record may hold moves that no rules allow; they are shown as they are.
    const next = move ? position.play(move.color, move.point, { lenient: true }) : position.copy();
    const setUp = [["AB", BLACK], ["AW", WHITE], ["AE", 0]];
    for (const [name, color] of setUp)
      for (const point of pointsOf(node.props[name], this.width, this.height)) next.set(point, color);
    if (node.get("PL")) next.toMove = colorOf(node.get("PL"));
    else if (!move && !node.parent && node.props.AB && !node.props.AW) next.toMove = WHITE;
    return next;
  }

  /** Positions are forgotten from a node on: its stones were changed. */
  forget(node) {
    const open = [node];
    while (open.length > 0) {
      const next = open.pop();
      this.positions.delete(next.id);
      next.analysis = null;
      open.push(...next.children);
    }
  }

  /** Why a move is not allowed here by these rules (`{ko, suicide}`), or nothing. */
  illegal(point, rules, node = this.node) {
    const position = this.position(node);
    const color = position.toMove;
    const next = position.play(color, point, { suicide: rules?.suicide });
    if (typeof next === "string") return next;
    if (point < 0 || !rules || rules.ko === "SIMPLE") return null;
    const key = next.key;
    for (let before = node; before; before = before.parent) {
      const old = this.position(before);
      if (old.key === key && (rules.ko === "POSITIONAL" || old.toMove === next.toMove)) return "superko";
    }
    return null;
  }

  /** Goes on with a move, along a line that is there or a new one. `isMain` makes it the main line. */
  play(point, { isMain = false } = {}) {
    const color = this.position().toMove;
    const value = toSgf(point, this.width);
    const name = letterOf(color);
    let child = this.node.children.find((child) => {
      const move = this.moveOf(child);
      return move && move.color === color && move.point === point;
    });
    if (!child) {
      child = new Node(this.node);
      child.set(name, value);
      this.node.children.push(child);
    }
    if (isMain) {
      const siblings = this.node.children;
      siblings.splice(siblings.indexOf(child), 1);
      siblings.unshift(child);
    }
    this.node = child;
    return child;
  }

  /** The line through the current node: all the way up, then down the first variations. */
  line(node = this.node) {
    const nodes = [];
    for (let up = node; up; up = up.parent) nodes.unshift(up);
    for (let down = node.children[0]; down; down = down.children[0]) nodes.push(down);
    return nodes;
  }

  /** The way of a node as numbers of children. */
  pathOf(node = this.node) {
    const path = [];
    for (; node.parent; node = node.parent) path.unshift(node.parent.children.indexOf(node));
    return path;
  }

  follow(path) {
    let node = this.root;
    for (const index of path) {
      if (!node.children[index]) break;
      node = node.children[index];
    }
    return node;
  }

  mainEnd() {
    let node = this.root;
    while (node.children[0]) node = node.children[0];
    return node;
  }

  remove(node) {
    if (!node.parent) return;
    const siblings = node.parent.children;
    siblings.splice(siblings.indexOf(node), 1);
    if (!this.isWithin(this.root)) this.node = node.parent;
    for (let up = this.node; up; up = up.parent) if (up === node) this.node = node.parent;
  }

  isWithin(root) {
    for (let up = this.node; up; up = up.parent) if (up === root) return true;
    return false;
  }

  moveNumber(node = this.node) {
    let number = 0;
    for (let up = node; up; up = up.parent) if (this.moveOf(up)) number++;
    return number;
  }

  /** Whether both have passed. */
  isOver(node = this.node) {
    const passes = [node, node.parent].map((one) => one && this.moveOf(one));
    return passes.every((move) => move && move.point === PASS) && passes[0].color !== passes[1].color;
  }

  /**
   * A position in the words of the analysis protocol. The last set-up is where it begins: what was before it is not to be repeated by moves.
   */
  query(node = this.node) {
    const { width, height } = this;
    const line = [];
    let start = node;
    for (; start.parent; start = start.parent) {
      if (!this.moveOf(start) || ["AB", "AW", "AE", "PL"].some((name) => start.props[name])) break;
      line.unshift(start);
    }
    const first = this.position(start);
    const stones = [];
    first.stones.forEach((color, point) => {
      if (color !== 0) stones.push([letterOf(color), toGtp(point, width, height)]);
    });
    return {
      boardXSize: width,
      boardYSize: height,
      rules: this.rules || "chinese",
      komi: this.komi,
      initialStones: stones,
      initialPlayer: letterOf(first.toMove),
      moves: line.map((one) => {
        const move = this.moveOf(one);
        return [letterOf(move.color), toGtp(move.point, width, height)];
      }),
    };
  }

  /** Marks of a node by point: {shape} or {label}. */
  marks(node = this.node) {
    const marks = new Map();
    for (const [name, shape] of Object.entries(MARKS))
      for (const point of pointsOf(node.props[name], this.width, this.height)) marks.set(point, { shape });
    for (const value of node.props.LB ?? []) {
      const [at, ...text] = value.split(":");
      const point = fromSgf(at, this.width, this.height);
      if (point !== null && point >= 0) marks.set(point, { label: text.join(":").slice(0, 4) });
    }
    return marks;
  }

  /** Puts a mark on a point, or takes it away if it is there already. */
  toggleMark(point, name, label) {
    const { node, width, height } = this;
    const at = toSgf(point, width);
    const had = (node.props[name] ?? []).some((value) => value === at || value.startsWith(at + ":"));
    for (const other of [...Object.keys(MARKS), "LB"]) {
      const kept = other === "LB"
        ? (node.props.LB ?? []).filter((value) => !value.startsWith(at + ":"))
        : pointsOf(node.props[other], width, height).filter((one) => one !== point).map((one) => toSgf(one, width));
      node.set(other, ...kept);
    }
    if (!had) node.set(name, ...(node.props[name] ?? []), name === "LB" ? `${at}:${label}` : at);
  }

  /** The first letter that is no label here. */
  nextLabel() {
    const used = new Set((this.node.props.LB ?? []).map((value) => value.slice(3)));
    return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? "•";
  }

  /** Puts a stone of a colour on a point, or takes it away; in a node of its own if this one has a move. */
  setUp(point, color) {
    if (this.moveOf(this.node) || this.node.children.length > 0) {
      const child = new Node(this.node);
      this.node.children.push(child);
      this.node = child;
    }
    const { node, width, height } = this;
    const before = node.parent ? this.position(node.parent).stones[point] : 0;
    const now = this.position().stones[point];
    for (const name of ["AB", "AW", "AE"]) {
      const kept = pointsOf(node.props[name], width, height).filter((one) => one !== point);
      node.set(name, ...kept.map((one) => toSgf(one, width)));
    }
    const wanted = now === color ? 0 : color;
    if (wanted !== before) {
      const name = wanted === BLACK ? "AB" : wanted === WHITE ? "AW" : "AE";
      node.set(name, ...(node.props[name] ?? []), toSgf(point, width));
    }
    this.forget(node);
  }
}
