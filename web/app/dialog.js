// A modal dialog: the browser's own, which keeps the focus inside, closes on Escape and gives the focus back.

import { html, useEffect, useRef } from "./preact.js";
import { read, update } from "./store.js";

export const closeDialog = () => update({ dialog: null });

// On a phone a focused field brings up the keyboard, over the very things that one came to see.
const hasKeyboard = matchMedia("(hover: hover)");

/**
 * `title` names it. A press on the dark around it closes it, unless `isKept` (something was typed).
 * The focus begins in the field with the id `firstField`, else on the button that closes.
 */
export function Dialog({ title, isKept = false, firstField, children }) {
  const place = useRef(null);
  // The browser tells of a closing a moment later; by then another dialog may be open.
  const own = useRef(read().dialog);
  const closed = () => {
    if (read().dialog === own.current) closeDialog();
  };
  useEffect(() => {
    const dialog = place.current;
    dialog.showModal();
    if (firstField && hasKeyboard.matches) document.getElementById(firstField).focus();
    // Removed while open, it would not give the focus back.
    return () => dialog.close();
  }, []);
  const closeFromOutside = (event) => {
    if (event.target === place.current && !isKept) closeDialog();
  };
  return html`
    <dialog ref=${place} aria-labelledby="dialog-title" onClose=${closed} onPointerDown=${closeFromOutside}>
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
