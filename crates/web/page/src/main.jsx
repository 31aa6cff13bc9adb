// The page: which part of it is shown, and in which colours.

import "./style.css";
import { render } from "preact";
import { useEffect, useMemo, useReducer, useState } from "preact/hooks";
import { watchServer } from "./net/desk.js";
import { BoardPage } from "./view/boardpage.jsx";
import { Button } from "./view/common.jsx";
import { LabPage } from "./view/labpage.jsx";
import { Model, memory } from "./view/model.js";
import { TsumegoPage } from "./view/tsumegopage.jsx";

const THEMES = { auto: "Colours: as the system", light: "Colours: light", dark: "Colours: dark" };

function useHash() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = () => setHash(location.hash);
    window.addEventListener("hashchange", changed);
    return () => window.removeEventListener("hashchange", changed);
  }, []);
  const [, part = "board", ...rest] = hash.split("/");
  return { part: part || "board", rest: rest.join("/") };
}

function Page() {
  const [, redraw] = useReducer((n) => n + 1, 0);
  const model = useMemo(() => new Model(redraw), []);
  const { part, rest } = useHash();
  const [theme, setTheme] = useState(memory.get("theme", "auto"));
  const [isThere, setThere] = useState(true);
  useEffect(() => void model.start(part === "board" ? rest || undefined : undefined), []);
  useEffect(() => watchServer(setThere), []);
  useEffect(() => model.leave(part !== "board"), [part]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    memory.set("theme", theme);
  }, [theme]);
  const nextTheme = { auto: "light", light: "dark", dark: "auto" }[theme];
  const link = (name, text, address = `#/${name}`) => (
    <a href={address} aria-current={part === name ? "page" : undefined}>{text}</a>
  );
  return (
    <>
      <header class="top">
        <a class="brand" href={`#/board${model.id ? `/${model.id}` : ""}`}>
          <img src="/icon.svg" alt="" width="24" height="24" /> Tesuji
        </a>
        <nav aria-label="Pages">
          {link("board", "Board", `#/board${model.id ? `/${model.id}` : ""}`)}
          {link("tsumego", "Tsumego")}
          {link("lab", "Lab")}
        </nav>
        {!isThere && <span class="gone" role="alert">The server does not answer; trying again …</span>}
        <Button class="quiet theme" title={THEMES[theme]} aria-label={THEMES[theme]} onClick={() => setTheme(nextTheme)}>
          {{ auto: "◐", light: "☀", dark: "☾" }[theme]}
        </Button>
      </header>
      {part === "tsumego" ? <TsumegoPage /> : part === "lab" ? <LabPage run={decodeURIComponent(rest)} /> : <BoardPage model={model} />}
    </>
  );
}

render(<Page />, document.getElementById("page"));
