// Small things that all pages use.

import { useEffect, useRef } from "preact/hooks";

export function Button({ class: name = "", pressed, children, ...rest }) {
  return (
    <button type="button" class={name} aria-pressed={pressed} {...rest}>
      {children}
    </button>
  );
}

const SHAPES = {
  first: "M2 2h3v12H2zM14 2v12L6 8z",
  back: "M13 2v12L4 8z",
  forward: "M3 2v12l9-6z",
  last: "M11 2h3v12h-3zM2 2v12l8-6z",
};

/** A small drawing for a button; not all systems have these as letters. */
export function Icon({ name }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}

/** A dialog over the page; Escape and a click outside close it. */
export function Dialog({ title, onClose, children }) {
  const dialog = useRef(null);
  useEffect(() => {
    dialog.current.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <header>
        <h2>{title}</h2>
        <Button class="quiet" aria-label="Close" onClick={onClose}>✕</Button>
      </header>
      {children}
    </dialog>
  );
}

export function Message({ message, onClose }) {
  return (
    <div class="messages" role="status" aria-live="polite">
      {message && (
        <div class={`message ${message.kind}`}>
          <span>{message.text}</span>
          <Button class="quiet" aria-label="Dismiss" onClick={onClose}>✕</Button>
        </div>
      )}
    </div>
  );
}

/** `wide`: the options are sentences and take a whole row. */
export function Choice({ label, value, options, onChange, wide = false }) {
  return (
    <label class={wide ? "field wide" : "field"}>
      <span>{label}</span>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>{text}</option>
        ))}
      </select>
    </label>
  );
}

export function NumberField({ label, value, onChange, ...rest }) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="number" value={value} onInput={(event) => onChange(event.currentTarget.value)} {...rest} />
    </label>
  );
}

/** Lets the browser save a text as a file. */
export function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Calls back with the bytes of a file that somebody chooses. */
export function chooseFile(accept, taken) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.onchange = async () => {
    const [file] = input.files;
    if (file) taken(await file.arrayBuffer(), file.name);
  };
  input.click();
}

export const ago = (seconds) => {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  if (passed < 90) return "just now";
  if (passed < 5400) return `${Math.round(passed / 60)} minutes ago`;
  if (passed < 130000) return `${Math.round(passed / 3600)} hours ago`;
  return new Date(seconds * 1000).toLocaleDateString();
};
