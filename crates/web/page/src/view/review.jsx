// The card of a review: how far it is, what was lost, and the biggest mistakes to walk through.

import { useState } from "preact/hooks";
import { BLACK, nameOf } from "../go/position.js";
import { toGtp } from "../go/vertex.js";
import { Button, Choice, download } from "./common.jsx";
import { PACES } from "./review.js";

function Progress({ review }) {
  const { done, all, left } = review.progress;
  const text = left === null || left === undefined ? `${done} of ${all} positions` : `A longer look at mistakes, ${left} positions left`;
  return (
    <>
      <div class="progress" role="progressbar" aria-label="Review" aria-valuemin="0" aria-valuemax={all} aria-valuenow={done}>
        <div style={{ width: `${(100 * done) / all}%` }} />
      </div>
      <div class="actions">
        <span class="faint">{text}</span>
        <Button onClick={() => review.stop()}>Stop here</Button>
      </div>
    </>
  );
}

function Mistakes({ model, review }) {
  const { game } = model;
  const name = (point) => toGtp(point, game.width, game.height);
  const { mistakes } = review.result;
  if (mistakes.length === 0) return <p>No mistakes were found.</p>;
  const shown = review.shownAt(game.node);
  return (
    <ol class="mistakes">
      {mistakes.map((mistake) => (
        <li key={mistake.number}>
          <button type="button" class="row" aria-current={shown === mistake ? "true" : undefined} onClick={() => model.showMistake(mistake)}>
            <span class={`dot ${mistake.color === BLACK ? "black" : "white"}`} title={nameOf(mistake.color)} />
            <span class="what">
              <b>{mistake.number}. {name(mistake.point)}</b>
              <small>better {mistake.line.slice(0, 5).map(name).join(" ")}</small>
            </span>
            <span class="lost">
              −{mistake.points.toFixed(1)}
              <small>{Math.round(100 * mistake.winRate)} %</small>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Phases({ phases }) {
  const cells = ({ points, moves }) => [<td>{points.toFixed(1)}</td>, <td>{moves ? (points / moves).toFixed(2) : "–"}</td>];
  const total = (side) => phases.reduce((sum, phase) => ({ points: sum.points + phase[side].points, moves: sum.moves + phase[side].moves }), { points: 0, moves: 0 });
  const rows = [...phases, { name: "all", black: total("black"), white: total("white") }];
  return (
    <table class="phases">
      <thead>
        <tr>
          <th scope="col">Points lost</th>
          <th scope="col">Black</th>
          <th scope="col">a move</th>
          <th scope="col">White</th>
          <th scope="col">a move</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, black, white }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells(black)}
            {cells(white)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function ReviewCard({ model }) {
  const { review, game, id } = model;
  const [seconds, setSeconds] = useState("240");
  const { result } = review;
  return (
    <section class="card review" aria-label="Review">
      <div class="card-head">
        <h2>Review</h2>
        {result && <span class="faint">{result.isComplete ? "finished" : "stopped early"}</span>}
      </div>
      {review.isRunning ? (
        <Progress review={review} />
      ) : (
        <div class="actions review-start">
          <Choice label="Time for the review" value={seconds} onChange={setSeconds} options={PACES} />
          <Button class={result ? "" : "primary"} onClick={() => review.start(game, Number(seconds))}>{result ? "Review again" : "Review this game"}</Button>
        </div>
      )}
      {result && (
        <>
          <Mistakes model={model} review={review} />
          <Phases phases={result.phases} />
          <div class="actions">
            <Button onClick={() => download(`${id}.review.html`, result.html, "text/html")}>Save report</Button>
            <Button onClick={() => download(`${id}.review.sgf`, result.sgf, "application/x-go-sgf")}>Save SGF</Button>
            <Button onClick={() => model.read(new TextEncoder().encode(result.sgf), "The review")}>Open with comments</Button>
          </div>
        </>
      )}
    </section>
  );
}
