// The board page: play, analysis, the tree of variations.

import { useEffect, useState } from "preact/hooks";
import { BLACK, WHITE, nameOf } from "../go/position.js";
import { toGtp } from "../go/vertex.js";
import { Board, percent, points, quality, thousands } from "./board.jsx";
import { timeText } from "./clock.js";
import { Button, Icon, Message, download } from "./common.jsx";
import { Graph } from "./graph.jsx";
import { Library } from "./library.jsx";
import { NewGame } from "./newgame.jsx";
import { ReviewCard } from "./review.jsx";
import { Tree } from "./tree.jsx";

/** Candidates with a smaller share of the visits are left out. */
const FEWEST = 0.01;
const MOST_CANDIDATES = 12;

export function candidatesOf(analysis, toMove) {
  if (!analysis) return [];
  const share = (move) => (toMove === BLACK ? move.winRate : 1 - move.winRate);
  const best = analysis.moves[0];
  if (!best) return [];
  const most = Math.max(...analysis.moves.map((move) => move.visits));
  return analysis.moves
    .filter((move, i) => i === 0 || move.visits >= Math.max(2, FEWEST * most))
    .slice(0, MOST_CANDIDATES)
    .map((move) => ({ ...move, share: share(move), loss: Math.max(0, share(best) - share(move)) }));
}

/** The stones of a line of play as they are shown before they are played. */
function ghostsOf(line, toMove, stones) {
  const seen = new Set();
  return line
    .map((point, i) => ({ point, color: i % 2 === 0 ? toMove : -toMove, number: i + 1 }))
    .filter(({ point }) => {
      if (point < 0 || seen.has(point) || stones[point] !== 0) return false;
      seen.add(point);
      return true;
    })
    .slice(0, 20);
}

function Player({ model, color }) {
  const { game, clock, thinking } = model;
  const name = game.root.get(color === BLACK ? "PB" : "PW") || nameOf(color);
  const isTurn = model.position.toMove === color && !model.isEnded;
  const isEngine = game.engineColor === color;
  const time = clock?.now(color);
  return (
    <div class={`player ${isTurn ? "turn" : ""}`}>
      <span class={`dot ${color === BLACK ? "black" : "white"}`} />
      <span class="name">
        {name}
        <small>
          {isEngine && thinking ? "thinking …" : `${model.position.captures[color]} captured${color === WHITE ? ` · komi ${game.komi}` : ""}`}
        </small>
      </span>
      {time && (
        <span class={`clock ${time.main <= 0 && time.periods <= 1 && time.period < 10 ? "short" : ""}`}>
          {timeText(time.main > 0 ? time.main : time.period)}
          {time.main <= 0 && time.periods > 0 && <small> ×{time.periods}</small>}
        </span>
      )}
    </div>
  );
}

function Counting({ model }) {
  const { count, game } = model;
  const side = (color, data) => (
    <tr>
      <th scope="row">{nameOf(color)}</th>
      {data.area !== undefined ? <td>{data.area} area</td> : <td>{data.territory} territory + {data.prisoners} prisoners</td>}
      <td>{color === WHITE ? `+ ${count.whitePoints} komi` : ""}</td>
    </tr>
  );
  return (
    <section class="card counting" aria-live="polite">
      <h2>{count.isBusy && !count.result ? "Counting …" : count.result === "0" ? "A draw" : `${count.result?.startsWith("B") ? "Black" : "White"} wins by ${count.result?.slice(2)}`}</h2>
      {count.black && (
        <table>
          <tbody>
            {side(BLACK, count.black)}
            {side(WHITE, count.white)}
          </tbody>
        </table>
      )}
      {count.isAccepted ? (
        <p class="faint">The result is in the record: {game.result}.</p>
      ) : (
        <>
          <p class="faint">Faded stones count as dead. Click a chain to change that.</p>
          <div class="actions">
            <Button class="primary" onClick={() => model.accept()} disabled={count.isBusy}>Agree</Button>
            <Button onClick={() => model.playOn()}>Play on</Button>
          </div>
        </>
      )}
    </section>
  );
}

