// Screenshots for people to look at: node shots.mjs BINARY OUT [LAB]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clickPoint, moveNumber, openPage, paste, sleep, startBrowser, startServer, until } from "./harness.mjs";

const [binary, out, lab] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "tesuji-shots-"));
const SGF =
  "(;GM[1]FF[4]SZ[9]KM[7.5]RU[chinese]PB[Aya]PW[Ben];B[ee];W[ce];B[cd];W[dd];B[de];W[cf];B[bd];W[ed];B[fd];W[ec];B[gf];W[cc];B[bc];W[bb];B[be](;W[df];B[ef];W[fc];B[gc];W[gb];B[hb])(;W[bf];B[dc];W[cb]))";
const server = await startServer(binary, join(directory, "games"), { extra: lab ? ["--lab", lab] : [] });
const browser = await startBrowser();
const shoot = async (page, name, options) => page.screenshot({ path: join(out, `${name}.png`), ...options });

async function analysed(page) {
  await page.locator(".board").waitFor();
  await paste(page, SGF);
  await until("the game", async () => (await page.locator(".tree-node").count()) > 20);
  await page.keyboard.press("End");
  await until("the end", async () => (await moveNumber(page)) > 15);
  await page.locator(".candidate.best").waitFor();
  await page.getByRole("button", { name: "Analyse the whole game" }).click();
  await until("the graph", async () => (await page.getByRole("button", { name: "Analyse the whole game" }).count()) === 1, 60000);
  for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => document.activeElement.blur());
  await sleep(2500);
}

const wide = await openPage(browser, server.url, { colorScheme: "light" });
await analysed(wide);
await shoot(wide, "web-board");
const best = await wide.locator(".candidate.best circle").boundingBox();
await wide.mouse.move(best.x + best.width / 2, best.y + best.height / 2);
await sleep(300);
await shoot(wide, "web-variation");
await wide.mouse.move(5, 5);
await wide.getByRole("button", { name: "New game" }).click();
await shoot(wide, "web-new-game");
await wide.keyboard.press("Escape");
await wide.evaluate(() => document.activeElement.blur());
await wide.emulateMedia({ colorScheme: "dark" });
await sleep(200);
await shoot(wide, "web-board-dark");
await wide.emulateMedia({ colorScheme: "light" });
await wide.getByLabel("Time for the review").selectOption("60");
await wide.getByRole("button", { name: "Review this game" }).click();
await until("the review", async () => (await wide.locator(".review .card-head").textContent()).includes("finished"), 240000);
await wide.locator(".mistakes .row").first().click();
await wide.evaluate(() => window.scrollTo(0, document.querySelector(".card.analysis").offsetTop - 12));
await sleep(400);
await shoot(wide, "web-review");
await wide.emulateMedia({ colorScheme: "dark" });
await shoot(wide, "web-review-dark");
await wide.emulateMedia({ colorScheme: "light" });
await wide.getByRole("link", { name: "Tsumego" }).click();
const collection = wide.getByLabel("Collection", { exact: true });
await until("problems", async () => (await collection.locator("option").count()) > 100);
await collection.selectOption(await collection.locator("option", { hasText: /approach|two threats|one threat/ }).first().getAttribute("value"));
await wide.getByRole("button", { name: "Solve" }).click();
await wide.locator(".badge").waitFor();
await sleep(200);
await shoot(wide, "web-tsumego");
await wide.getByRole("link", { name: "Lab" }).click();
await sleep(800);
await shoot(wide, "web-lab");

const phone = await openPage(browser, server.url, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true, colorScheme: "light" });
await analysed(phone);
await phone.evaluate(() => window.scrollTo(0, 0));
await shoot(phone, "web-phone");
await shoot(phone, "web-phone-full", { fullPage: true });
await phone.getByRole("button", { name: "Review this game" }).click();
await phone.locator(".mistakes .row").first().waitFor({ timeout: 120000 });
await phone.locator(".mistakes .row").first().click();
await sleep(400);
await shoot(phone, "web-phone-review", { fullPage: true });
await phone.goto(`${server.url}#/tsumego`);
await sleep(300);
await phone.getByRole("button", { name: "Solve" }).click();
await phone.locator(".badge").waitFor();
await shoot(phone, "web-phone-tsumego", { fullPage: true });
await browser.close();
await server.kill();
rmSync(directory, { recursive: true });
