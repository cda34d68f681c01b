// Keeps the keyboard's place in the list while rows come, go and move.
//
// A browser drops the focus when its element is removed or moved. After a row has left by the person's own
// act the focus goes to the row that follows it, so that a list can be worked off with one key; a row that
// somebody else has moved takes the focus with it.

import { useLayoutEffect } from "./preact.js";

let place = null;
let leaving = null;

export const rows = () => [...document.querySelectorAll(".row")];
export const rowOf = (element) => element?.closest?.(".row") ?? null;
export const idOf = (row) => Number(row.dataset.id);

/** The row with the focus, if any. */
export const currentRow = () => rowOf(document.activeElement);

/** Focuses a button of the row: `act` is "done", "open" or "snooze". */
export function focusRow(row, act = "done") {
  const button = row?.querySelector(`[data-act=${act}]`);
  button?.focus();
  button?.scrollIntoView({ block: "nearest" });
}

/** To be called before an act that may take the task's row away. */
export function moveOn(id) {
  leaving = id;
}

document.addEventListener("focusin", ({ target }) => {
  const row = rowOf(target);
  if (!row) return;
  leaving = null;
  place = { id: idOf(row), act: target.dataset.act ?? "done", order: rows().map(idOf) };
});

// Who points somewhere else has left the list on purpose.
document.addEventListener("pointerdown", ({ target }) => {
  if (!rowOf(target)) place = null;
});

/** Restores a focus that drawing has dropped. To be used by the list. */
export function useKeptFocus() {
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (!place || (active && active !== document.body)) return;
    const present = new Map(rows().map((row) => [idOf(row), row]));
    const at = place.order.indexOf(place.id);
    const before = place.order.slice(0, at).reverse();
    const candidates = [...place.order.slice(at + 1), ...before];
    if (leaving !== place.id) candidates.unshift(place.id);
    const next = candidates.find((id) => present.has(id));
    if (next === undefined) document.getElementById("quick-add")?.focus();
    else focusRow(present.get(next), place.act);
  });
}
