// Starts the page.

import { App } from "./app.js";
import { startClock } from "./clock.js";
import { startKeys } from "./keys.js";
import { flash, followLink } from "./links.js";
import { html, render } from "./preact.js";
import { startWorker } from "./push.js";
import { say } from "./receipt.js";
import { read, shownTask, subscribe, update, zone } from "./store.js";
import { follow } from "./stream.js";
import { refresh } from "./sync.js";
import { priorityWords, target } from "./task.js";
import { targetLabel } from "./time.js";

/** "Added to Home · Tomorrow 9:00 AM · High", as the notification says it (N-30, V-117). */
function readingInWords(task) {
  const project = read().projects.find(({ id }) => id === task.project_id);
  const parts = [`Added to ${project?.name ?? "Inbox"}`];
  if (task.due_at !== null) {
    const { day, time } = targetLabel(target(task), Date.now(), zone());
    parts.push(day ? `${day} ${time}` : time);
  }
  if (task.priority > 0) parts.push(priorityWords[task.priority]);
  return parts.join(" · ");
}

async function onEvent(event) {
  const { type } = event;
  if (!["connected", "sync", "resync", "task_created", "enrichment_complete"].includes(type)) return;
  await refresh();
  if (type !== "enrichment_complete" || !read().justAdded.delete(event.taskId)) return;
  const task = shownTask(event.taskId);
  if (!task) return;
  say(readingInWords(task), "undo");
  flash(task.id);
}

const onState = (isUp, wasRefused = false) => {
  update({ isConnected: isUp });
  // A stream that the server refuses may mean that the session has ended: loading finds out.
  if (wasRefused) refresh();
};

render(html`<${App} />`, document.getElementById("app"));
startKeys();
startClock(subscribe);
startWorker();
follow({ onEvent, onState });

// A page that slept may have missed what it was told.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") refresh();
});
window.addEventListener("online", () => refresh());
window.addEventListener("open-add-form", () => followLink("?action=create"));
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data.type === "open") followLink(data.url);
});

await refresh();
await followLink(location.href);
