// The lab page: runs, their tables and drawings, read again every few seconds while somebody looks.

import { useEffect, useState } from "preact/hooks";
import { getJson, getText } from "../net/api.js";
import { Chart } from "./chart.jsx";
import { Choice, ago } from "./common.jsx";
import { Markdown, Table } from "./markdown.jsx";

const REFRESH = 4000;
/** A run that was written to so many seconds ago is under way. */
const ALIVE = 60;
const MOST_ROWS = 200;

/** Asks again and again; stops while the page is hidden. */
function useLive(address) {
  const [value, setValue] = useState(null);
  const [error, setError] = useState(null);
  useEffect(() => {
    if (!address) return setValue(null);
    let isOn = true;
    const load = () =>
      document.hidden
        ? undefined
        : getJson(address).then(
            (value) => isOn && (setValue(value), setError(null)),
            (failure) => isOn && setError(failure.message),
          );
    load();
    const timer = setInterval(load, REFRESH);
    return () => {
      isOn = false;
      clearInterval(timer);
    };
  }, [address]);
  return [value, error];
}

/** A table as text: the first line with columns is the head; comments begin with #. */
export function readCsv(text) {
  const split = (line) => {
    const cells = [];
    for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) cells.push(quoted !== undefined ? quoted.replaceAll('""', '"') : plain);
    return cells;
  };
  const lines = text.split(/\r?\n/).filter((line) => line && !line.startsWith("#")).map(split);
  return { head: lines[0] ?? [], rows: lines.slice(1) };
}

function CsvFile({ run, name, stamp }) {
  const [table, setTable] = useState(null);
  const [column, setColumn] = useState("");
  useEffect(() => {
    getText(`/api/lab/file?run=${encodeURIComponent(run)}&name=${encodeURIComponent(name)}`).then((text) => setTable(readCsv(text)), () => {});
  }, [run, name, stamp]);
  if (!table) return null;
  const numeric = table.head.filter((_, i) => i > 0 && table.rows.length > 2 && table.rows.every((row) => row[i] === "" || Number.isFinite(Number(row[i]))));
  const canPlot = numeric.length > 0 && table.rows.every((row) => Number.isFinite(Number(row[0])));
  const chosen = numeric.includes(column) ? column : numeric[0];
  const at = table.head.indexOf(chosen);
  return (
    <section class="card">
      <div class="card-head"><h2>{name.replace(/\.csv$/, "")}</h2><small>{table.rows.length} rows</small></div>
      {canPlot && numeric.length > 1 && <Choice label={`Curve over ${table.head[0]}`} value={chosen} options={numeric.map((one) => [one, one])} onChange={setColumn} />}
      {canPlot && <Chart label={`${chosen} over ${table.head[0]}`} series={[{ name: chosen, points: table.rows.filter((row) => row[at] !== "").map((row) => [Number(row[0]), Number(row[at])]) }]} />}
      <Table head={table.head} rows={table.rows.slice(-MOST_ROWS)} />
    </section>
  );
}

function Run({ name }) {
  const [run, error] = useLive(`/api/lab/run?run=${encodeURIComponent(name)}`);
  if (error) return <p class="error-text">{error}</p>;
  if (!run) return <p class="faint">…</p>;
  const isAlive = Date.now() / 1000 - run.modified < ALIVE;
  const file = (file) => `/api/lab/file?run=${encodeURIComponent(name)}&name=${encodeURIComponent(file)}&t=${run.modified}`;
  const drawings = run.files.filter((file) => file.endsWith(".svg") && !run.report?.includes(file));
  return (
    <div class="panel">
      <section class="card">
        <div class="card-head">
          <h1>{name}</h1>
          {isAlive && <span class="live">● live</span>}
        </div>
        <p class="faint">
          {run.kind} · {run.done} done{run.failed > 0 ? ` · ${run.failed} failed` : ""} · changed {ago(run.modified)}
        </p>
        {run.match && (
          <>
            <p><b>{run.match.headline}</b></p>
            <Chart range={[0, 1]} label={`Score of ${run.match.first} by game`} series={[{ name: `score of ${run.match.first}`, points: run.match.rates }]} />
            <Markdown text={run.match.results} image={file} />
            <Markdown text={run.match.efforts} image={file} />
          </>
        )}
        {run.terms && Object.keys(run.terms).length > 0 && (
          <details>
            <summary>Terms</summary>
            <Table head={["term", "value"]} rows={Object.entries(run.terms).map(([term, value]) => [term, typeof value === "string" ? value : JSON.stringify(value)])} />
          </details>
        )}
      </section>
      {run.report && <section class="card"><Markdown text={run.report} image={file} /></section>}
      {drawings.map((drawing) => <section key={drawing} class="card report"><img src={file(drawing)} alt={drawing} /></section>)}
      {run.files.filter((file) => file.endsWith(".csv")).map((csv) => <CsvFile key={csv} run={name} name={csv} stamp={run.modified} />)}
    </div>
  );
}

export function LabPage({ run }) {
  const [list, error] = useLive("/api/lab");
  const runs = list?.runs ?? [];
  const shown = run || runs[0]?.name;
  return (
    <main class="page lab-page">
      <section class="card">
        <h1>Runs</h1>
        {error && <p class="error-text">{error}</p>}
        {list && runs.length === 0 && (
          <p class="faint">There are no runs in {list.roots.join(", ")}. <code>tesuji lab dfuct --quick</code> makes one; <code>tesuji web --lab DIRECTORY</code> looks elsewhere.</p>
        )}
        <ul class="runs">
          {runs.map((one) => (
            <li key={one.name}>
              <a href={`#/lab/${encodeURIComponent(one.name)}`} aria-current={one.name === shown ? "page" : undefined}>
                <b>{one.name}</b>
                <small>{one.kind} · {one.done} done · {ago(one.modified)}</small>
              </a>
            </li>
          ))}
        </ul>
      </section>
      {shown ? <Run key={shown} name={shown} /> : <div />}
    </main>
  );
}
