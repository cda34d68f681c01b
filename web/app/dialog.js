// A modal dialog: the browser's own, which keeps the focus inside, closes on Escape and gives the focus back.

import { html, useEffect, useRef } from "./preact.js";
import { update } from "./store.js";

export const closeDialog = () => update({ dialog: null });

/** `title` names it. A press on the dark around it closes it, unless `isKept` (something was typed). */
export function Dialog({ title, isKept = false, children }) {
  const place = useRef(null);
  useEffect(() => {
    place.current.showModal();
  }, []);
  const closeFromOutside = (event) => {
    if (event.target === place.current && !isKept) closeDialog();
  };
  return html`
    <dialog ref=${place} aria-labelledby="dialog-title" onClose=${closeDialog} onPointerDown=${closeFromOutside}>
      <div class="sheet">
        <header>
          <h2 id="dialog-title">${title}</h2>
          <button type="button" class="button quiet" aria-label="Close" onClick=${() => place.current.close()}>
            ×
          </button>
        </header>
        ${children}
      </div>
    </dialog>`;
}