function Candidates({ model, candidates, onPoint }) {
  const { game } = model;
  const { analysis } = game.node;
  const name = (point) => toGtp(point, game.width, game.height);
  const { toMove } = model.position;
  if (!analysis) return <p class="faint">The engine begins to look …</p>;
  return (
    <table class="candidates">
      <thead>
        <tr>
          <th scope="col">{nameOf(toMove)}</th>
          <th scope="col">win %</th>
          <th scope="col">score</th>
          <th scope="col">visits</th>
          <th scope="col" class="line">continuation</th>
        </tr>
      </thead>
      <tbody onMouseLeave={() => onPoint(null)}>
        {candidates.slice(0, 8).map((move) => (
          <tr key={move.point} onMouseEnter={() => onPoint(move.point)} onFocusIn={() => onPoint(move.point)} onFocusOut={() => onPoint(null)}>
            <td>
              <button type="button" class="move" onClick={() => model.play(move.point)}>
                <i style={{ background: quality(move.loss) }} />
                {name(move.point)}
              </button>
            </td>
            <td>{percent(move.share)}</td>
            <td>{points(toMove === BLACK ? move.lead : -move.lead)}</td>
            <td>{thousands(move.visits)}</td>
            <td class="line" onClick={() => onPoint(move.point)}>{move.line.slice(1, 7).map(name).join(" ")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TOOLS = [["play", "Play"], ["TR", "△"], ["SQ", "□"], ["CR", "○"], ["MA", "✕"], ["LB", "A"], ["black", "●"], ["white", "○"]];
const TOOL_NAMES = { play: "Play", TR: "Triangle", SQ: "Square", CR: "Circle", MA: "Cross", LB: "Label", black: "Set a black stone", white: "Set a white stone" };

export function BoardPage({ model }) {
  const [hovered, setHovered] = useState(null);
  const [listed, setListed] = useState(null);
  const [tool, setTool] = useState("play");
  const [dialog, setDialog] = useState(null);
  const [isEditing, setEditing] = useState(false);
  const { game, shows, count } = model;

  useEffect(() => {
    const onKey = (event) => {
      if (event.target.closest?.("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
      // The game of now: another may have been opened since this was drawn.
      const { game } = model;
      if (!game) return;
      const keys = {
        ArrowLeft: () => model.step(-1), ArrowRight: () => model.step(1), ArrowUp: () => model.sibling(-1), ArrowDown: () => model.sibling(1),
        PageUp: () => model.step(-10), PageDown: () => model.step(10), Home: () => model.go(game.root), End: () => model.go(game.line().at(-1)),
        a: () => model.show("analysis"), o: () => model.show("ownership"), y: () => model.show("policy"), p: () => model.pass(), u: () => model.undo(), n: () => setDialog("new"),
      };
      if (keys[event.key]) {
        event.preventDefault();
        keys[event.key]();
      }
    };
    const onPaste = (event) => {
      if (event.target.closest?.("input, textarea")) return;
      const text = event.clipboardData?.getData("text") ?? "";
      if (text.includes("(;")) model.read(new TextEncoder().encode(text), "The pasted text");
    };
    const onDrop = async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      if (file) model.read(await file.arrayBuffer(), file.name);
    };
    const allow = (event) => event.preventDefault();
    window.addEventListener("keydown", onKey);
    window.addEventListener("paste", onPaste);
    window.addEventListener("drop", onDrop);
    window.addEventListener("dragover", allow);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener("paste", onPaste);
      window.removeEventListener("drop", onDrop);
      window.removeEventListener("dragover", allow);
    };
  }, []);

  if (!game) return <main class="page" aria-busy="true" />;
  const { position } = model;
  const { node } = game;
  const candidates = shows.analysis && !count ? candidatesOf(node.analysis, position.toMove) : [];
  const pointed = listed ?? hovered;
  const shown = candidates.find((move) => move.point === pointed && pointed !== null);
  const mistake = count ? null : model.review.shownAt(node);
  const better = shown?.line ?? (pointed === null ? mistake?.line : null);
  const ghosts = better ? ghostsOf(better, position.toMove, position.stones) : [];
  const marks = game.marks();
  if (mistake && mistake.point >= 0) marks.set(mistake.point, { shape: "cross" });
  const move = game.moveOf(node);
  const line = game.line();
  const values = line.map((one) => (one.analysis ? { winRate: one.analysis.winRate, lead: one.analysis.lead } : null));
  const marked = (model.review.result?.mistakes ?? []).map(({ number }) => line.indexOf(model.review.nodes[number])).filter((i) => i >= 0);
  const hasGraph = values.some(Boolean) || shows.analysis;

  const onPoint = (point) => {
    if (tool === "play" || count) return model.play(point);
    model.edit((game) => {
      if (tool === "black" || tool === "white") game.setUp(point, tool === "black" ? BLACK : WHITE);
      else game.toggleMark(point, tool, tool === "LB" ? game.nextLabel() : undefined);
    });
  };
  const status = model.thinking
    ? "Tesuji is thinking"
    : count
      ? "Counting"
      : `${move ? `${nameOf(move.color)} ${toGtp(move.point, game.width, game.height)}. ` : ""}${model.isEnded ? `The game is over${game.result ? `: ${game.result}` : ""}.` : `${nameOf(position.toMove)} to play.`}`;
  const saved = { saved: "kept", saving: "keeping …", failed: "not kept: the server does not answer", new: "" }[model.saved];

  return (
    <main class="page board-page">
      <div class="board-side">
        <Message message={model.message} onClose={() => model.say(null)} />
        <Board
          width={game.width}
          height={game.height}
          stones={position.stones}
          toMove={position.toMove}
          lastMove={move?.point ?? -1}
          marks={marks}
          ghosts={ghosts}
          candidates={mistake && !shown ? [] : candidates}
          owners={shows.analysis && shows.ownership && !count && !ghosts.length ? node.analysis?.ownership : null}
          policy={shows.analysis && shows.policy && !count ? node.analysis?.policy : null}
          territory={count?.owners}
          dead={count?.dead}
          onPoint={onPoint}
          onHover={setHovered}
          showsNext={!model.thinking && !count && tool === "play"}
          label={status}
        />
        <div class="bar">
          <div class="group" role="group" aria-label="Go through the game">
            <Button aria-label="To the beginning" onClick={() => model.go(game.root)}><Icon name="first" /></Button>
            <Button aria-label="Back" onClick={() => model.step(-1)}><Icon name="back" /></Button>
            <span class="number">{game.moveNumber()}</span>
            <Button aria-label="Forward" onClick={() => model.step(1)}><Icon name="forward" /></Button>
            <Button aria-label="To the end" onClick={() => model.go(line.at(-1))}><Icon name="last" /></Button>
          </div>
          <div class="group">
            <Button onClick={() => model.pass()} disabled={!!model.thinking || !!count || game.isOver()}>Pass</Button>
            <Button onClick={() => model.undo()} disabled={!node.parent}>Undo</Button>
            {model.isPlaying && <Button onClick={() => confirm("Resign this game?") && model.resign()} disabled={model.isEnded || !!count}>Resign</Button>}
            {game.isOver() && !count && <Button class="primary" onClick={() => model.countUp()}>Count</Button>}
            {model.thinking && <Button class="primary" onClick={() => model.thinking.hurry()}>Move now</Button>}
            {model.isPlaying && model.isLooking && !model.isEnded && !model.thinking && model.isEngineTurn && <Button class="primary" onClick={() => model.resume()}>Play from here</Button>}
          </div>
        </div>
        <p class="status" role="status">{status}<span class={`saved ${model.saved}`}>{saved}</span></p>
      </div>
      <div class="panel">
        <section class="card players">
          <Player model={model} color={BLACK} />
          <Player model={model} color={WHITE} />
          <div class="actions">
            <Button class="primary" onClick={() => setDialog("new")}>New game</Button>
            <Button onClick={() => setDialog("open")}>Open</Button>
            <Button onClick={() => download(`${model.id}.sgf`, game.toSgf(), "application/x-go-sgf")}>Save SGF</Button>
          </div>
        </section>
        {count && <Counting model={model} />}
        <section class="card analysis">
          <div class="card-head">
            <h2>Analysis</h2>
            <div class="switches">
              <Button class="switch" pressed={shows.analysis} onClick={() => model.show("analysis")}>{shows.analysis ? "On" : "Off"}</Button>
              <Button class="switch" pressed={shows.ownership} disabled={!shows.analysis} onClick={() => model.show("ownership")}>Territory</Button>
              <Button class="switch" pressed={shows.policy} disabled={!shows.analysis} onClick={() => model.show("policy")}>Policy</Button>
            </div>
          </div>
          {hasGraph && <Graph values={values} at={line.indexOf(node)} marked={marked} onJump={(i) => model.go(line[i])} />}
          {line.length > 1 && (
            <div class="actions">
              <Button onClick={() => model.sweep()}>{model.sweeping ? "Stop" : "Analyse the whole game"}</Button>
              {model.sweeping && <span class="faint">{values.filter(Boolean).length} of {line.length}</span>}
            </div>
          )}
          {shows.analysis && !count && <Candidates model={model} candidates={candidates} onPoint={setListed} />}
        </section>
        {line.length > 1 && <ReviewCard model={model} />}
        <section class="card">
          <div class="card-head">
            <h2>Variations</h2>
            <div class="switches">
              {node.parent && <Button class="quiet" onClick={() => confirm("Delete this move and all after it?") && model.edit((game) => game.remove(node))}>Delete</Button>}
              <Button class="switch" pressed={isEditing} onClick={() => { setEditing(!isEditing); setTool("play"); }}>Edit</Button>
            </div>
          </div>
          {isEditing && (
            <div class="tools" role="group" aria-label="What a click does">
              {TOOLS.map(([name, text]) => (
                <Button key={name} class={`tool tool-${name}`} pressed={tool === name} aria-label={TOOL_NAMES[name]} title={TOOL_NAMES[name]} onClick={() => setTool(name)}>
                  {name === "black" || name === "white" ? <span class={`dot ${name}`} /> : text}
                </Button>
              ))}
            </div>
          )}
          <Tree game={game} version={model.version} onGo={(node) => model.go(node)} />
          {(isEditing || node.props.C) && (
            <label class="field wide">
              <span class="hidden">Comment</span>
              <textarea rows="3" placeholder="Comment" value={node.get("C") ?? ""} onChange={(event) => { const text = event.currentTarget.value; model.edit((game) => game.node.set("C", text || undefined)); }} />
            </label>
          )}
          <div class="actions">
            {model.isPlaying
              ? <Button onClick={() => model.invite(0)}>Play both sides</Button>
              : <Button onClick={() => model.invite(position.toMove)}>Let Tesuji play {nameOf(position.toMove)}</Button>}
          </div>
        </section>
      </div>
      {dialog === "new" && <NewGame model={model} onClose={() => setDialog(null)} />}
      {dialog === "open" && <Library model={model} onClose={() => setDialog(null)} />}
    </main>
  );
}
