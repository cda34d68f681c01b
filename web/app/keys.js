// The keyboard. Single keys act only while nobody types and no dialog is open, and can be switched off, so
// that they never get in the way of speech input (WCAG 2.1.4).

import { done, snooze, turn } from "./actions.js";
import { Dialog } from "./dialog.js";
import { currentRow, focusRow, idOf, moveOn, rows } from "./focus.js";
import { html, useState } from "./preact.js";
import { hideReceipt } from "./receipt.js";
import { openTask } from "./row.js";
import { read, update } from "./store.js";

export const table = [
  [["n", "/"], "Type a new task"],
  [["j", "↓"], "Next task"],
  [["k", "↑"], "Task before"],
  [["d", "Enter"], "Done"],
  [["s"], "One hour later"],
  [["e"], "Details"],
  [["u"], "Undo"],
  [["r"], "Redo"],
  [["?"], "These keys"],
];

const setting = "opentask-single-keys";

// A browser may refuse storage; then the choice lasts as long as the page.
let isOn = (() => {
  try {
    return localStorage.getItem(setting) !== "off";
  } catch {
    return true;
  }
})();

function switchKeys(on) {
  isOn = on;
  try {
    localStorage.setItem(setting, on ? "on" : "off");
  } catch {
    // See above.
  }
}

/** Goes `step` rows on; from outside the list to the task that a link asked for, else to the first. */
function step(by) {
  const all = rows();
  const at = all.indexOf(currentRow());
  const wanted = at >= 0
    ? all[Math.min(Math.max(at + by, 0), all.length - 1)]
    : all.find((row) => idOf(row) === read().selected) ?? all[0];
  focusRow(wanted);
}

/** Acts on the task that has the focus, else on the one that a link asked for. */
function onCurrent(act) {
  const row = currentRow();
  const id = row ? idOf(row) : read().selected;
  if (id === null || id < 0) return;
  moveOn(id);
  act(id);
}

const acts = {
  n: () => document.getElementById("quick-add").focus(),
  j: () => step(1),
  k: () => step(-1),
  d: () => onCurrent(done),
  s: () => onCurrent(snooze),
  e: () => onCurrent(openTask),
  u: () => turn("undo"),
  r: () => turn("redo"),
  "?": () => update({ dialog: { name: "keys" } }),
};
acts["/"] = acts.n;
acts.U = acts.r;

// Held down, a key walks on through the list; it never completes one task after the other.
const repeatable = new Set(["j", "k", "ArrowDown", "ArrowUp"]);

const isTyping = (element) => Boolean(element.closest?.("input, textarea, select, [contenteditable]"));

function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open]")) return;
  const isInLine = event.target.id === "quick-add";

  // Arrows and Escape are no letters: they are always on, where they mean nothing else.
  if (event.key === "ArrowDown" && (currentRow() || isInLine)) step(1);
  else if (event.key === "ArrowUp" && currentRow()) step(-1);
  else if (event.key === "Escape" && isInLine) event.target.blur();
  else if (event.key === "Escape") hideReceipt();
  else if (isOn && !isTyping(event.target) && acts[event.key]) {
    if (event.repeat && !repeatable.has(event.key)) return;
    acts[event.key]();
  } else return;
  event.preventDefault();
}

export const startKeys = () => document.addEventListener("keydown", onKey);

export function KeysDialog() {
  const [on, setOn] = useState(isOn);
  const choose = (event) => {
    switchKeys(event.target.checked);
    setOn(event.target.checked);
  };
  return html`
    <${Dialog} title="Keys">
      <dl class="keys">
        ${table.map(([keys, words]) => html`
          <div key=${words}>
            <dt>${keys.map((key) => html`<kbd key=${key}>${key}</kbd>`)}</dt>
            <dd>${words}</dd>
          </div>`)}
      </dl>
      <label class="switch">
        <input type="checkbox" checked=${on} onChange=${choose} />
        Single keys act without Ctrl
      </label>
    <//>`;
}
