// Win rate and score along a line of the game; a click goes there.

import { useRef, useState } from "preact/hooks";
import { percent, points } from "./board.jsx";

const WIDTH = 400;
const HEIGHT = 120;

/** `values` has for each node of the line null or {winRate, lead} from Black's side; `at` is where we are, `marked` are places with a mistake. */
export function Graph({ values, at, marked = [], onJump }) {
  const frame = useRef(null);
  const [pointed, setPointed] = useState(null);
  const last = Math.max(1, values.length - 1);
  const x = (i) => (i / last) * WIDTH;
  const most = Math.max(5, ...values.map((value) => Math.abs(value?.lead ?? 0)));
  const scale = most > 40 ? most : most > 20 ? 40 : most > 10 ? 20 : 10;
  const yRate = (rate) => (1 - rate) * HEIGHT;
  const yLead = (lead) => HEIGHT / 2 - (Math.max(-scale, Math.min(scale, lead)) / scale) * (HEIGHT / 2 - 4);

  const path = (y) => {
    let text = "";
    values.forEach((value, i) => {
      if (value) text += `${text ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    return text;
  };
  const known = values.map((value, i) => (value ? i : -1)).filter((i) => i >= 0);
  const rates = path((value) => yRate(value.winRate));
  const area = known.length > 0 ? `${rates}L${x(known.at(-1)).toFixed(1)} ${HEIGHT}L${x(known[0]).toFixed(1)} ${HEIGHT}Z` : "";

  const indexAt = (event) => {
    const box = frame.current.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last)));
  };
  const onPointer = (event) => {
    setPointed(indexAt(event));
    if (event.buttons & 1) onJump(Math.min(indexAt(event), values.length - 1));
  };
  const shown = pointed !== null && pointed < values.length ? pointed : at;
  const value = values[shown];
  return (
    <figure class="graph">
      <figcaption>
        <span>Move {shown}</span>
        {value ? (
          <span>
            <b>{percent(value.winRate)} %</b> Black <span class="lead-text">{points(value.lead)}</span>
          </span>
        ) : (
          <span class="faint">not analysed</span>
        )}
      </figcaption>
      <svg
        ref={frame}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="slider"
        tabIndex="0"
        aria-label="Win rate and score by move"
        aria-valuemin="0"
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={value ? `move ${shown}, Black ${percent(value.winRate)} percent` : `move ${shown}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId);
          onPointer(event);
        }}
        onPointerMove={onPointer}
        onPointerLeave={() => setPointed(null)}
      >
        <rect class="graph-back" width={WIDTH} height={HEIGHT} />
        <path class="graph-area" d={area} />
        <path class="graph-middle" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
        <path class="graph-rate" d={rates} />
        <path class="graph-lead" d={path((value) => yLead(value.lead))} />
        {marked.length > 0 && <path class="graph-mistake" d={marked.map((i) => `M${x(i).toFixed(1)} 0v14`).join("")} />}
        <path class="graph-at" d={`M${x(at)} 0V${HEIGHT}`} />
        {pointed !== null && <path class="graph-pointed" d={`M${x(pointed)} 0V${HEIGHT}`} />}
      </svg>
      <div class="legend">
        <span class="key rate">win rate</span>
        <span class="key lead">score, ±{Math.round(scale)}</span>
        {marked.length > 0 && <span class="key mistake">mistake</span>}
      </div>
    </figure>
  );
}
