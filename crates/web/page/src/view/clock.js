// The clocks of both players: main time, then byo-yomi periods. What is left is written into the record with every move, as SGF has it.

import { BLACK, WHITE } from "../go/position.js";

const LEFT = { [BLACK]: ["BL", "OB"], [WHITE]: ["WL", "OW"] };

export class Clock {
  /** The clock of a game, or none if it has no limit. */
  static of(game) {
    const { main, period, periods } = game.terms;
    if (!main && !period) return null;
    return new Clock(Number(main ?? 0), Number(period ?? 0), Number(periods ?? 0));
  }

  constructor(main, period, periods) {
    const full = () => ({ main, period, periods: period > 0 ? Math.max(1, periods) : 0 });
    this.system = { main, period, periods: period > 0 ? Math.max(1, periods) : 0 };
    this.left = { [BLACK]: full(), [WHITE]: full() };
    this.running = 0;
    this.timer = null;
  }

  /** Time as it is now, the running one counted down. */
  now(color) {
    const { main, periods } = this.left[color];
    let spent = this.running === color ? (performance.now() - this.since) / 1000 : 0;
    if (spent < main) return { main: main - spent, period: this.system.period, periods };
    spent -= main;
    if (this.system.period === 0) return { main: 0, period: 0, periods: 0 };
    const used = Math.floor(spent / this.system.period);
    return { main: 0, period: this.system.period - (spent % this.system.period), periods: periods - used };
  }

  get isOut() {
    const { main, periods } = this.now(this.running);
    return this.running !== 0 && main <= 0 && periods <= 0;
  }

  start(color, tick) {
    if (this.running === color) return;
    this.stop();
    this.running = color;
    this.since = performance.now();
    this.timer = setInterval(tick, 250);
  }

  stop() {
    clearInterval(this.timer);
    this.running = 0;
  }

  /** A move was made; whether it was in time. */
  press(color) {
    if (this.running !== color) return true;
    const { main, periods } = this.now(color);
    this.stop();
    this.left[color] = { main, period: this.system.period, periods };
    return main > 0 || periods > 0;
  }

  /** What the engine has left. */
  state(color) {
    const { main, periods } = this.left[color];
    return { mainLeft: main, period: this.system.period, periodsLeft: periods };
  }

  write(node) {
    for (const color of [BLACK, WHITE]) {
      const { main, periods } = this.left[color];
      node.set(LEFT[color][0], (main > 0 ? main : this.system.period).toFixed(1));
      if (main <= 0 && this.system.period > 0) node.set(LEFT[color][1], String(periods));
    }
  }

  /** As it was at a node. */
  read(game, node) {
    this.stop();
    let at = node;
    while (at && !at.get("BL")) at = at.parent;
    for (const color of [BLACK, WHITE]) {
      const [time, count] = LEFT[color];
      const isOver = at?.get(count) !== undefined;
      this.left[color] = at
        ? { main: isOver ? 0 : Number(at.get(time)), period: this.system.period, periods: isOver ? Number(at.get(count)) : this.system.periods }
        : { ...this.system };
    }
  }
}

export function timeText(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const two = (n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}` : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
