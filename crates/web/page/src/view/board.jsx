// The board, drawn as SVG: one unit is the distance of two lines.

import { useRef, useState } from "preact/hooks";
import { BLACK, WHITE, nameOf } from "../go/position.js";
import { column, toGtp } from "../go/vertex.js";

const LABEL = 0.62;
const EDGE = 0.58;

/** Star points of a side. */
function stars(side) {
  if (side < 7) return [];
  const edge = side < 13 ? 2 : 3;
  const middle = side % 2 === 1 && side >= 9 ? [(side - 1) / 2] : [];
  return [edge, ...middle, side - 1 - edge];
}

function starPoints(width, height) {
  const found = [];
  for (const y of stars(height)) for (const x of stars(width)) found.push([x, y]);
  // On small boards only corners and centre are marked.
  const middle = [(width - 1) / 2, (height - 1) / 2];
  const isSmall = width < 13 || height < 13;
  return found.filter(([x, y]) => !isSmall || (x === middle[0]) === (y === middle[1]));
}

/** A colour from green for the best move to red for a bad one. */
export function quality(loss) {
  const hue = Math.max(8, 150 - loss * 900);
  return `hsl(${hue} 70% var(--candidate-light))`;
}

export const percent = (share) => `${(100 * share).toFixed(share > 0.995 || share < 0.005 ? 0 : 1)}`;
export const points = (lead) => `${lead < 0 ? "−" : "+"}${Math.abs(lead).toFixed(1)}`;
export const thousands = (n) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)}M` : n >= 1e4 ? `${Math.round(n / 1e3)}k` : n >= 1e3 ? `${(n / 1e3).toFixed(1)}k` : `${n}`);

function Grid({ width, height }) {
  const lines = [];
  for (let x = 0; x < width; x++) lines.push(`M${x} 0V${height - 1}`);
  for (let y = 0; y < height; y++) lines.push(`M0 ${y}H${width - 1}`);
  return (
    <g class="grid">
      <path d={lines.join("")} />
      <rect x="0" y="0" width={width - 1} height={height - 1} />
      {starPoints(width, height).map(([x, y]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="0.11" />
      ))}
    </g>
  );
}

function Coordinates({ width, height }) {
  const labels = [];
  for (let x = 0; x < width; x++) {
    labels.push([x, -EDGE - LABEL / 2 + 0.05, column(x)], [x, height - 1 + EDGE + LABEL / 2 - 0.05, column(x)]);
  }
  for (let y = 0; y < height; y++) {
    labels.push([-EDGE - LABEL / 2 + 0.02, y, height - y], [width - 1 + EDGE + LABEL / 2 - 0.02, y, height - y]);
  }
  return (
    <g class="coordinates" aria-hidden="true">
      {labels.map(([x, y, text], i) => (
        <text key={i} x={x} y={y}>{text}</text>
      ))}
    </g>
  );
}

function Stone({ x, y, color, class: name = "" }) {
  return <circle class={`stone ${color === BLACK ? "black" : "white"} ${name}`} cx={x} cy={y} r="0.475" />;
}

function Mark({ x, y, mark, on }) {
  const tone = on === BLACK ? "on-black" : on === WHITE ? "on-white" : "on-board";
  if (mark.label !== undefined) {
    return (
      <g class={`mark ${tone}`}>
        {on === 0 && <circle class="clearing" cx={x} cy={y} r="0.36" />}
        <text x={x} y={y} class={mark.label.length > 2 ? "long" : ""}>{mark.label}</text>
      </g>
    );
  }
  const shape = {
    triangle: <path d={`M${x} ${y - 0.27}L${x + 0.24} ${y + 0.15}H${x - 0.24}Z`} />,
    square: <rect x={x - 0.19} y={y - 0.19} width="0.38" height="0.38" />,
    circle: <circle cx={x} cy={y} r="0.22" />,
    cross: <path d={`M${x - 0.19} ${y - 0.19}l0.38 0.38m0-0.38l-0.38 0.38`} />,
  };
  return <g class={`mark ${tone}`}>{shape[mark.shape]}</g>;
}

function Candidate({ x, y, move, isBest, loss, toMove }) {
  const share = toMove === BLACK ? move.winRate : 1 - move.winRate;
  const lead = toMove === BLACK ? move.lead : -move.lead;
  const [whole, tenths] = percent(share).split(".");
  return (
    <g class={`candidate ${isBest ? "best" : ""}`}>
      <circle cx={x} cy={y} r="0.47" style={{ fill: quality(loss) }} />
      <text x={x} y={y - 0.17} class="rate">{whole}{tenths && <tspan class="tenths">.{tenths}</tspan>}</text>
      <text x={x} y={y + 0.1} class="lead">{points(lead)}</text>
      <text x={x} y={y + 0.31} class="visits">{thousands(move.visits)}</text>
    </g>
  );
}

/**
 * Shows a position and says where somebody points. All but the size and stones may be left out:
 * `lastMove` a point, `marks` by point, `ghosts` numbered stones of a line, `candidates` moves of an analysis, `owners` numbers from -1 to 1 or `territory`
 * a text of B, W and dots, `policy` shares by point, `dead` and `region` sets of points, `tints` classes by point.
 */
export function Board(props) {
  const { width, height, stones, toMove, lastMove, marks, ghosts, candidates, owners, territory, policy, dead, region, tints } = props;
  const { onPoint, onHover, label } = props;
  const area = useRef(null);
  const [cursor, setCursor] = useState(null);
  const [hovered, setHovered] = useState(null);

  const pointAt = (event) => {
    const box = area.current.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : null;
  };
  const hover = (point) => {
    if (point !== hovered) {
      setHovered(point);
      onHover?.(point);
    }
  };
  const onKeyDown = (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const at = cursor ?? Math.floor(height / 2) * width + Math.floor(width / 2);
    if (steps[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const [dx, dy] = steps[event.key];
      const x = Math.min(width - 1, Math.max(0, (at % width) + dx));
      const y = Math.min(height - 1, Math.max(0, Math.floor(at / width) + dy));
      const next = cursor === null ? at : y * width + x;
      setCursor(next);
      hover(next);
    } else if ((event.key === "Enter" || event.key === " ") && cursor !== null) onPoint?.(cursor, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const xOf = (point) => point % width;
  const yOf = (point) => Math.floor(point / width);
  const margin = EDGE + LABEL;
  const covered = new Map((ghosts ?? []).map((ghost) => [ghost.point, ghost]));
  const mostPolicy = policy ? Math.max(...policy.slice(0, width * height), 0.0001) : 1;
  const shownCandidates = ghosts?.length ? [] : candidates ?? [];
  const isFree = hovered !== null && stones[hovered] === 0 && !ghosts?.length && !shownCandidates.some((move) => move.point === hovered);

  return (
    <svg
      class={`board ${width > 13 || height > 13 ? "large" : ""}`}
      viewBox={`${-margin} ${-margin} ${width - 1 + 2 * margin} ${height - 1 + 2 * margin}`}
      style={{ "--ratio": (width - 1 + 2 * margin) / (height - 1 + 2 * margin) }}
      tabIndex="0"
      role="application"
      aria-roledescription="Go board"
      aria-label={`${label ?? "Board"}. ${cursor === null ? "Arrow keys move a cursor, Enter plays." : `Cursor at ${toGtp(cursor, width, height)}${stones[cursor] ? `, ${nameOf(stones[cursor])}` : ""}.`}`}
      onKeyDown={onKeyDown}
      onBlur={() => setCursor(null)}
    >
      <defs>
        <radialGradient id="black-stone" cx="0.36" cy="0.3" r="0.75">
          <stop offset="0" stop-color="#5b616b" />
          <stop offset="0.45" stop-color="#23262c" />
          <stop offset="1" stop-color="#0c0d10" />
        </radialGradient>
        <radialGradient id="white-stone" cx="0.36" cy="0.3" r="0.85">
          <stop offset="0" stop-color="#ffffff" />
          <stop offset="0.6" stop-color="#f1efeb" />
          <stop offset="1" stop-color="#c9c5bc" />
        </radialGradient>
        <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stop-color="var(--wood-light)" />
          <stop offset="1" stop-color="var(--wood-dark)" />
        </linearGradient>
      </defs>
      <rect class="wood" x={-margin} y={-margin} width={width - 1 + 2 * margin} height={height - 1 + 2 * margin} />
      <Coordinates width={width} height={height} />
      {region && [...region].map((point) => <rect key={point} class="region" x={xOf(point) - 0.5} y={yOf(point) - 0.5} width="1" height="1" />)}
      {policy && [...stones].map((stone, point) => stone === 0 && policy[point] > 0.001 * mostPolicy && (
        <rect key={point} class="policy" x={xOf(point) - 0.5} y={yOf(point) - 0.5} width="1" height="1" style={{ opacity: 0.12 + 0.78 * Math.sqrt(policy[point] / mostPolicy) }} />
      ))}
      <Grid width={width} height={height} />
      <g class="stones">
        {[...stones].map((stone, point) => stone !== 0 && !covered.has(point) && (
          <circle key={point} class="shadow" cx={xOf(point) + 0.035} cy={yOf(point) + 0.055} r="0.475" />
        ))}
        {[...stones].map((stone, point) => stone !== 0 && !covered.has(point) && (
          <Stone key={point} x={xOf(point)} y={yOf(point)} color={stone} class={dead?.has(point) ? "dead" : tints?.get(point) ?? ""} />
        ))}
      </g>
      {owners && [...stones].map((stone, point) => {
        const share = owners[point];
        if (!(Math.abs(share) > 0.12) || Math.sign(share) === stone) return null;
        const side = 0.42 * Math.sqrt(Math.abs(share));
        return <rect key={point} class={`owner ${share > 0 ? "black" : "white"}`} x={xOf(point) - side / 2} y={yOf(point) - side / 2} width={side} height={side} />;
      })}
      {territory && [...territory].map((owner, point) => {
        if (owner === "." || (stones[point] !== 0 && !dead?.has(point))) return null;
        return <rect key={point} class={`owner ${owner === "B" ? "black" : "white"}`} x={xOf(point) - 0.15} y={yOf(point) - 0.15} width="0.3" height="0.3" />;
      })}
      {policy && [...stones].map((stone, point) => stone === 0 && policy[point] > 0.02 && !covered.has(point) && (
        <text key={point} class="policy-text" x={xOf(point)} y={yOf(point)}>{Math.round(100 * policy[point])}</text>
      ))}
      {!policy && shownCandidates.map((move, i) => move.point >= 0 && (
        <Candidate key={move.point} x={xOf(move.point)} y={yOf(move.point)} move={move} isBest={i === 0} loss={move.loss} toMove={toMove} />
      ))}
      {lastMove >= 0 && !covered.has(lastMove) && !marks?.has(lastMove) && (
        <circle class={`last ${stones[lastMove] === BLACK ? "on-black" : "on-white"}`} cx={xOf(lastMove)} cy={yOf(lastMove)} r="0.2" />
      )}
      {marks && [...marks].map(([point, mark]) => !covered.has(point) && (
        <Mark key={point} x={xOf(point)} y={yOf(point)} mark={mark} on={stones[point]} />
      ))}
      {ghosts?.map((ghost) => (
        <g key={`${ghost.point} ${ghost.number}`} class="ghost">
          <Stone x={xOf(ghost.point)} y={yOf(ghost.point)} color={ghost.color} />
          <text class={ghost.color === BLACK ? "on-black" : "on-white"} x={xOf(ghost.point)} y={yOf(ghost.point)}>{ghost.number}</text>
        </g>
      ))}
      {isFree && onPoint && props.showsNext !== false && <Stone x={xOf(hovered)} y={yOf(hovered)} color={toMove} class="next" />}
      {cursor !== null && <rect class="cursor" x={xOf(cursor) - 0.5} y={yOf(cursor) - 0.5} width="1" height="1" rx="0.12" />}
      <rect
        ref={area}
        class="touch"
        x="-0.5"
        y="-0.5"
        width={width}
        height={height}
        onPointerMove={(event) => event.pointerType !== "touch" && hover(pointAt(event))}
        onPointerLeave={() => hover(null)}
        onClick={(event) => {
          const point = pointAt(event);
          if (point !== null) onPoint?.(point, event);
        }}
      />
    </svg>
  );
}
