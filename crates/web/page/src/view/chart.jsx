// Curves over a common axis.

const COLORS = ["#2f7fd1", "#d1662f", "#2f9e63", "#a04fc4", "#b8982a", "#c43f6b"];
const WIDTH = 640;
const HEIGHT = 240;
const LEFT = 52;
const BOTTOM = 24;

/** Round numbers between two ends. */
export function ticks(least, most, count) {
  const span = most - least || 1;
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw);
  const found = [];
  for (let value = Math.ceil(least / step) * step; value <= most + step / 1e6; value += step) found.push(Number(value.toPrecision(12)));
  return found;
}

const short = (n) => (Math.abs(n) >= 1e6 ? `${n / 1e6}M` : Math.abs(n) >= 1e4 ? `${n / 1e3}k` : String(n));

/** `series` are {name, points: [[x, y], …]}; `range` is that of y, if it is known. */
export function Chart({ series, label, range }) {
  const all = series.flatMap(({ points }) => points);
  if (all.length < 2) return null;
  const ends = (values) => [Math.min(...values), Math.max(...values)];
  const [x0, x1] = ends(all.map(([x]) => x));
  let [y0, y1] = range ?? ends(all.map(([, y]) => y));
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  const x = (value) => LEFT + ((value - x0) / (x1 - x0 || 1)) * (WIDTH - LEFT - 8);
  const y = (value) => 8 + (1 - (value - y0) / (y1 - y0)) * (HEIGHT - BOTTOM - 8);
  return (
    <figure class="chart-box">
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {ticks(y0, y1, 5).map((value) => (
          <g key={value}>
            <path class="axis" d={`M${LEFT} ${y(value)}H${WIDTH}`} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">{short(value)}</text>
          </g>
        ))}
        {ticks(x0, x1, 8).map((value) => <text key={value} x={x(value)} y={HEIGHT - 6} text-anchor="middle">{short(value)}</text>)}
        {series.map(({ name, points }, i) => (
          <path key={name} class="curve" stroke={COLORS[i % COLORS.length]} d={points.map(([px, py], k) => `${k ? "L" : "M"}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("")} />
        ))}
      </svg>
      <div class="legend">
        {series.map(({ name }, i) => (
          <span key={name}><i style={{ background: COLORS[i % COLORS.length] }} /> {name}</span>
        ))}
      </div>
    </figure>
  );
}
