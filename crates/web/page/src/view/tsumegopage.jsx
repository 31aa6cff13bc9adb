// The tsumego page: set up or load a problem, have it solved, walk through the proof.
//
// The server proves every position anew (see solve.rs), so each step of a walk is a question with the moves so far. A position is kept in the address of no
// server: it lives in the browser until it is saved.

import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { BLACK, Position, WHITE, colorOf, letterOf, nameOf } from "../go/position.js";
import { Game } from "../go/game.js";
import { PASS, fromGtp, pointsOf, toGtp, toSgf } from "../go/vertex.js";
import { getText, readRecord } from "../net/api.js";
import { ask } from "../net/desk.js";
import { Board } from "./board.jsx";
import { Button, Choice, Message, chooseFile, download } from "./common.jsx";
import { memory } from "./model.js";

const SECONDS = 30;
const GOALS = [["", "find out"], ["kill", "kill"], ["live", "live"], ["capture", "capture"], ["save", "save"]];

/** A problem as it is set up: what the solver reads, with sets instead of lists. */
function emptyProblem(side = 9) {
  return { width: side, height: side, stones: Array(side * side).fill(0), toMove: BLACK, goal: "", target: [], region: [], outside: "", ko: [], name: "" };
}

function fromJson(line) {
  const [width, height = width] = [line.size].flat();
  const read = (names) => pointsOf(names, width, height);
  const problem = { ...emptyProblem(), width, height, stones: Array(width * height).fill(0) };
  read(line.black).forEach((point) => (problem.stones[point] = BLACK));
  read(line.white).forEach((point) => (problem.stones[point] = WHITE));
  return {
    ...problem,
    toMove: colorOf(line.to_move),
    goal: line.goal ?? "",
    target: read(line.target),
    region: Array.isArray(line.region) && typeof line.region[0] === "string" ? read(line.region) : [],
    outside: line.outside ?? "",
    ko: read(line.ko),
    name: line.id ?? "",
  };
}

function toJson(problem) {
  const { width, stones } = problem;
  const names = (points) => points.map((point) => toSgf(point, width));
  const of = (color) => names(stones.map((stone, point) => (stone === color ? point : -1)).filter((point) => point >= 0));
  const line = { id: problem.name, size: [width, problem.height], black: of(BLACK), white: of(WHITE), to_move: letterOf(problem.toMove), target: names(problem.target), ko: names(problem.ko) };
  if (problem.goal) line.goal = problem.goal;
  if (problem.region.length > 0) {
    line.region = names(problem.region);
    if (problem.outside) line.outside = problem.outside;
  }
  return line;
}

/** The problem at the root of a record: stones, TR for the target, SQ or MA for the region. */
function fromRecord(sgf) {
  const game = Game.fromSgf(sgf);
  let node = game.root;
  while (node.children[0] && !game.moveOf(node.children[0])) node = node.children[0];
  const position = game.position(node);
  const { width, height } = game;
  const first = node.children[0] ? game.moveOf(node.children[0]) : null;
  const target = pointsOf(node.props.TR, width, height).filter((point) => position.stones[point] !== 0);
  const region = ["SQ", "MA"].flatMap((name) => pointsOf(node.props[name], width, height));
  return { ...emptyProblem(), width, height, stones: [...position.stones], toMove: node.get("PL") ? colorOf(node.get("PL")) : first?.color ?? position.toMove, target, region, name: game.root.get("GN") ?? "" };
}

/** What becomes of the stones after moves. */
function positionAfter(problem, moves) {
  let position = new Position(problem.width, problem.height);
  position.stones.set(problem.stones);
  position.toMove = problem.toMove;
  position.ko = problem.ko[0] ?? -1;
  for (const [color, point] of moves) {
    const next = position.play(color, point);
    if (typeof next === "string") return { position, error: next };
    position = next;
  }
  return { position };
}

class Study {
  constructor(changed) {
    this.changed = changed;
    this.problems = [];
    this.message = null;
    this.load(memory.get("problem") ?? emptyProblem());
    getText("/api/problems")
      .then((text) => {
        this.problems = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
        if (!memory.get("problem")) this.load(fromJson(this.problems[0]));
        this.changed();
      })
      .catch(() => {});
  }

  load(problem) {
    this.question?.cancel();
    this.problem = problem;
    this.moves = [];
    /** What was proved, by the moves that lead there. */
    this.known = new Map();
    this.progress = null;
    this.isSolving = false;
    this.start = null;
  }

  edit(change) {
    const problem = { ...this.problem, stones: [...this.problem.stones], target: [...this.problem.target], region: [...this.problem.region] };
    change(problem);
    problem.target = problem.target.filter((point) => problem.stones[point] !== 0);
    this.load(problem);
    memory.set("problem", problem);
    this.message = null;
    this.changed();
  }

