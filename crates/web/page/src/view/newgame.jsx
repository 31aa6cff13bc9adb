// The dialog before a game.

import { useState } from "preact/hooks";
import { Choice, Dialog, NumberField } from "./common.jsx";
import { getJson } from "../net/api.js";
import { memory } from "./model.js";

export function NewGame({ model, onClose }) {
  const [wish, setWish] = useState(() => memory.get("wish", { side: 9, rules: "chinese", engine: "W", pace: "level", level: "12k", handicap: 0, clock: "none" }));
  const [error, setError] = useState(null);
  const set = (name) => (value) => setWish({ ...wish, [name]: value });
  const usual = model.about.rules.find(({ name }) => name === wish.rules)?.komi ?? 7.5;
  const komi = wish.komi ?? (Number(wish.handicap) >= 2 ? 0.5 : usual);
  const levels = model.about.levels;
  // A wish of an older version may name a level that is not there any more.
  const level = levels.some(({ name }) => name === wish.level) ? wish.level : "12k";
  const isRank = (name) => /^\d+[kd]$/.test(name);
  const ranks = levels.map(({ name }) => name).filter(isRank);
  const asksEven = wish.engine !== "none" && wish.pace === "level" && isRank(level);
  const ownRank = asksEven && ranks.includes(wish.rank) ? wish.rank : "";
  const begin = async () => {
    const number = (text) => (text === undefined || text === "" ? undefined : Number(text));
    const width = wish.side === "other" ? number(wish.width) : Number(wish.side);
    const height = wish.side === "other" ? number(wish.height) : Number(wish.side);
    if (![width, height].every((side) => Number.isInteger(side) && side >= 2 && side <= 25)) return setError("A board has from 2 to 25 lines.");
    if (!(Math.abs(Number(komi)) <= 1000)) return setError("Komi is a number.");
    const clocks = { none: {}, short: { main: 300, period: 20, periods: 3 }, long: { main: 1800, period: 30, periods: 5 }, absolute: { main: 600 } };
    const terms = {
      width, height, rules: wish.rules, komi: Number(komi), handicap: number(wish.handicap) ?? 0,
      engine: wish.engine === "none" ? undefined : wish.engine === "random" ? (Math.random() < 0.5 ? "B" : "W") : wish.engine,
      ...(wish.pace === "level" ? { level } : { seconds: Number(wish.seconds ?? 5) }),
      ...clocks[wish.clock],
    };
    memory.set("wish", wish);
    try {
      if (ownRank) {
        const even = await getJson(`/api/even?width=${width}&height=${height}&own=${ownRank}&level=${level}`);
        Object.assign(terms, { handicap: even.stones, komi: even.komi ?? usual });
        // The weaker side has Black.
        if (even.color) terms.engine = even.color === "B" ? "W" : "B";
      }
      await model.begin(terms);
      onClose();
    } catch (failure) {
      setError(failure.message);
    }
  };
  return (
    <Dialog title="New game" onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); begin(); }}>
        <div class="fields">
          <Choice label="Board" value={wish.side} onChange={set("side")} options={[[9, "9 × 9"], [13, "13 × 13"], [19, "19 × 19"], ["other", "another size"]]} />
          <Choice label="You play" value={wish.engine} onChange={set("engine")} options={[["W", "Black"], ["B", "White"], ["random", "either"], ["none", "both sides"]]} />
          {wish.side === "other" && <NumberField label="Width" min="2" max="25" value={wish.width ?? 7} onChange={set("width")} />}
          {wish.side === "other" && <NumberField label="Height" min="2" max="25" value={wish.height ?? 7} onChange={set("height")} />}
          <Choice label="Rules" value={wish.rules} onChange={set("rules")} options={model.about.rules.map(({ name }) => [name, name.replaceAll("-", " ")])} />
          {wish.engine !== "none" && <Choice label="Opponent" value={wish.pace} onChange={set("pace")} options={[["level", "a level"], ["seconds", "seconds a move"]]} />}
          {wish.engine !== "none" && wish.pace === "level" && (
            <Choice wide label="Level" value={level} onChange={set("level")} options={levels.map(({ name, description }) => [name, description])} />
          )}
          {wish.engine !== "none" && wish.pace === "seconds" && <NumberField label="Seconds" min="0.1" max="600" step="any" value={wish.seconds ?? 5} onChange={set("seconds")} />}
          {asksEven && <Choice label="Even game for your rank" value={ownRank} onChange={set("rank")} options={[["", "no"], ...ranks.map((name) => [name, name])]} />}
          {!ownRank && <NumberField label="Komi" step="any" value={komi} onChange={set("komi")} />}
          {!ownRank && <NumberField label="Handicap" min="0" max="9" value={wish.handicap} onChange={set("handicap")} />}
          <Choice label="Clock" value={wish.clock} onChange={set("clock")} options={[["none", "none"], ["short", "5 min + 3 × 20 s"], ["long", "30 min + 5 × 30 s"], ["absolute", "10 min"]]} />
        </div>
        {error && <p class="error-text" role="alert">{error}</p>}
        <div class="actions end">
          <button type="submit" class="primary">Play</button>
        </div>
      </form>
    </Dialog>
  );
}
