// The state of the board page: the game, who plays, what the engine says, and what is stored where.
//
// One object, changed by its methods; every change is told to whoever draws. A game is stored after every change, with the tag of the version that it
// came from, so that two windows cannot overwrite each other. What could not be stored yet is kept in the browser as well.

import { Game } from "../go/game.js";
import { BLACK, WHITE, letterOf, nameOf } from "../go/position.js";
import { PASS, fromGtp, toGtp } from "../go/vertex.js";
import { Analysis } from "../net/analysis.js";
import { Refused, getJson, loadGame, readRecord, storeGame } from "../net/api.js";
import { ask } from "../net/desk.js";
import { Clock } from "./clock.js";
import { GameReview } from "./review.js";

const memory = {
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`tesuji.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      if (value === undefined) localStorage.removeItem(`tesuji.${name}`);
      else localStorage.setItem(`tesuji.${name}`, JSON.stringify(value));
    } catch {
      // Without storage everything works but for this.
    }
  },
};
export { memory };

const newId = () => {
  const now = new Date().toISOString().slice(0, 16).replaceAll(":", "").replace("T", "-");
  return `${now}-${Math.random().toString(36).slice(2, 6)}`;
};

/** Visits of each position when a whole game is looked at. */
const SWEEP_VISITS = 200;
const RETRY = 1500;

export class Model {
  constructor(changed) {
    this.changed = changed;
    this.version = 0;
    this.about = { rules: [], levels: [] };
    this.game = null;
    this.id = null;
    this.tag = null;
    this.saved = "new";
    this.message = null;
    this.thinking = null;
    this.count = null;
    this.sweeping = false;
    this.shows = memory.get("shows", { analysis: false, ownership: true, policy: false });
    this.analysis = new Analysis(
      () => this.tell(),
      (error) => this.say(`The engine cannot analyse this: ${error}`, "error"),
    );
    this.review = new GameReview(
      () => this.tell(),
      (error) => this.say(`This game cannot be reviewed: ${error}.`, "error"),
    );
    this.clock = null;
    document.addEventListener("visibilitychange", () => this.#look());
  }

  tell() {
    this.version++;
    this.changed();
  }

  say(text, kind = "info") {
    this.message = text ? { text, kind } : null;
    this.tell();
  }

  async start(id) {
    this.about = await getJson("/api/about").catch(() => this.about);
    const wanted = id ?? memory.get("game");
    const draft = memory.get("draft");
    if (draft && (!wanted || draft.id === wanted)) {
      // Something was not stored when the page was left.
      this.#take(Game.fromSgf(draft.sgf), draft.id, draft.tag);
      this.save();
      return;
    }
    if (wanted) {
      try {
        const { sgf, tag } = await loadGame(wanted);
        this.#take(Game.fromSgf(sgf), wanted, tag);
        return;
      } catch (error) {
        if (!(error instanceof Refused && error.status === 404)) this.say(`The game cannot be loaded: ${error.message}`, "error");
      }
    }
    await this.begin({ side: 9, engine: "W", level: "12k" });
  }

  /** Shows another game. */
  #take(game, id, tag) {
    this.stopThinking();
    this.analysis.rest();
    this.analysis.stopSweep();
    this.review.forget();
    this.sweeping = false;
    this.count = null;
    this.game = game;
    this.id = id;
    this.tag = tag;
    this.saved = tag ? "saved" : "new";
    const path = memory.get("path");
    game.node = path?.id === id ? game.follow(path.path) : game.mainEnd();
    this.#remember();
    this.clock = Clock.of(game);
    // A game that has a result is looked at; one without goes on where it was.
    this.arrive({ isLooking: game.result !== "" });
  }

  /** A new game: {width, height or side, rules, komi, handicap, engine, level, seconds, main, period, periods}. */
  async begin(wish) {
    const { width = wish.side, height = wish.side, engine, level, seconds, main, period, periods } = wish;
    const named = wish.rules ?? "chinese";
    const { komi: usual, record: rules } = this.about.rules.find(({ name }) => name === named) ?? { komi: 7.5, record: { RU: named } };
    const count = wish.handicap ?? 0;
    const komi = wish.komi ?? (count >= 2 ? 0.5 : usual);
    let handicap = [];
    if (count >= 2) {
      const { points } = await getJson(`/api/handicap?width=${width}&height=${height}&count=${count}`);
      handicap = points.map((name) => fromGtp(name, width, height));
    }
    const machine = level ? `Tesuji ${level}` : "Tesuji";
    const black = engine === "B" ? machine : engine === "W" ? "You" : "";
    const white = engine === "W" ? machine : engine === "B" ? "You" : "";
    const game = Game.begin({ width, height, rules, komi, handicap, black, white, terms: { engine, level, seconds, main, period, periods } });
    this.message = null;
    if (engine) this.shows = { ...this.shows, analysis: false };
    this.#take(game, newId(), null);
  }

  async open(id) {
    try {
      const { sgf, tag } = await loadGame(id);
      this.#take(Game.fromSgf(sgf), id, tag);
      this.say(null);
    } catch (error) {
      this.say(`The game cannot be opened: ${error.message}.`, "error");
    }
  }

  /** Reads a record; if it cannot be read, what is on the board stays. */
  async read(bytes, name) {
    try {
      const { games, warnings } = await readRecord(bytes);
      const game = Game.fromSgf(games[0]);
      game.terms = {};
      memory.set("path", undefined);
      this.#take(game, newId(), null);
      game.node = game.root;
      this.shows.analysis = true;
      const notes = [...warnings];
      if (games.length > 1) notes.unshift(`the first of ${games.length} games is shown`);
      this.say(notes.length > 0 ? `${name}: ${notes.join("; ")}.` : null);
      this.save();
      this.arrive();
    } catch (error) {
      this.say(`${name} cannot be read: ${error.message}. Your game is still here.`, "error");
    }
  }

  #remember() {
    memory.set("game", this.id);
    memory.set("path", { id: this.id, path: this.game.pathOf() });
    const address = `#/board/${this.id}`;
    if (/^#\/(board|$)|^$/.test(location.hash) && location.hash !== address) history.replaceState(null, "", address);
  }

  /** The game was changed: keep it. */
  save() {
    this.isDirty = true;
    this.saved = "saving";
    memory.set("draft", { id: this.id, sgf: this.game.toSgf(), tag: this.tag });
    if (!this.isStoring) this.#store();
  }

  async #store() {
    this.isStoring = true;
    while (this.isDirty) {
      this.isDirty = false;
      const { id } = this;
      try {
        const tag = await storeGame(id, this.game.toSgf(), this.tag);
        if (id === this.id) this.tag = tag;
        if (!this.isDirty) {
          this.saved = "saved";
          memory.set("draft", undefined);
        }
      } catch (error) {
        if (error.status === 409) {
          // Two windows went different ways: this one goes on as a game of its own, and nothing is lost.
          this.id = newId();
          this.tag = null;
          this.isDirty = true;
          this.#remember();
          this.message = { text: "The game was changed in another window. What you have here is kept as a copy.", kind: "info" };
        } else {
          this.saved = "failed";
          this.isDirty = true;
          if (error.status !== 0) this.message = { text: `The game cannot be stored: ${error.message}.`, kind: "error" };
          this.tell();
          await new Promise((resume) => setTimeout(resume, RETRY));
        }
      }
      this.tell();
    }
    this.isStoring = false;
  }

  get position() {
    return this.game.position();
  }

  get rules() {
    const wanted = this.game.rules.toLowerCase().replace(/[\s_]/g, "-");
    const isMeant = ({ name, record }) => name === wanted || (!record.XRU && record.RU.toLowerCase() === wanted);
    return this.about.rules.find(isMeant) ?? { ko: "SIMPLE", suicide: false };
  }

  /** Whether the engine is to move here. */
  get isEngineTurn() {
    return this.game.engineColor !== 0 && this.position.toMove === this.game.engineColor && !this.isEnded;
  }

  /** Whether the game has ended here, by result or passes. */
  get isEnded() {
    return this.game.isOver() || (this.game.result !== "" && this.game.node.children.length === 0 && this.game.node === this.game.mainEnd());
  }

  get isPlaying() {
    return this.game.engineColor !== 0;
  }

  go(node) {
    if (!node || node === this.game.node) return;
    this.stopThinking();
    this.count = null;
    this.game.node = node;
    this.arrive({ isLooking: true });
  }

  step(by) {
    let node = this.game.node;
    for (let i = 0; i < Math.abs(by); i++) node = (by < 0 ? node.parent : node.children[0]) ?? node;
    this.go(node);
  }

  sibling(by) {
    const siblings = this.game.node.parent?.children ?? [];
    const at = siblings.indexOf(this.game.node);
    this.go(siblings[at + by]);
  }

  /** Somebody plays here. */
  play(point) {
    if (this.thinking || this.isEngineTurn && !this.isLooking) return;
    if (this.count) return this.toggleDead(point);
    const reason = this.game.illegal(point, this.rules);
    if (reason) {
      if (reason === "ko") this.say("This is a ko: play somewhere else first.");
      else if (reason === "superko") this.say("The rules forbid to repeat this position.");
      else if (reason === "suicide") this.say("A stone there would have no liberties.");
      return;
    }
    this.message = null;
    this.#make(point);
  }

  /** Makes a move, on the clock. */
  #make(point) {
    if (this.clock && !this.clock.press(this.position.toMove)) return this.lose(this.position.toMove, "T");
    const isNew = this.game.play(point, { isMain: this.isPlaying });
    this.clock?.write(isNew);
    if (this.isPlaying && this.game.result) this.game.root.set("RE");
    this.save();
    this.arrive();
  }

  pass() {
    if (!this.count && !this.game.isOver()) this.play(PASS);
  }

  /** We are at another node: draw it, look at it, answer if it is the engine's turn. */
  arrive({ isLooking = false } = {}) {
    this.isLooking = isLooking;
    this.#remember();
    this.clock?.read(this.game, this.game.node);
    if (this.game.isOver() && !isLooking) this.countUp();
    else if (this.isEngineTurn && !isLooking) this.answer();
    else if (this.clock && this.isPlaying && !this.isEnded && !isLooking && this.game.moveNumber() > 0) this.clock.start(this.position.toMove, () => this.#tick());
    this.#look();
    this.tell();
  }

  #tick() {
    if (this.clock.isOut) this.lose(this.position.toMove, "T");
    else this.tell();
  }

  lose(color, how) {
    this.clock?.stop();
    this.stopThinking();
    this.game.root.set("RE", `${letterOf(-color)}+${how}`);
    this.say(how === "T" ? `${nameOf(color)} has run out of time.` : `${nameOf(color)} resigns.`);
    this.save();
    this.#look();
  }

  resign() {
    const color = this.isPlaying ? -this.game.engineColor : this.position.toMove;
    this.lose(color, "R");
  }

  /** Back to before the person's last move; what was played stays as a variation. */
  undo() {
    this.stopThinking();
    this.count = null;
    const own = -this.game.engineColor;
    let node = this.game.node;
    if (this.game.result && this.isPlaying) this.game.root.set("RE");
    do node = node.parent ?? node;
    while (node.parent && this.isPlaying && this.game.position(node).toMove !== own);
    this.game.node = node;
    this.message = null;
    this.save();
    this.arrive({ isLooking: this.isPlaying && this.game.position(node).toMove !== own });
  }

  /** Goes on from here with the engine's answer. */
  resume() {
    this.isLooking = false;
    this.arrive();
  }

  async answer() {
    const { game } = this;
    const node = game.node;
    const { level, seconds } = game.terms;
    const order = { do: "answer", position: game.query() };
    // In games of earlier versions a level is a number.
    if (level) order.level = /^\d+$/.test(level) ? "12k" : level;
    if (seconds) order.seconds = Number(seconds);
    if (this.clock) {
      order.clock = this.clock.state(game.engineColor);
      this.clock.start(game.engineColor, () => this.#tick());
    }
    this.analysis.rest();
    const question = ask(order);
    this.thinking = question;
    this.tell();
    try {
      const found = await question;
      if (this.thinking !== question || game !== this.game || game.node !== node) return;
      this.thinking = null;
      if (found.move === "resign") return this.lose(game.engineColor, "R");
      this.#make(fromGtp(found.move, game.width, game.height));
      if (found.move === "pass" && !game.isOver()) this.say("Tesuji passes.");
    } catch (error) {
      if (this.thinking === question) {
        this.thinking = null;
        this.say(`The engine cannot move: ${error.message}.`, "error");
      }
    }
  }

  stopThinking() {
    this.thinking?.cancel();
    this.thinking = null;
    this.clock?.stop();
  }

  /** Both have passed: who owns what? */
  async countUp(dead) {
    const { game } = this;
    const node = game.node;
    this.clock?.stop();
    this.count = { ...(this.count ?? { dead: new Set(), owners: "" }), isBusy: true };
    this.tell();
    try {
      const order = { do: "count", position: game.query() };
      if (dead) order.dead = [...dead].map((point) => toGtp(point, game.width, game.height));
      const counted = await ask(order);
      if (game !== this.game || game.node !== node) return;
      const points = counted.dead.map((name) => fromGtp(name, game.width, game.height));
      this.count = { ...counted, dead: new Set(points), isBusy: false };
      if (game.node === game.mainEnd()) {
        game.root.set("RE", counted.result);
        this.save();
      }
    } catch (error) {
      this.count = null;
      this.say(`The game cannot be counted: ${error.message}.`, "error");
    }
    this.tell();
  }

  toggleDead(point) {
    if (point < 0 || this.position.stones[point] === 0 || this.count.isBusy) return;
    const dead = new Set(this.count.dead);
    const { stones } = this.position.chain(point);
    const isDead = dead.has(point);
    stones.forEach((stone) => (isDead ? dead.delete(stone) : dead.add(stone)));
    this.countUp(dead);
  }

  /** The count is agreed. */
  accept() {
    const text = `The game is over: ${this.game.result}.`;
    this.count = { ...this.count, isAccepted: true };
    this.say(text);
    this.save();
  }

  /** Not agreed: the passes are taken back. */
  playOn() {
    this.count = null;
    this.game.root.set("RE");
    let node = this.game.node;
    while (node.parent && this.game.moveOf(node)?.point === PASS) node = node.parent;
    if (this.isPlaying && this.game.position(node).toMove === this.game.engineColor && node.children[0]) node = node.children[0];
    this.game.node = node;
    this.save();
    this.arrive({ isLooking: true });
    this.isLooking = false;
    this.tell();
  }

  show(name, value = !this.shows[name]) {
    this.shows = { ...this.shows, [name]: value };
    memory.set("shows", this.shows);
    this.#look();
    this.tell();
  }

  /** Analyses what is on the board, if that is wanted and nobody thinks. */
  #look() {
    if (!this.game) return;
    if (this.shows.analysis && !this.thinking && !document.hidden && !this.isElsewhere) this.analysis.watch(this.game, this.game.node);
    else this.analysis.rest();
  }

  /** Another page is shown. */
  leave(isElsewhere) {
    this.isElsewhere = isElsewhere;
    this.#look();
  }

  sweep() {
    if (this.sweeping) {
      this.analysis.stopSweep();
      this.sweeping = false;
    } else {
      this.sweeping = true;
      const nodes = this.game.line().filter((node) => (node.analysis?.visits ?? 0) < SWEEP_VISITS);
      if (nodes.length === 0) this.sweeping = false;
      else
        this.analysis.sweep(this.game, nodes, SWEEP_VISITS, () => {
          this.sweeping = false;
          this.tell();
        });
    }
    this.tell();
  }

  /** Goes to where a mistake was made and shows what was better. */
  showMistake(mistake) {
    this.go(this.review.show(mistake));
    this.tell();
  }

  /** Changes what is written in this node. */
  edit(change) {
    change(this.game);
    this.save();
    this.arrive({ isLooking: this.isLooking });
  }

  /** The engine takes the colour, or none. */
  invite(color, level) {
    const terms = { ...this.game.terms, engine: color ? letterOf(color) : undefined };
    if (color && !terms.level && !terms.seconds) terms.level = level ?? "12k";
    this.game.terms = terms;
    this.save();
    this.stopThinking();
    this.arrive();
  }
}
