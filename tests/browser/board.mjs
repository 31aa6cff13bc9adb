// Plays, analyses, loads, solves and reloads as a person would: node board.mjs BINARY DIRECTORY
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { axe, clickPoint, gameId, isFree, moveNumber, openPage, paste, place, sleep, startBrowser, startServer, stones, until, withShare } from "./harness.mjs";

const [binary, directory] = process.argv.slice(2);
const games = join(directory, "games");
const lab = join(directory, "lab");
const run = join(lab, "trial");
mkdirSync(run, { recursive: true });
writeFileSync(join(run, "run.json"), JSON.stringify({ kind: "trial", terms: { size: 9 }, builds: [], setup: null }));
writeFileSync(join(run, "results.jsonl"), '{"key":"a","result":1}\n');
writeFileSync(join(run, "curve.csv"), "step,loss,speed\n1,3,10\n2,2.5,11\n3,2.25,12\n");
writeFileSync(join(run, "report.md"), "# A trial\n\n| a | b |\n| - | -: |\n| x | 1 |\n");

const SGF = "(;GM[1]FF[4]SZ[9]KM[7.5]RU[chinese];B[ee];W[ce];B[cd];W[dd];B[de];W[cf](;B[ed];W[dc])(;B[dc];W[ed]))";

const browser = await startBrowser();
let server = await startServer(binary, games, { extra: ["--lab", lab] });
const page = await openPage(browser, server.url);
const stamps = [];
let started = Date.now();
const done = (name) => {
  stamps.push(`${name} ${((Date.now() - started) / 1000).toFixed(1)} s`);
  started = Date.now();
};

