// What has just happened, in a sentence, with the way back beside it.

import { html, useEffect, useRef } from "./preact.js";
import { read, update } from "./store.js";

// Long enough to read it and to reach the button; the buttons in the header stay for good.
const shown_ms = 12_000;

let number = 0;

/** Says that something was done. `offers`: "undo", "redo" or null. */
export function say(text, offers = null) {
  update({ receipt: { number: ++number, text, isRefusal: false, offers } });
}

/** Says that something was not done, and why. */
export function sayRefused(text) {
  update({ receipt: { number: ++number, text, isRefusal: true, offers: null } });
}

export const hideReceipt = () => update({ receipt: null });

/** The receipt's place. Both regions are always there: a screen reader only hears changes of regions it knows. */
export function Receipt({ receipt, turn }) {
  const place = useRef(null);

  useEffect(() => {
    if (!receipt) return undefined;
    let timer;
    // Somebody who points at it, or has the focus on its button, is not done with it.
    const hide = () => {
      if (place.current.matches(":hover, :focus-within")) timer = setTimeout(hide, shown_ms / 4);
      else if (read().receipt?.number === receipt.number) hideReceipt();
    };
    timer = setTimeout(hide, shown_ms);
    return () => clearTimeout(timer);
  }, [receipt?.number]);

  const words = receipt && html`<bdi>${receipt.text}</bdi>`;
  return html`
    <div ref=${place} class="receipt ${receipt ? "is-shown" : ""} ${receipt?.isRefusal ? "is-refusal" : ""}">
      <p role="status">${receipt && !receipt.isRefusal && words}</p>
      <p role="alert">${receipt?.isRefusal && words}</p>
      ${receipt?.offers === "undo" && html`
        <button type="button" onClick=${() => turn("undo")}>Undo</button>`}
      ${receipt?.offers === "redo" && html`
        <button type="button" onClick=${() => turn("redo")}>Redo</button>`}
      ${receipt && html`
        <button type="button" class="quiet" aria-label="Close this message" onClick=${hideReceipt}>×</button>`}
    </div>`;
}
