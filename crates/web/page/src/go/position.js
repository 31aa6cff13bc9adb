// Stones on a board, and what a move does to them. Positions are values: a move makes a new one.
// 1 is Black, -1 is White, 0 is nobody.

export const BLACK = 1;
export const WHITE = -1;

export const letterOf = (color) => (color === BLACK ? "B" : "W");
export const nameOf = (color) => (color === BLACK ? "Black" : "White");
export const colorOf = (text) => (/^w/i.test(text ?? "") ? WHITE : BLACK);

export class Position {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.stones = new Int8Array(width * height);
    this.toMove = BLACK;
    /** Where the side to move may not retake at once, or -1. */
    this.ko = -1;
    /** Stones captured by Black and by White. */
    this.captures = { [BLACK]: 0, [WHITE]: 0 };
  }

  copy() {
    const copy = new Position(this.width, this.height);
    copy.stones.set(this.stones);
    copy.toMove = this.toMove;
    copy.ko = this.ko;
    copy.captures = { ...this.captures };
    return copy;
  }

  /** The stones as text, to tell positions apart. */
  get key() {
    return String.fromCharCode(...this.stones.map((stone) => stone + 66));
  }

  neighbors(point) {
    const { width, height } = this;
    const x = point % width;
    const found = [];
    if (x > 0) found.push(point - 1);
    if (x < width - 1) found.push(point + 1);
    if (point >= width) found.push(point - width);
    if (point < width * (height - 1)) found.push(point + width);
    return found;
  }

  /** The chain at a point and how many liberties it has. */
  chain(point) {
    const color = this.stones[point];
    const seen = new Set([point]);
    const liberties = new Set();
    const open = [point];
    while (open.length > 0) {
      for (const next of this.neighbors(open.pop())) {
        if (this.stones[next] === 0) liberties.add(next);
        else if (this.stones[next] === color && !seen.has(next)) {
          seen.add(next);
          open.push(next);
        }
      }
    }
    return { stones: [...seen], liberties: liberties.size };
  }

  /** Puts a stone there whatever the rules say; a record may hold anything. */
  set(point, color) {
    this.stones[point] = color;
    this.ko = -1;
  }

  /**
   * The position after a move, or why it is not allowed: "occupied", "ko" or "suicide".
   * `lenient` plays it all the same, as a record that holds it wants.
   */
  play(color, point, { suicide = false, lenient = false } = {}) {
    const next = this.copy();
    next.toMove = -color;
    next.ko = -1;
    if (point < 0) return next;
    if (this.stones[point] !== 0 && !lenient) return "occupied";
    if (point === this.ko && color === this.toMove && !lenient) return "ko";
    next.stones[point] = color;
    const captured = [];
    for (const beside of next.neighbors(point)) {
      if (next.stones[beside] !== -color) continue;
      const chain = next.chain(beside);
      if (chain.liberties === 0) {
        chain.stones.forEach((stone) => (next.stones[stone] = 0));
        captured.push(...chain.stones);
      }
    }
    next.captures[color] += captured.length;
    const own = next.chain(point);
    if (own.liberties === 0) {
      if ((!suicide || own.stones.length === 1) && !lenient) return "suicide";
      own.stones.forEach((stone) => (next.stones[stone] = 0));
      next.captures[-color] += own.stones.length;
    } else if (captured.length === 1 && own.stones.length === 1 && own.liberties === 1) {
      next.ko = captured[0];
    }
    return next;
  }
}
