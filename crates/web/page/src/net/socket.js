// A WebSocket that comes back by itself.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class Socket {
  /** `hear` gets every message, `changed` whether the server is there. */
  constructor(path, { hear, opened, changed }) {
    this.url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.hear = hear;
    this.opened = opened ?? (() => {});
    this.changed = changed ?? (() => {});
    this.wait = FIRST_WAIT;
    this.isOpen = false;
    this.waiting = [];
    this.#connect();
  }

  #connect() {
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.isOpen = true;
      const waiting = this.waiting;
      this.waiting = [];
      waiting.forEach((message) => this.send(message));
      this.opened();
      this.changed(true);
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      this.isOpen = false;
      this.changed(false);
      setTimeout(() => this.#connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
    else if (this.waiting.length < 100) this.waiting.push(message);
  }
}
