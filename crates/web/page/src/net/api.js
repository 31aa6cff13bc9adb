// Questions to the server that have one answer.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function ask(address, options) {
  let response;
  try {
    response = await fetch(address, options);
  } catch {
    throw new Refused(0, "the server does not answer");
  }
  if (!response.ok) {
    const reason = await response.json().catch(() => null);
    throw new Refused(response.status, reason?.error ?? `the server says ${response.status}`);
  }
  return response;
}

const tagOf = (response) => (response.headers.get("etag") ?? "").replaceAll('"', "");

export const getJson = async (address) => (await ask(address)).json();
export const getText = async (address) => (await ask(address)).text();

/** Every game in a file, as strict SGF; throws what is wrong with it. */
export const readRecord = async (bytes) => (await ask("/api/record", { method: "POST", body: bytes })).json();

export async function loadGame(id) {
  const response = await ask(`/api/games/${id}`);
  return { sgf: await response.text(), tag: tagOf(response) };
}

export async function storeGame(id, sgf, tag) {
  const headers = { "content-type": "text/plain" };
  if (tag) headers["if-match"] = `"${tag}"`;
  const response = await ask(`/api/games/${id}`, { method: "PUT", body: sgf, headers });
  return tagOf(response);
}

export const removeGame = (id) => ask(`/api/games/${id}`, { method: "DELETE" });
