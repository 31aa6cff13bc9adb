// Reads and writes SGF. The server has made the text strict before it comes here (see record.rs), so this knows no leniency:
// whatever is unexpected is an error. Nothing recurses: games may be a thousand moves deep.

let nextId = 1;

/** A node of a game tree. */
export class Node {
  constructor(parent = null) {
    this.id = nextId++;
    this.parent = parent;
    this.children = [];
    /** Values by property. */
    this.props = {};
    /** What the engine thinks of the position, if it was asked. */
    this.analysis = null;
  }

  get(name) {
    return this.props[name]?.[0];
  }

  set(name, ...values) {
    if (values.length === 0 || values[0] === undefined) delete this.props[name];
    else this.props[name] = values;
  }

  /** Number of nodes above. */
  get depth() {
    let depth = 0;
    for (let node = this.parent; node; node = node.parent) depth++;
    return depth;
  }
}

export function parse(text) {
  let at = 0;
  const fail = (what) => {
    throw new Error(`${what} at character ${at + 1}`);
  };
  const skip = () => {
    while (/\s/.test(text[at] ?? "")) at++;
  };
  let root = null;
  let node = null;
  const branches = [];
  skip();
  while (at < text.length) {
    const c = text[at];
    if (c === "(") {
      if (root && branches.length === 0) break;
      branches.push(node);
      at++;
    } else if (c === ")") {
      if (branches.length === 0) fail("unexpected )");
      node = branches.pop();
      at++;
      if (branches.length === 0) break;
    } else if (c === ";") {
      if (branches.length === 0) fail("a node outside a game");
      const next = new Node(node);
      if (node) node.children.push(next);
      else if (root) fail("a second root");
      else root = next;
      node = next;
      at++;
    } else if (/[A-Z]/.test(c)) {
      if (!node) fail("a property outside a node");
      const start = at;
      while (/[A-Z]/.test(text[at] ?? "")) at++;
      const name = text.slice(start, at);
      const values = [];
      skip();
      while (text[at] === "[") {
        at++;
        let value = "";
        while (text[at] !== "]") {
          if (at >= text.length) fail("a value without end");
          if (text[at] === "\\") at++;
          value += text[at] ?? "";
          at++;
        }
        at++;
        values.push(value);
        skip();
      }
      if (values.length === 0) fail(`${name} has no value`);
      node.props[name] = values;
    } else fail(`unexpected ${c}`);
    skip();
  }
  if (!root) fail("no game");
  return root;
}

const escape = (value) => value.replace(/[\\\]]/g, (c) => "\\" + c);

export function write(root) {
  const text = [];
  const open = [[root, "node"]];
  while (open.length > 0) {
    const [node, what] = open.pop();
    if (what === "close") {
      text.push(")");
      continue;
    }
    const isBranch = !node.parent || node.parent.children.length > 1;
    if (isBranch) {
      text.push("(");
      open.push([node, "close"]);
    }
    text.push(";");
    for (const [name, values] of Object.entries(node.props))
      text.push(name, ...values.map((value) => `[${escape(value)}]`));
    for (let i = node.children.length - 1; i >= 0; i--) open.push([node.children[i], "node"]);
  }
  return text.join("") + "\n";
}
