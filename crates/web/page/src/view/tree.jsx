// The variation tree: moves from left to right, variations below the line they leave.

import { useEffect, useRef } from "preact/hooks";
import { BLACK } from "../go/position.js";

const STEP_X = 24;
const STEP_Y = 24;

/** Where every node stands: a variation begins in the first row where all of it is free. */
export function layout(root) {
  const places = new Map();
  /** By column: the first free row. */
  const free = [];
  const open = [[root, 0, 0]];
  while (open.length > 0) {
    const [start, column, parentRow] = open.pop();
    const line = [];
    for (let node = start; node; node = node.children[0]) line.push(node);
    let row = parentRow;
    line.forEach((_, i) => (row = Math.max(row, free[column + i] ?? 0)));
    line.forEach((node, i) => {
      places.set(node, [column + i, row]);
      free[column + i] = row + 1;
    });
    // The way down from the parent needs its place too.
    if (column > 0) free[column - 1] = Math.max(free[column - 1] ?? 0, row);
    line.forEach((node, i) => {
      for (let k = node.children.length - 1; k >= 1; k--) open.push([node.children[k], column + i + 1, row]);
    });
    // Variations of late moves are placed first, nearest to the line: they must not cross those of earlier ones.
    open.sort((a, b) => a[1] - b[1]);
  }
  return places;
}

export function Tree({ game, version, onGo }) {
  const box = useRef(null);
  const places = layout(game.root);
  const [column, row] = places.get(game.node) ?? [0, 0];
  useEffect(() => {
    const frame = box.current;
    if (!frame) return;
    const left = column * STEP_X + 20 - frame.clientWidth / 2;
    const top = row * STEP_Y + 20 - frame.clientHeight / 2;
    frame.scrollTo({ left, top });
  }, [column, row, version]);
  const columns = Math.max(...[...places.values()].map(([x]) => x)) + 1;
  const rows = Math.max(...[...places.values()].map(([, y]) => y)) + 1;
  const x = (column) => 16 + column * STEP_X;
  const y = (row) => 16 + row * STEP_Y;
  const line = new Set(game.line());
  return (
    <div class="tree" ref={box} tabIndex="0" role="region" aria-label="Variation tree">
      <svg width={columns * STEP_X + 12} height={rows * STEP_Y + 12} aria-hidden="true">
        {[...places].map(([node, [c, r]]) => {
          if (!node.parent) return null;
          const [pc, pr] = places.get(node.parent);
          const bend = r > pr ? `V${y(r) - STEP_Y / 2}L${x(c) - STEP_X / 2 + 6} ${y(r)}` : "";
          const d = r > pr ? `M${x(pc)} ${y(pr)}${bend}H${x(c)}` : `M${x(pc)} ${y(pr)}H${x(c)}`;
          return <path key={node.id} class={line.has(node) ? "on-line" : ""} d={d} />;
        })}
        {[...places].map(([node, [c, r]]) => {
          const move = game.moveOf(node);
          const tone = move ? (move.color === BLACK ? "black" : "white") : "none";
          return (
            <g key={node.id} class={`tree-node ${tone} ${node === game.node ? "current" : ""}`} data-depth={c} onClick={() => onGo(node)}>
              <rect class="hit" x={x(c) - 12} y={y(r) - 12} width="24" height="24" />
              {node === game.node && <circle class="ring" cx={x(c)} cy={y(r)} r="11" />}
              {move ? <circle cx={x(c)} cy={y(r)} r="7.5" /> : <rect class="root" x={x(c) - 5} y={y(r) - 5} width="10" height="10" rx="2" />}
              {node.props.C && <circle class="has-comment" cx={x(c) + 6} cy={y(r) - 6} r="3" />}
            </g>
          );
        })}
      </svg>
    </div>
  );
}