  say(text, kind = "info") {
    this.message = text ? { text, kind } : null;
    this.changed();
  }

  get key() {
    return this.moves.map(([, point]) => point).join(" ");
  }

  get solution() {
    return this.known.get(this.key);
  }

  async solve() {
    this.question?.cancel();
    const { key, moves, problem } = this;
    if (this.known.has(key)) {
      this.isSolving = false;
      return this.changed();
    }
    const name = (point) => toGtp(point, problem.width, problem.height);
    this.isSolving = true;
    this.progress = { nodes: 0, seconds: 0, limit: SECONDS };
    this.message = null;
    this.changed();
    const question = ask(
      {
        do: "solve",
        question: {
          problem: this.start ?? toJson(problem),
          moves: moves.map(([color, point]) => [letterOf(color), name(point)]),
          seconds: SECONDS,
        },
      },
      (progress) => {
        this.progress = progress;
        this.changed();
      },
    );
    this.question = question;
    try {
      const solution = await question;
      if (this.question !== question) return;
      this.known.set(key, solution);
      // From here on the region and the target that were found are meant.
      if (moves.length === 0) this.start = solution.problem;
      this.isSolving = false;
      this.changed();
    } catch (error) {
      if (this.question !== question) return;
      this.isSolving = false;
      this.say(`This cannot be solved: ${error.message}.`, "error");
    }
  }

  stop() {
    this.question?.hurry();
  }

  /** Tries a move of the side to move, and has what comes of it proved. */
  walk(point) {
    const { position } = positionAfter(this.problem, this.moves);
    const next = position.play(position.toMove, point);
    if (typeof next === "string") return this.say(next === "ko" ? "This is a ko: a threat elsewhere comes first." : next === "suicide" ? "A stone there would have no liberties." : null);
    this.moves = [...this.moves, [position.toMove, point]];
    this.solve();
  }

  /** A ko threat elsewhere and its answer: both pass here. */
  threaten() {
    const { position } = positionAfter(this.problem, this.moves);
    this.moves = [...this.moves, [position.toMove, PASS], [-position.toMove, PASS]];
    this.solve();
  }

  back(to) {
    this.moves = this.moves.slice(0, to);
    this.message = null;
    this.solve();
  }
}

const EDIT_TOOLS = { black: "Black stones", white: "White stones", target: "Target", region: "Region" };

function Verdict({ study, onLine }) {
  const { solution, problem } = study;
  const name = { lives: "lives", dies: "dies", ko: "ko", unknown: "unknown" }[solution.fate];
  const wrong = solution.refutations.map((line) => line.moves[0]);
  const fair = solution.right.filter((move) => !solution.best.includes(move));
  const chips = (list, tone, lines) => list.map((move) => (
    <Button key={move} class={`chip ${tone}`} onMouseEnter={() => lines && onLine(lines(move))} onMouseLeave={() => onLine(null)} onFocus={() => lines && onLine(lines(move))} onBlur={() => onLine(null)} onClick={() => study.walk(fromGtp(move, problem.width, problem.height))}>
      {move}
    </Button>
  ));
  const refutation = (move) => solution.refutations.find((line) => line.moves[0] === move);
  const mainLine = (move) => (solution.line.moves[0] === move ? solution.line : null);
  return (
    <section class="card" aria-live="polite">
      <div class="verdict">
        <span class={`badge ${solution.fate}`}>{solution.ko ? solution.ko.name : name}</span>
        <span>{solution.words}</span>
      </div>
      {!solution.isOver && (
        <>
          <p class="faint">
            {nameOf(colorOf(solution.toMove))} to {solution.goal}
            {solution.nodes !== undefined && ` · ${solution.nodes.toLocaleString()} positions, ${solution.seconds.toFixed(2)} s`}
          </p>
          {solution.best.length > 0 && (<><h3>{solution.fate === "ko" ? "Best moves: they lead to this ko" : "Right moves"}</h3><div class="moves best-moves">{chips(solution.best, "good", mainLine)}</div></>)}
          {fair.length > 0 && (<><h3>A worse ko</h3><div class="moves">{chips(fair, "fair")}</div></>)}
          {wrong.length > 0 && (
            <>
              <h3>{solution.best.length > 0 ? "Wrong moves, each refuted" : "Nothing works; each move is refuted"}</h3>
              <div class="moves wrong-moves">{chips(wrong, "", refutation)}</div>
            </>
          )}
          {solution.undecided.length > 0 && (<><h3>Not decided</h3><div class="moves">{chips(solution.undecided, "")}</div></>)}
          {solution.line.moves.length > 0 && (
            <p>
              <span class="faint">Best play: </span>
              {solution.line.moves.map((move, i) => `${solution.line.afterThreat.includes(i) ? "(threat) " : ""}${move === "pass" ? "elsewhere" : move}`).join(" ")}
              <span class="faint"> – {solution.line.end}</span>
            </p>
          )}
        </>
      )}
      {solution.remarks.map((remark) => <p key={remark} class="faint">Note: {remark}.</p>)}
    </section>
  );
}

