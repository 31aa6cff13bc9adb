// A server, a browser, and the few things that all scripts do with them.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const sleep = (ms) => new Promise((resume) => setTimeout(resume, ms));

/** Waits until something holds; what it was at last is in the complaint. */
export async function until(what, look, patience = 30000) {
  const end = Date.now() + patience;
  let last;
  for (;;) {
    last = await look();
    if (last) return last;
    if (Date.now() > end) assert.fail(`waited in vain: ${what}`);
    await sleep(25);
  }
}

/** Seconds that the processors have been busy, and of these for this script with all that it started. */
function busySeconds() {
  const TICKS = 100;
  const [, user, nice, system, , , irq, softirq, steal] = readFileSync("/proc/stat", "utf8").split("\n")[0].split(/\s+/).map(Number);
  const parents = new Map();
  const used = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${id}/stat`, "utf8");
      // The name before may hold anything, blanks too.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(id), Number(fields[1]));
      used.set(Number(id), Number(fields[11]) + Number(fields[12]));
    } catch {
      // It has just ended.
    }
  }
  const isOurs = (id) => id === process.pid || (parents.has(id) && isOurs(parents.get(id)));
  const ours = [...used].filter(([id]) => isOurs(id)).reduce((sum, [, ticks]) => sum + ticks, 0);
  return { all: (user + nice + system + irq + softirq + steal) / TICKS, ours: ours / TICKS };
}

/**
 * Does something, and says which part of the machine others left us meanwhile, 0 to 1. Times are multiplied by it: on a machine that does nothing else,
 * they stay what they are, and what we do to ourselves is no excuse.
 */
export async function withShare(action) {
  const [start, before] = [Date.now(), busySeconds()];
  const result = await action();
  const after = busySeconds();
  const others = after.all - before.all - (after.ours - before.ours);
  const capacity = (availableParallelism() * (Date.now() - start)) / 1000;
  return { result, share: Math.min(1, Math.max(0, 1 - others / capacity)) };
}

/** Starts `tesuji web`; `port` 0 is any. */
export async function startServer(binary, games, { port = 0, extra = [] } = {}) {
  const child = spawn(binary, ["web", "--port", String(port), "--games", games, "--seed", "1", ...extra], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A script that fails leaves nothing behind.
  process.on("exit", () => child.kill("SIGKILL"));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const kill = () =>
    new Promise((done) => {
      child.on("exit", done);
      child.kill("SIGKILL");
    });
  return { url, port: Number(new URL(url).port), kill, child };
}

export async function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
}

/** A page that fails the script if anything in it goes wrong. */
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A server that is killed on purpose is complained about by the browser itself.
    const isNetwork = /ERR_CONNECTION|WebSocket connection|Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isNetwork) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !/^(data|blob):/.test(request.url())) complaints.push(`asked elsewhere: ${request.url()}`);
  });
  page.on("dialog", (dialog) => dialog.accept());
  // While the page is being written: its files from a directory, without building the program again.
  if (process.env.ASSETS)
    for (const name of ["page.js", "page.css", "icon.svg"]) await page.route(`**/${name}`, (route) => route.fulfill({ path: `${process.env.ASSETS}/${name}` }));
  await page.goto(url);
  page.complaints = complaints;
  return page;
}

/** The middle of a point on the screen; x and y from the top left. */
export async function place(page, x, y, side = 9) {
  const box = await page.locator(".board .touch").boundingBox();
  return [box.x + ((x + 0.5) * box.width) / side, box.y + ((y + 0.5) * box.height) / side];
}

export async function clickPoint(page, x, y, side = 9) {
  await page.mouse.click(...(await place(page, x, y, side)));
}

export async function paste(page, text) {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  }, text);
}

export const stones = (page) => page.locator(".board .stones .stone").count();
export const isFree = async (page, x, y) => (await page.locator(`.board .stones .stone[cx="${x}"][cy="${y}"]`).count()) === 0;
export const moveNumber = async (page) => Number(await page.locator(".bar .number").textContent());
export const gameId = async (page) => (await page.evaluate(() => location.hash)).split("/")[2];

/** Violations of the rules for people who see or hear less, as axe finds them. */
export async function axe(page, name) {
  // Evaluated by the debugger, which no content security policy concerns.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] });
    return result.violations.map((violation) => `${violation.id}: ${violation.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 120)} ${node.any?.[0]?.message ?? ""}`).join(" | ")}`);
  });
  assert.deepEqual(found, [], `${name}: axe complains`);
}
