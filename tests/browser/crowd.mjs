// Eight tabs that analyse and a program that speaks JSON, all at once: node crowd.mjs BINARY DIRECTORY
import assert from "node:assert/strict";
import { join } from "node:path";
import { moveNumber, openPage, paste, startBrowser, startServer, until, withShare } from "./harness.mjs";

const TABS = 8;
/** Seconds that everybody works, at least. */
const TIME = 4;
/** Longest time, in seconds of a machine of one's own, that anybody may see nothing new: on two cores, ten clients, a browser and the server take turns. */
const PATIENCE = 2;

const [binary, directory] = process.argv.slice(2);
const server = await startServer(binary, join(directory, "games"));
const browser = await startBrowser();
const sgf = (i) => `(;GM[1]FF[4]SZ[9]KM[7.5]RU[chinese];B[ee];W[ce];B[cd];W[dd];B[de];W[${"abcdefghi"[i]}i])`;

/** KaTrain's way: a whole game at once, then a position for as long as it takes. It runs in a page, for want of a WebSocket in older Node.js. */
function client(seconds) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/ws/analysis`);
    const base = { boardXSize: 9, boardYSize: 9, rules: "japanese", komi: 6.5, moves: ["E5", "C5", "C6", "D6", "D5", "C4"].map((at, i) => ["BW"[i % 2], at]), initialPlayer: "B" };
    const seen = { turns: 0, reports: 0, gap: 0 };
    let last = performance.now();
    socket.onerror = () => reject(new Error("the connection broke"));
    socket.onopen = () => {
      socket.send(JSON.stringify({ ...base, id: "game", analyzeTurns: [0, 1, 2, 3, 4, 5, 6], maxVisits: 50, includeOwnership: true, includePolicy: true, includeMovesOwnership: true, overrideSettings: { reportAnalysisWinratesAs: "BLACK", wideRootNoise: 0.04 } }));
      socket.send(JSON.stringify({ ...base, id: "ponder", analyzeTurns: [6], maxVisits: 10000000, reportDuringSearchEvery: 0.2, priority: -1000 }));
      const start = performance.now();
      const timer = setInterval(() => {
        const spent = (performance.now() - start) / 1000;
        if (spent < seconds || ((seen.turns < 7 || seen.reports < 1) && spent < 60)) return;
        clearInterval(timer);
        socket.close();
        resolve(seen);
      }, 50);
    };
    socket.onmessage = ({ data }) => {
      const now = performance.now();
      seen.gap = Math.max(seen.gap, now - last);
      last = now;
      const { id, error } = JSON.parse(data);
      if (error) reject(new Error(error));
      else if (id === "game") seen.turns++;
      else seen.reports++;
    };
  });
}

try {
  const tabs = await Promise.all(Array.from({ length: TABS }, () => openPage(browser, server.url)));
  const other = await openPage(browser, server.url);
  for (const [i, tab] of tabs.entries()) {
    await tab.locator(".board").waitFor();
    await paste(tab, sgf(i));
    await until("the game", async () => (await tab.locator(".tree-node").count()) === 7);
    await tab.keyboard.press("End");
    await until("its end", async () => (await moveNumber(tab)) === 6);
  }
  await Promise.all(tabs.map((tab) => tab.locator(".candidate.best").waitFor()));
  // Every tab notes when what it shows changes.
  const watch = (tab) =>
    tab.evaluate(
      (seconds) =>
        new Promise((resolve) => {
          const text = () => document.querySelector(".candidates tbody")?.textContent ?? "";
          const start = performance.now();
          let [shown, last, changes, gap] = [text(), start, 0, 0];
          const timer = setInterval(() => {
            const now = performance.now();
            if (text() !== shown) [shown, last, changes] = [text(), now, changes + 1];
            gap = Math.max(gap, now - last);
            if (now - start > seconds * 1000 && (changes >= 3 || now - start > 60000)) {
              clearInterval(timer);
              resolve({ changes, gap });
            }
          }, 20);
        }),
      TIME,
    );
  const { result, share } = await withShare(() => Promise.all([other.evaluate(client, TIME), ...tabs.map(watch)]));
  const [program, ...seen] = result;
  const worst = Math.max(...seen.map(({ gap }) => gap), program.gap) / 1000;
  console.log(`${TABS} tabs changed ${seen.map(({ changes }) => changes).join(", ")} times in ${TIME} s; the program had ${program.turns} answers and ${program.reports} reports; longest silence ${worst.toFixed(2)} s with ${share.toFixed(2)} of the machine`);
  assert.equal(program.turns, 7, "the program has every answer");
  assert.ok(program.reports >= 1 && seen.every(({ changes }) => changes >= 3), "everybody sees something new");
  assert.ok(worst * share <= PATIENCE, `somebody saw nothing new for ${worst} s, with ${share} of the machine`);
  tabs.forEach((tab) => assert.deepEqual(tab.complaints, []));
  // A person who plays meanwhile is answered too.
  const started = Date.now();
  const answered = await other.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws/desk`);
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, do: "answer", seconds: 0.2, position: { boardXSize: 9, boardYSize: 9, rules: "chinese", komi: 7.5, moves: [["B", "E5"]] } }));
        socket.onmessage = ({ data }) => resolve(JSON.parse(data));
      }),
  );
  assert.ok(answered.result?.move, JSON.stringify(answered));
  console.log(`a move in ${((Date.now() - started) / 1000).toFixed(2)} s meanwhile`);
} finally {
  await browser.close();
  await server.kill();
}
