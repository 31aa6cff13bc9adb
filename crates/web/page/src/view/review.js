// A review of the line that is shown: what the server finds goes to the nodes, what it makes of it is kept here.

import { colorOf } from "../go/position.js";
import { parse, write } from "../go/sgf.js";
import { fromGtp } from "../go/vertex.js";
import { ask } from "../net/desk.js";

/** Seconds that a review may take, by name. */
export const PACES = [["60", "about a minute"], ["240", "up to 4 minutes"], ["1200", "up to 20 minutes"]];

/** The server takes messages of a mebibyte. */
const MOST_TEXT = 900000;

/** The whole game as SGF, with the line to `path` first everywhere: a review looks at the main line. */
export function sgfAlong(game, path) {
  const root = parse(game.toSgf());
  let node = root;
  for (const index of path) {
    node.children.unshift(...node.children.splice(index, 1));
    node = node.children[0];
  }
  return write(root);
}

/** By number of moves: the node of a line after which so many were made. */
export function nodesByTurn(game, line) {
  const nodes = [];
  let made = 0;
  for (const node of line) {
    if (game.moveOf(node)) made++;
    // What comes before the first move belongs to the start.
    if (made === 0 || nodes[made] === undefined) nodes[made] = node;
  }
  return nodes;
}

export class GameReview {
  /** `changed` is called after every change; `fail` with what went wrong. */
  constructor(changed, fail) {
    this.changed = changed;
    this.fail = fail;
    this.forget();
  }

  /** Another game is shown. */
  forget() {
    this.question?.cancel();
    this.question = null;
    this.progress = null;
    this.result = null;
    this.nodes = [];
    this.mistake = null;
  }

  get isRunning() {
    return this.question !== null;
  }

  async start(game, seconds) {
    this.forget();
    const line = game.line();
    const sgf = sgfAlong(game, game.pathOf(line.at(-1)));
    if (sgf.length > MOST_TEXT) return this.fail("the record is too large");
    this.game = game;
    this.nodes = nodesByTurn(game, line);
    this.progress = { done: 0, all: this.nodes.length };
    const question = ask({ do: "review", sgf, seconds }, (progress) => this.question === question && this.#advance(progress));
    this.question = question;
    this.changed();
    try {
      const result = await question;
      if (this.question !== question) return;
      this.question = null;
      this.#keep(result);
    } catch (error) {
      if (this.question !== question) return;
      this.forget();
      this.fail(error.message);
    }
    this.changed();
  }

  /** Ends it with what is known. */
  stop() {
    this.question?.hurry();
  }

  #advance({ values, left, isDeep }) {
    values.forEach((value, turn) => {
      const node = this.nodes[turn];
      if (value && node && !node.analysis) node.analysis = { visits: 0, winRate: value[0], lead: value[1], moves: [], ownership: null, policy: null };
    });
    this.progress = { done: values.filter(Boolean).length, all: values.length, left: isDeep ? left : null };
    this.changed();
  }

  #keep(result) {
    const { width, height } = this.game;
    const point = (name) => fromGtp(name, width, height);
    for (const finding of result.findings) {
      const node = this.nodes[finding.turn];
      if (!node || (node.analysis?.visits ?? 0) > finding.visits) continue;
      node.analysis = {
        visits: finding.visits,
        winRate: finding.win_rate,
        lead: finding.lead,
        ownership: null,
        policy: null,
        moves: finding.candidates.map(({ visits, win_rate, lead, variation }, order) => ({
          point: point(variation[0]), visits, winRate: win_rate, lead, prior: 0, line: variation.map(point), order,
        })),
      };
    }
    const mistakes = result.mistakes.map((mistake) => ({
      ...mistake,
      color: colorOf(mistake.color),
      point: point(mistake.move),
      line: (mistake.better ?? []).map(point),
    }));
    this.result = { ...result, mistakes };
    this.progress = null;
  }

  /** Chooses a mistake and says where it was made. */
  show(mistake) {
    this.mistake = mistake;
    return this.nodes[mistake.number - 1];
  }

  /** The mistake that was made at this node, if it is the one that was chosen. */
  shownAt(node) {
    return this.mistake && this.nodes[this.mistake.number - 1] === node ? this.mistake : null;
  }
}
