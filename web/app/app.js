// The page as a whole.

import { AccountDialog, NotificationsOffer } from "./account.js";
import { turn } from "./actions.js";
import { personIcon, redoIcon, undoIcon } from "./icons.js";
import { KeysDialog } from "./keys.js";
import { List } from "./list.js";
import { html, useEffect, useState } from "./preact.js";
import { QuickAdd } from "./quick-add.js";
import { Receipt } from "./receipt.js";
import { read, shownTasks, subscribe, update, zone } from "./store.js";
import { TaskDialog } from "./task-dialog.js";
import { groups } from "./task.js";
import { headline, nextMidnight, timeOfDay } from "./time.js";

function Bar({ state }) {
  const { undo, turning, user } = state;
  return html`
    <header class="bar">
      <p class="brand"><img src="icons/icon.svg" width="28" height="28" alt="" />OpenTask</p>
      <div class="tools">
        <button type="button" class="tool ${turning === "undo" ? "is-busy" : ""}" aria-label="Undo" title="Undo (u)" aria-keyshortcuts="u"
          aria-disabled=${undo.undoable_count === 0} onClick=${() => turn("undo")}>
          ${undoIcon}
        </button>
        <button type="button" class="tool ${turning === "redo" ? "is-busy" : ""}" aria-label="Redo" title="Redo (r)" aria-keyshortcuts="r"
          aria-disabled=${undo.redoable_count === 0} onClick=${() => turn("redo")}>
          ${redoIcon}
        </button>
        <button type="button" class="tool" aria-label="Account" title="Account" aria-haspopup="dialog"
          aria-disabled=${!user} onClick=${() => user && update({ dialog: { name: "account" } })}>
          ${personIcon}
        </button>
      </div>
    </header>`;
}

/** "3 over target · 2 more today": what the day still asks for. */
function dayInWords(found) {
  const parts = [];
  if (found.over.length > 0) parts.push(html`<strong>${found.over.length} over target</strong>`);
  if (found.today.length > 0) parts.push(`${found.today.length} ${parts.length > 0 ? "more today" : "today"}`);
  if (parts.length === 0) return "Nothing due today";
  return parts.flatMap((part, index) => (index === 0 ? [part] : [" · ", part]));
}

function Headline({ state, found }) {
  const { weekday, date } = headline(state.now, zone());
  return html`
    <div class="headline">
      <h1>${weekday} <span>${date}</span></h1>
      <p>${state.loadedAt ? dayInWords(found) : "\u00a0"}</p>
    </div>`;
}

/** Old rows are better than none, but never without saying so (V-75). */
function Connection({ state }) {
  const { isStale, isConnected, loadedAt } = state;
  let words = null;
  if (isStale) {
    words = loadedAt
      ? `Couldn't reach OpenTask. This is how it was at ${timeOfDay(loadedAt, zone())}`
      : "Couldn't reach OpenTask";
  } else if (!isConnected) words = "Reconnecting…";
  return html`<p class="connection" role="status">${words}</p>`;
}

export function App() {
  const [, draw] = useState(0);
  useEffect(() => subscribe(() => draw((count) => count + 1)), []);

  const state = read();
  const { filter, dialog } = state;
  const tasks = shownTasks().filter((task) => !filter?.project || task.project_id === filter.project);
  const midnight = nextMidnight(state.now, zone());
  const found = groups(tasks, state.justAdded, state.now, midnight);

  useEffect(() => {
    document.title = found.over.length > 0 ? `(${found.over.length}) OpenTask` : "OpenTask";
  }, [found.over.length]);

  return html`
    <${Bar} state=${state} />
    <main>
      <${Headline} state=${state} found=${found} />
      <${QuickAdd} />
      <${Connection} state=${state} />
      ${state.loadedAt
        ? html`<${List} found=${found} state=${state} midnight=${midnight} zone=${zone()} />`
        : !state.isStale && html`<p class="empty" role="status">Loading…</p>`}
      ${state.loadedAt && html`<${NotificationsOffer} />`}
    </main>
    <${Receipt} receipt=${state.receipt} turn=${turn} />
    ${dialog?.name === "task" && html`
      <${TaskDialog} key=${dialog.task.id} task=${dialog.task} projects=${state.projects} now=${state.now} />`}
    ${dialog?.name === "keys" && html`<${KeysDialog} />`}
    ${dialog?.name === "account" && html`<${AccountDialog} user=${state.user} />`}`;
}
