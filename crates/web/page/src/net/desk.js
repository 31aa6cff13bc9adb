// Work that takes time: answers to moves, counts, solved problems. One connection for the whole page.

import { Socket } from "./socket.js";

let socket = null;
let nextId = 1;
const open = new Map();
const listeners = new Set();

function connect() {
  socket ??= new Socket("/ws/desk", {
    hear({ id, progress, result, error }) {
      const question = open.get(id);
      if (!question) return;
      if (progress) return question.progress?.(progress);
      open.delete(id);
      if (error !== undefined) question.reject(new Error(error));
      else question.resolve(result);
    },
    // The server forgets what was asked over a connection that broke; it is asked again.
    opened: () => open.forEach((question) => socket.send(question.message)),
    changed: (isThere) => listeners.forEach((listener) => listener(isThere)),
  });
  return socket;
}

/** Hears whether the server is there. */
export function watchServer(listener) {
  connect();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for something; the promise has `cancel` and `hurry`. */
export function ask(order, progress) {
  const id = nextId++;
  const message = { id, ...order };
  const answer = new Promise((resolve, reject) => open.set(id, { resolve, reject, progress, message }));
  if (connect().isOpen) socket.send(message);
  answer.cancel = () => {
    if (open.delete(id) && socket.isOpen) socket.send({ id: nextId++, do: "cancel", of: id });
  };
  answer.hurry = () => socket.isOpen && socket.send({ id: nextId++, do: "hurry", of: id });
  return answer;
}
