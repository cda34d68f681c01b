// The few drawings of the page. They take the colour of the text beside them and say nothing to screen readers.

import { html } from "./preact.js";

const icon = (path) => html`
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d=${path} fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round"
      stroke-linejoin="round" />
  </svg>`;

export const undoIcon = icon("M8.5 5 4 9.5 8.5 14M4 9.5h10.25a5.25 5.25 0 0 1 0 10.5H9");
export const redoIcon = icon("M15.5 5 20 9.5 15.5 14M20 9.5H9.75a5.25 5.25 0 0 0 0 10.5H15");
export const personIcon = icon("M12 12.25a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5ZM4.75 20c.9-3.4 3.8-5 7.25-5s6.35 1.6 7.25 5");
export const plusIcon = icon("M12 5.5v13M5.5 12h13");
export const checkIcon = icon("m6.5 12.5 3.75 3.75L17.75 8.5");
export const repeatIcon = icon("M4.5 11V9.5A3.5 3.5 0 0 1 8 6h11m-3-3 3 3-3 3M19.5 13v1.5A3.5 3.5 0 0 1 16 18H5m3 3-3-3 3-3");
export const flagIcon = icon("M6 20.5V4.5m0 .5c4-2.4 7 2.2 12 0v8.5c-5 2.2-8-2.4-12 0");
export const bellIcon = icon("M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l1.5 1.5H5l1.5-1.5ZM10 20.5h4");
