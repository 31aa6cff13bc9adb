// Reports of the laboratory: the little of Markdown that they use. Text stays text; nothing in it becomes a tag.

/** Splits the pieces in *stars* and `ticks` from the rest. */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*|`[^`]+`)/).map((part, i) => {
    if (/^\*\*.+\*\*$/.test(part)) return <b key={i}>{part.slice(2, -2)}</b>;
    if (/^\*.+\*$/.test(part)) return <i key={i}>{part.slice(1, -1)}</i>;
    if (/^`.+`$/.test(part)) return <code key={i}>{part.slice(1, -1)}</code>;
    return part.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1");
  });
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

export function Table({ head, rows }) {
  return (
    <div class="scroll" tabIndex="0" role="region" aria-label="Table">
      <table>
        <thead><tr>{head.map((cell, i) => <th key={i} scope="col">{inline(cell)}</th>)}</tr></thead>
        <tbody>{rows.map((row, i) => <tr key={i}>{row.map((cell, k) => <td key={k}>{inline(cell)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

/** `image` makes the address of a drawing from its name. */
export function Markdown({ text, image }) {
  const blocks = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const heading = /^(#+)\s+(.*)/.exec(line);
    const drawing = /^!\[([^\]]*)\]\(([^)]+)\)/.exec(line.trim());
    if (heading) blocks.push(heading[1].length === 1 ? <h2 key={i}>{inline(heading[2])}</h2> : <h3 key={i}>{inline(heading[2])}</h3>);
    else if (drawing) blocks.push(<img key={i} src={image(drawing[2])} alt={drawing[1]} />);
    else if (line.startsWith("|")) {
      const rows = [];
      for (; lines[i]?.startsWith("|"); i++) rows.push(cells(lines[i]));
      i--;
      const body = rows.slice(1).filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
      blocks.push(<Table key={i} head={rows[0]} rows={body} />);
    } else if (/^[-*] /.test(line)) {
      const items = [];
      for (; /^[-*] /.test(lines[i] ?? ""); i++) items.push(lines[i].slice(2));
      i--;
      blocks.push(<ul key={i}>{items.map((item, k) => <li key={k}>{inline(item)}</li>)}</ul>);
    } else if (line.trim()) blocks.push(<p key={i}>{inline(line)}</p>);
  }
  return <div class="report">{blocks}</div>;
}