try {
  await page.locator(".board").waitFor();

  // A new game by the dialog, played to its end.
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByLabel("Level", { exact: true }).selectOption("20k");
  await page.getByLabel("Rules", { exact: true }).selectOption("chinese");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.locator("dialog").waitFor({ state: "detached" });
  const waitTurn = () => until("the engine's answer", async () => (await page.locator(".counting").count()) > 0 || (await page.locator(".status").first().textContent()).includes("Black to play"), 20000);
  for (let y = 0; y < 9; y++) {
    await waitTurn();
    if (!(await isFree(page, 4, y))) continue;
    const before = await moveNumber(page);
    await clickPoint(page, 4, y);
    await until("the stone", async () => (await moveNumber(page)) > before);
  }
  for (let i = 0; i < 80; i++) {
    await waitTurn();
    if ((await page.locator(".counting").count()) > 0) break;
    const before = await moveNumber(page);
    await page.getByRole("button", { name: "Pass" }).click();
    await until("the pass", async () => (await moveNumber(page)) > before);
  }
  const verdict = page.locator(".counting h2");
  await until("the count", async () => /wins by|draw/i.test(await verdict.textContent()));
  const first = await verdict.textContent();
  // A chain is called dead, or alive, and the count changes; and back.
  const position = await page.evaluate(() => {
    const stone = document.querySelector(".board .stones .stone");
    return [Number(stone.getAttribute("cx")), Number(stone.getAttribute("cy"))];
  });
  await clickPoint(page, ...position);
  await until("another count", async () => (await verdict.textContent()) !== first);
  await clickPoint(page, ...position);
  await until("the first count again", async () => (await verdict.textContent()) === first);
  await page.getByRole("button", { name: "Agree" }).click();
  const id = await gameId(page);
  const record = await until("the result in the record", async () => {
    const text = await (await fetch(`${server.url}api/games/${id}`)).text();
    return /RE\[[BW]\+[\d.]+\]|RE\[0\]/.test(text) && text;
  });
  assert.ok(record.includes("W[") && record.includes("B[]"), record);
  done("game and count");

  // Reload keeps it.
  const before = await stones(page);
  await page.reload();
  await until("the game after a reload", async () => (await stones(page)) === before && (await gameId(page)) === id);
  done("reload");

  // A record by paste; analysis appears and updates.
  await paste(page, SGF);
  await until("the pasted game", async () => (await moveNumber(page)) === 0 && (await gameId(page)) !== id);
  await page.keyboard.press("End");
  await until("the end", async () => (await moveNumber(page)) === 8);
  await page.locator(".candidate.best").waitFor();
  const visits = async () => {
    const text = await page.locator(".candidates tbody tr").first().locator("td").nth(3).textContent();
    return Number(text.replace("k", "")) * (text.includes("k") ? 1000 : 1);
  };
  const few = await visits();
  await until("more visits", async () => (await visits()) > few);
  assert.ok((await page.locator(".owner").count()) > 0, "territory is shown");
  // The variation of a candidate under the pointer.
  const best = await page.locator(".candidate.best circle").boundingBox();
  await page.mouse.move(best.x + best.width / 2, best.y + best.height / 2);
  await until("the variation", async () => (await page.locator(".ghost").count()) >= 2);
  await page.mouse.move(5, 5);
  await until("no variation", async () => (await page.locator(".ghost").count()) === 0);
  await page.getByRole("button", { name: "Policy" }).click();
  await page.locator("rect.policy").first().waitFor();
  await page.getByRole("button", { name: "Policy" }).click();
  // From a step to a position that was not seen yet to the first candidate on the screen, for the middle one of several.
  const firstCandidate = () =>
    page.evaluate(async () => {
      const start = performance.now();
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
      await new Promise((resume) => requestAnimationFrame(resume));
      document.querySelectorAll(".candidate").forEach((one) => one.classList.add("old"));
      const number = document.querySelector(".bar .number").textContent;
      while (!document.querySelector(".candidate.best:not(.old)") || document.querySelector(".bar .number").textContent !== number) {
        await new Promise((resume) => setTimeout(resume, 5));
        if (performance.now() - start > 5000) break;
      }
      return performance.now() - start;
    });
  const { result: delays, share } = await withShare(async () => {
    const delays = [];
    for (let i = 0; i < 7; i++) delays.push(await firstCandidate());
    return delays.sort((a, b) => a - b);
  });
  const text = `first candidate after ${delays.map(Math.round).join(", ")} ms, with ${share.toFixed(2)} of the machine`;
  console.log(text);
  assert.ok(delays[3] * share <= 300, text);
  done("analysis");

  // The graph: analyse the whole game, then jump.
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await until("the whole graph", async () => (await page.getByRole("button", { name: "Analyse the whole game" }).count()) === 1, 40000);
  const graph = await page.locator(".graph svg").boundingBox();
  await page.mouse.click(graph.x + 1, graph.y + graph.height / 2);
  await until("the beginning", async () => (await moveNumber(page)) === 0);
  await page.mouse.click(graph.x + graph.width * 0.5, graph.y + graph.height / 2);
  await until("the middle", async () => (await moveNumber(page)) === 4);
  await page.mouse.move(5, 5);
  // Variations.
  assert.equal(await page.locator(".tree-node").count(), 11);
  await page.locator(".tree-node").last().click();
  await until("the variation", async () => (await moveNumber(page)) === 8);
  done("graph and tree");

  // A review of the shown line: progress, the list of mistakes, the graph, and files to keep.
  await page.getByLabel("Time for the review").selectOption("60");
  await page.getByRole("button", { name: "Review this game" }).click();
  await page.locator(".review .progress").waitFor();
  await page.locator(".mistakes .row").first().waitFor({ timeout: 60000 });
  await until("the end of the review", async () => (await page.locator(".review .card-head").textContent()).includes("finished"));
  await page.locator(".mistakes .row").first().click();
  const [worst, played] = (await page.locator(".mistakes .row b").first().textContent()).split(". ").map((word, i) => (i === 0 ? Number(word) : word));
  await until("the mistake", async () => (await moveNumber(page)) === worst - 1);
  await until("the better line", async () => (await page.locator(".ghost").count()) >= 1);
  // The move that was played is crossed out, unless the better line plays there too.
  const [x, y] = ["ABCDEFGHJ".indexOf(played[0]), 9 - Number(played.slice(1))];
  const isCovered = (await page.locator(`.ghost .stone[cx="${x}"][cy="${y}"]`).count()) > 0;
  assert.equal(await page.locator(".mark path").count(), isCovered ? 0 : 1, played);
  assert.ok((await page.locator(".graph-mistake").count()) === 1);
  for (const [name, pattern] of [["Save report", /review\.html$/], ["Save SGF", /review\.sgf$/]]) {
    const button = page.locator(".review").getByRole("button", { name });
    const [saved] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert.match(saved.suggestedFilename(), pattern);
  }
  await axe(page, "review");
  await page.keyboard.press("ArrowRight");
  await until("after the mistake", async () => (await moveNumber(page)) === worst && (await page.locator(".mistakes [aria-current]").count()) === 0);
  done("review");

  // A broken record: said, and nothing lost.
  const kept = [await stones(page), await gameId(page)];
  await paste(page, "(;SZ[9];B[ee");
  await page.locator(".message.error").waitFor();
  assert.match(await page.locator(".message.error").textContent(), /cannot be read.*still here/s);
  assert.deepEqual([await stones(page), await gameId(page)], kept);
  await page.getByRole("button", { name: "Dismiss" }).click();
  // Another by drag and drop, not quite right but readable.
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(["(;SZ[5]AB[cc];W[bb]"], "small.sgf"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  });
  await until("the dropped game", async () => (await stones(page)) === 1);
  done("records");

  // The keyboard alone: a point of the board, a mark, back and forth.
  await page.getByRole("button", { name: "Off", exact: true }).or(page.getByRole("button", { name: "On", exact: true })).first().click();
  await page.locator(".board").focus();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await until("a stone by keyboard", async () => (await stones(page)) === 2);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  await until("home", async () => (await moveNumber(page)) === 0);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Triangle" }).click();
  await clickPoint(page, 0, 0, 5);
  await page.locator(".mark path").first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save SGF" }).click()]);
  assert.match(download.suggestedFilename(), /\.sgf$/);
  done("keyboard and marks");

  // Two windows on one game: the second one to write gets a copy.
  const shared = await gameId(page);
  const other = await openPage(browser, `${server.url}#/board/${shared}`);
  await until("the same game there", async () => (await stones(other)) > 0);
  await clickPoint(page, 4, 4, 5);
  await until("kept", async () => (await page.locator(".saved.saved").count()) > 0);
  const last = await moveNumber(page);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.keyboard.press("End");
  await clickPoint(other, 0, 4, 5);
  await until("a copy", async () => (await gameId(other)) !== shared);
  await other.context().close();
  done("two windows");

  // A game that is even for somebody eight ranks weaker: two stones, no komi to speak of, and the level begins.
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByLabel("Level", { exact: true }).selectOption("12k");
  await page.getByLabel("Even game for your rank").selectOption("20k");
  await page.locator("dialog").getByRole("button", { name: "Play" }).click();
  await until("two stones and the level's move", async () => (await stones(page)) === 3);
  const even = await until("its record", async () => {
    const text = await (await fetch(`${server.url}api/games/${await gameId(page)}`)).text();
    return /;W\[/.test(text) && text;
  });
  assert.match(even, /HA\[2\]/);
  assert.match(even, /KM\[0\.5\]/);
  // Later games are without it.
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByLabel("Even game for your rank").selectOption("");
  await page.locator("dialog").getByRole("button", { name: "Play" }).click();
  await until("an empty board", async () => (await stones(page)) === 0);
  done("even game");

  // The server dies and comes back; the game and the page go on.
  await page.goto(`${server.url}#/board/${id}`);
  await page.reload();
  await until("the first game", async () => (await gameId(page)) === id && (await stones(page)) === before);
  await page.getByRole("button", { name: "New game" }).click();
  await page.getByLabel("Level", { exact: true }).selectOption("20k");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await until("a new game", async () => (await stones(page)) === 0);
  await clickPoint(page, 4, 4);
  await until("the answer", async () => (await stones(page)) === 2);
  await until("kept", async () => (await page.locator(".saved.saved").count()) > 0);
  await server.kill();
  await page.locator(".gone").waitFor();
  server = await startServer(binary, games, { port: server.port, extra: ["--lab", lab] });
  await page.locator(".gone").waitFor({ state: "detached" });
  await page.reload();
  await until("the game after the kill", async () => (await stones(page)) === 2);
  await clickPoint(page, 2, 2);
  await until("the next answer", async () => (await stones(page)) === 4);
  done("kill");

  // Life and death.
  await page.getByRole("link", { name: "Tsumego" }).click();
  const collection = page.getByLabel("Collection", { exact: true });
  await until("problems", async () => (await collection.locator("option").count()) > 100);
  const option = await collection.locator("option", { hasText: "straight three, corner, to kill" }).getAttribute("value");
  await collection.selectOption(option);
  await page.getByRole("button", { name: "Solve" }).click();
  await page.locator(".badge.dies").waitFor();
  assert.equal(await page.locator(".best-moves button").allTextContents().then((all) => all.join()), "B9");
  // Every wrong move has its refutation, drawn when it is pointed at.
  const wrong = page.locator(".wrong-moves button").filter({ hasNotText: "pass" });
  assert.ok((await wrong.count()) >= 2);
  await wrong.first().hover();
  await until("the refutation", async () => (await page.locator(".ghost").count()) >= 2);
  await wrong.first().click();
  await page.locator(".badge.lives").waitFor();
  await page.getByRole("button", { name: "Best move" }).click();
  await until("two steps", async () => (await page.locator(".steps li").count()) === 2);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.locator(".badge.dies").waitFor();
  const ko = await collection.locator("option", { hasText: "one threat" }).first().getAttribute("value");
  await collection.selectOption(ko);
  await page.getByRole("button", { name: "Solve" }).click();
  await page.locator(".badge.ko").waitFor();
  assert.match(await page.locator(".verdict").textContent(), /direct ko.*threat/);
  done("tsumego");

  // The laboratory.
  await page.getByRole("link", { name: "Lab" }).click();
  await page.getByRole("link", { name: /trial/ }).waitFor();
  await page.locator(".chart").waitFor();
  writeFileSync(join(run, "results.jsonl"), '{"key":"a","result":1}\n{"key":"b","result":1}\n');
  await until("the second job", async () => /2 done/.test(await page.locator(".lab-page").textContent()), 15000);
  done("lab");

  // What axe says, in light and dark.
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const part of ["board", "tsumego", "lab"]) {
      await page.goto(`${server.url}#/${part}`);
      await sleep(150);
      await axe(page, `${part}, ${scheme}`);
    }
    await page.goto(`${server.url}#/board`);
    await page.getByRole("button", { name: "New game" }).click();
    await axe(page, `new game, ${scheme}`);
    await page.keyboard.press("Escape");
  }
  done("axe");

  // A telephone: nothing is wider than the screen, and a tap plays.
  const phone = await openPage(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await phone.locator(".board").waitFor();
  for (const part of ["board", "tsumego", "lab"]) {
    await phone.goto(`${server.url}#/${part}`);
    await sleep(150);
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${part} is too wide`);
  }
  await phone.goto(`${server.url}#/board`);
  await until("an empty board", async () => (await stones(phone)) === 0);
  await phone.touchscreen.tap(...(await place(phone, 4, 4)));
  await until("a tap", async () => (await stones(phone)) === 2);
  assert.deepEqual(phone.complaints, []);
  assert.deepEqual(page.complaints, []);
  done("phone");
} catch (error) {
  await page.screenshot({ path: join(directory, "failure.png") }).catch(() => {});
  console.log(`after ${stamps.join(", ")}; see ${join(directory, "failure.png")}`);
  console.log(await page.locator("body").innerText().catch(() => ""));
  throw error;
} finally {
  await browser.close();
  await server.kill();
}
console.log(stamps.join(", "));