export function TsumegoPage() {
  const [, redraw] = useReducer((n) => n + 1, 0);
  const study = useMemo(() => new Study(redraw), []);
  const [tool, setTool] = useState(null);
  const [line, setLine] = useState(null);
  const { problem, moves, solution } = study;
  const { width, height } = problem;
  const { position } = positionAfter(problem, moves);
  const isEditing = tool !== null;

  const take = async (bytes, name) => {
    try {
      const text = new TextDecoder().decode(bytes).trim();
      const loaded = text.startsWith("{") ? fromJson(JSON.parse(text.split("\n")[0])) : fromRecord((await readRecord(bytes)).games[0]);
      study.load(loaded);
      memory.set("problem", loaded);
      setTool(null);
      study.say(null);
    } catch (error) {
      study.say(`${name} cannot be read: ${error.message}. The problem here is unchanged.`, "error");
    }
  };
  useEffect(() => {
    const onPaste = (event) => {
      if (event.target.closest?.("input, textarea")) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.includes("(;") || text.trim().startsWith("{")) take(new TextEncoder().encode(text), "The pasted text");
    };
    const onDrop = async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) take(await file.arrayBuffer(), file.name);
    };
    const allow = (event) => event.preventDefault();
    const onKey = (event) => {
      if (event.target.closest?.("input, textarea, select")) return;
      if (event.key === "ArrowLeft" && study.moves.length > 0) study.back(study.moves.length - 1);
      else if (event.key === "Home") study.back(0);
    };
    window.addEventListener("paste", onPaste);
    window.addEventListener("drop", onDrop);
    window.addEventListener("dragover", allow);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("paste", onPaste);
      window.removeEventListener("drop", onDrop);
      window.removeEventListener("dragover", allow);
      window.removeEventListener("keydown", onKey);
    };
  }, []);

  const onPoint = (point) => {
    if (!isEditing) {
      if (solution && position.stones[point] === 0) study.walk(point);
      else if (!solution && !study.isSolving) study.say("Solve it first; then try moves.");
      return;
    }
    study.edit((problem) => {
      const toggle = (list) => (list.includes(point) ? list.filter((one) => one !== point) : [...list, point]);
      if (tool === "black" || tool === "white") {
        const color = tool === "black" ? BLACK : WHITE;
        problem.stones[point] = problem.stones[point] === color ? 0 : color;
      } else if (tool === "target") {
        if (problem.stones[point] !== 0) problem.target = toggle(problem.target);
      } else problem.region = toggle(problem.region);
    });
  };

  const at = (name) => fromGtp(name, width, height);
  const marks = new Map();
  const shownTarget = solution ? solution.targetStones.map(at) : problem.target;
  shownTarget.forEach((point) => marks.set(point, { shape: "triangle" }));
  if (solution && !line && !isEditing) {
    solution.refutations.forEach(({ moves: [move] }) => at(move) >= 0 && marks.set(at(move), { shape: "cross" }));
    solution.right.forEach((move) => at(move) >= 0 && marks.set(at(move), { shape: "square" }));
    solution.best.forEach((move) => at(move) >= 0 && marks.set(at(move), { shape: "circle" }));
  }
  const foundRegion = study.start ? pointsOf(study.start.region, width, height) : problem.region;
  const region = new Set(foundRegion.filter((point) => position.stones[point] === 0));
  const ghosts = (line?.moves ?? [])
    .map((move, i) => ({ point: at(move), color: i % 2 === 0 ? position.toMove : -position.toMove, number: i + 1 }))
    .filter(({ point }, i, all) => point >= 0 && position.stones[point] === 0 && all.findIndex((other) => other.point === point) === i);

  return (
    <main class="page tsumego-page">
      <div class="board-side">
        <Message message={study.message} onClose={() => study.say(null)} />
        <Board
          width={width}
          height={height}
          stones={position.stones}
          toMove={tool === "white" ? WHITE : tool === "black" ? BLACK : position.toMove}
          lastMove={moves.at(-1)?.[1] ?? -1}
          marks={marks}
          region={region}
          ghosts={ghosts}
          onPoint={onPoint}
          onHover={(point) => {
            const hit = point === null ? null : solution?.refutations.find(({ moves: [move] }) => at(move) === point);
            const best = point !== null && solution?.line.moves[0] && at(solution.line.moves[0]) === point ? solution.line : null;
            setLine(hit ?? best ?? null);
          }}
          showsNext={(isEditing && (tool === "black" || tool === "white")) || !!solution}
          label={`Problem. ${nameOf(position.toMove)} to move`}
        />
        <div class="bar">
          <div class="group">
            {study.isSolving
              ? <Button class="primary" onClick={() => study.stop()}>Stop</Button>
              : <Button class="primary" onClick={() => { setTool(null); study.solve(); }} disabled={!!solution && moves.length === 0}>Solve</Button>}
            <Button onClick={() => study.back(moves.length - 1)} disabled={moves.length === 0}>Back</Button>
            <Button onClick={() => study.back(0)} disabled={moves.length === 0}>Start</Button>
            {solution?.line.moves.length > 0 && <Button onClick={() => study.walk(at(solution.line.moves[0]))}>Best move</Button>}
            {(position.ko >= 0 || solution?.fate === "ko") && <Button onClick={() => study.threaten()} disabled={!solution}>Ko threat</Button>}
          </div>
        </div>
        {moves.length > 0 && (
          <ol class="steps" aria-label="Moves so far">
            {moves.map(([color, point], i) => (
              <li key={i}><Button class="chip" onClick={() => study.back(i + 1)}><span class={`dot ${color === BLACK ? "black" : "white"}`} style={{ width: ".8rem", height: ".8rem" }} /> {point < 0 ? "elsewhere" : toGtp(point, width, height)}</Button></li>
            ))}
          </ol>
        )}
        <p class="status">{solution && !isEditing ? "○ right · □ a worse ko · ✕ wrong: point at one to see why, click to walk there." : "△ target · blue: region, found by itself where none is marked."}</p>
      </div>
      <div class="panel">
        {study.isSolving && (
          <section class="card" aria-live="polite">
            <h2>Solving …</h2>
            <div class="progress" role="progressbar" aria-label="Time used" aria-valuemin="0" aria-valuemax="100" aria-valuenow={Math.round((100 * study.progress.seconds) / study.progress.limit)}>
              <div style={{ width: `${(100 * study.progress.seconds) / study.progress.limit}%` }} />
            </div>
            <p class="faint">{study.progress.nodes.toLocaleString()} positions in {study.progress.seconds.toFixed(1)} of at most {study.progress.limit} s</p>
          </section>
        )}
        {solution && <Verdict study={study} onLine={setLine} />}
        <section class="card">
          <div class="card-head">
            <h2>Problem</h2>
            <div class="switches">
              <Button onClick={() => chooseFile(".sgf,.jsonl,.json,text/plain", take)}>Load</Button>
              {study.known.get("")?.sgf && <Button onClick={() => download("problem.sgf", study.known.get("").sgf, "application/x-go-sgf")}>Save SGF</Button>}
            </div>
          </div>
          {study.problems.length > 0 && (
            <Choice
              label="Collection"
              value={problem.name}
              options={[["", "choose …"], ...study.problems.map((line) => [line.id, line.id.replace(/^own\//, "")])]}
              onChange={(id) => {
                const found = study.problems.find((line) => line.id === id);
                if (!found) return;
                study.load(fromJson(found));
                memory.set("problem", study.problem);
                setTool(null);
                study.say(null);
              }}
            />
          )}
          <div class="tools" role="group" aria-label="Set up">
            {Object.entries(EDIT_TOOLS).map(([name, text]) => (
              <Button key={name} class="tool" pressed={tool === name} onClick={() => setTool(tool === name ? null : name)}>
                {name === "black" || name === "white" ? <><span class={`dot ${name}`} /><span class="hidden">{text}</span></> : text}
              </Button>
            ))}
            <Button onClick={() => study.edit((problem) => { problem.region = []; problem.target = []; problem.outside = ""; })}>Clear marks</Button>
            <Button onClick={() => { study.load(emptyProblem(width)); memory.set("problem", study.problem); setTool("black"); study.say(null); }}>Empty board</Button>
          </div>
          <div class="fields">
            <Choice label="To move" value={letterOf(problem.toMove)} options={[["B", "Black"], ["W", "White"]]} onChange={(value) => study.edit((problem) => { problem.toMove = colorOf(value); problem.goal = ""; })} />
            <Choice label="To" value={problem.goal} options={GOALS} onChange={(value) => study.edit((problem) => { problem.goal = value; })} />
            <Choice label="Board" value={String(width)} options={[["7", "7 × 7"], ["9", "9 × 9"], ["13", "13 × 13"], ["19", "19 × 19"]].concat(["7", "9", "13", "19"].includes(String(width)) ? [] : [[String(width), `${width} × ${height}`]])} onChange={(value) => { study.load(emptyProblem(Number(value))); memory.set("problem", study.problem); setTool("black"); study.say(null); }} />
          </div>
        </section>
      </div>
    </main>
  );
}
