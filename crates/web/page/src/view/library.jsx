// The games that are kept.

import { useEffect, useState } from "preact/hooks";
import { getJson, removeGame } from "../net/api.js";
import { Button, Dialog, ago, chooseFile } from "./common.jsx";

export function Library({ model, onClose }) {
  const [games, setGames] = useState(null);
  const [text, setText] = useState("");
  const load = () => getJson("/api/games").then(({ games }) => setGames(games)).catch(() => setGames([]));
  useEffect(() => void load(), []);
  const take = async (bytes, name) => {
    await model.read(bytes, name);
    onClose();
  };
  return (
    <Dialog title="Open a game" onClose={onClose}>
      <div class="actions">
        <Button class="primary" onClick={() => chooseFile(".sgf,.gib,.ngf,text/plain", take)}>Choose a file…</Button>
        <span class="faint">or drop it on the board</span>
      </div>
      <label class="field wide">
        <span>Paste SGF</span>
        <textarea rows="3" value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} />
      </label>
      {text.trim() && (
        <div class="actions end">
          <Button onClick={() => take(new TextEncoder().encode(text), "The text")}>Read it</Button>
        </div>
      )}
      <h3>Your games</h3>
      {games === null && <p class="faint">…</p>}
      {games?.length === 0 && <p class="faint">There are none yet. Every game you play is kept here.</p>}
      <ul class="games">
        {games?.map((game) => (
          <li key={game.id}>
            <button type="button" class="row" onClick={() => model.open(game.id).then(onClose)}>
              <span>
                <b>{game.black || "Black"}</b> – <b>{game.white || "White"}</b>
                <small>{game.size} · {game.moves} moves{game.result ? ` · ${game.result}` : ""} · {ago(game.modified)}</small>
              </span>
            </button>
            <Button class="quiet" aria-label={`Delete the game of ${ago(game.modified)}`} onClick={async () => {
              if (confirm("Delete this game for good?")) {
                await removeGame(game.id).catch(() => {});
                load();
              }
            }}>✕</Button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
