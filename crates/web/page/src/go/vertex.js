// Names of points. A point is an index, row by row from the top left; -1 is a pass.

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

export const PASS = -1;

export function column(x) {
  return COLUMNS[x];
}

export function toGtp(point, width, height) {
  return point < 0 ? "pass" : COLUMNS[point % width] + (height - Math.floor(point / width));
}

export function fromGtp(name, width, height) {
  const text = name.trim().toUpperCase();
  if (text === "PASS") return PASS;
  const x = COLUMNS.indexOf(text[0]);
  const y = height - Number(text.slice(1));
  return x >= 0 && x < width && y >= 0 && y < height ? y * width + x : null;
}

const letter = (n) => String.fromCharCode(97 + n);

export function toSgf(point, width) {
  return point < 0 ? "" : letter(point % width) + letter(Math.floor(point / width));
}

/** The point of a pair of letters; a pass where there is none, null if it is off the board. */
export function fromSgf(text, width, height) {
  if (text === "" || (text === "tt" && width <= 19 && height <= 19)) return PASS;
  const x = text.charCodeAt(0) - 97;
  const y = text.charCodeAt(1) - 97;
  return text.length === 2 && x >= 0 && x < width && y >= 0 && y < height ? y * width + x : null;
}

/** The points of a property's values, rectangles included. */
export function pointsOf(values, width, height) {
  const points = [];
  for (const value of values ?? []) {
    const [from, to = from] = value.split(":");
    const a = fromSgf(from, width, height);
    const b = fromSgf(to, width, height);
    if (a === null || b === null || a < 0 || b < 0) continue;
    for (let y = Math.floor(a / width); y <= Math.floor(b / width); y++)
      for (let x = a % width; x <= b % width; x++) points.push(y * width + x);
  }
  return points;
}
