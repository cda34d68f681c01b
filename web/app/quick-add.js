// The line at the top: one text becomes one task.

import { add } from "./actions.js";
import { plusIcon } from "./icons.js";
import { html, useEffect, useRef, useState } from "./preact.js";

// What the server takes (api.md 1.8), in the browser's count, which is never the smaller one.
const longest = 10_000;

// An example says more than a rule, where there is room for it.
const hint = matchMedia("(min-width: 40rem)").matches ? "Call the plumber tomorrow at 9am !high #home" : "Add a task";

// A page that is left with half a sentence (the session has ended, a reload) shows it again.
const draft = "opentask-draft";

function takeDraft() {
  try {
    const text = sessionStorage.getItem(draft) ?? "";
    sessionStorage.removeItem(draft);
    return text;
  } catch {
    return "";
  }
}

function leaveDraft(text) {
  try {
    if (text) sessionStorage.setItem(draft, text);
  } catch {
    // A browser may refuse storage; then there is no draft.
  }
}

export function QuickAdd() {
  const [text, setText] = useState(takeDraft);
  const line = useRef(null);

  useEffect(() => {
    const leave = () => leaveDraft(line.current.value);
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);

  const submit = async (event) => {
    event.preventDefault();
    const title = text.trim();
    if (title === "") {
      line.current.focus();
      return;
    }
    setText("");
    line.current.focus();
    // What was refused comes back, unless the next text has been begun.
    if (!(await add(title)) && line.current.value === "") setText(title);
  };

  return html`
    <form class="quick-add" onSubmit=${submit}>
      <label for="quick-add" class="unseen">Add a task</label>
      <span class="glyph">${plusIcon}</span>
      <input id="quick-add" ref=${line} type="text" dir="auto" autocomplete="off" enterkeyhint="done"
        maxlength=${longest} placeholder=${hint} aria-keyshortcuts="n /"
        value=${text} onInput=${(event) => setText(event.target.value)} />
      <button type="submit" class="button ${text.trim() ? "is-ready" : ""}">Add</button>
    </form>`;
}
