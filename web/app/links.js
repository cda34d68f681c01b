// Addresses that ask for something: /?task=5, /?filter=overdue, /?project=2, /?action=create (clients C.3).

import { get } from "./api.js";
import { base } from "./base.js";
import { focusRow, idOf, rows } from "./focus.js";
import { say, sayRefused } from "./receipt.js";
import { read, shownTask, update } from "./store.js";
import { refresh } from "./sync.js";
import { isListed, kind, quoted } from "./task.js";

const flash_ms = 4000;

/** Marks the row for a while, so that the eye finds it. */
export function flash(id) {
  update({ flashed: id });
  setTimeout(() => {
    if (read().flashed === id) update({ flashed: null });
  }, flash_ms);
}

const number = (text) => (/^[1-9]\d*$/.test(text ?? "") ? Number(text) : null);

const afterDrawing = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
});

/** Brings the row into view; selected, its buttons are one key away. */
async function show(id, isSelected) {
  update({ filter: null, selected: isSelected ? id : null });
  flash(id);
  await afterDrawing();
  const row = rows().find((other) => idOf(other) === id);
  if (isSelected) focusRow(row);
  row?.scrollIntoView({ block: "center" });
}

/** Says why the task is not in the list. */
async function explain(id) {
  let task;
  try {
    task = await get(`api/tasks/${id}`);
  } catch (refusal) {
    sayRefused(refusal.status === 404 ? "This task is gone" : refusal.message);
    return;
  }
  const title = quoted(task.title);
  if (task.deleted_at) say(`${title} is in the trash`);
  else if (task.done) say(`${title} is done`);
  else if (kind(task) !== "task") say(`${title} is a ${kind(task)}, and not on this list`);
  else if (!isListed(task)) say(`${title} is in the archive`);
}

/** Does what `url` asks for. The parameters leave the address bar: a reload must not jump again. */
export async function followLink(url) {
  const asked = new URL(url, base).searchParams;
  const id = number(asked.get("task"));
  const project = number(asked.get("project"));
  if (asked.size > 0 && location.search) history.replaceState(null, "", location.pathname);
  if (asked.get("action") === "create") document.getElementById("quick-add").focus();
  if (["overdue", "over-target"].includes(asked.get("filter"))) update({ filter: { over: true } });
  else if (project) update({ filter: { project } });
  if (!id) return;
  update({ dialog: null });
  // A notification may be faster than the event of the change that it tells of.
  if (!shownTask(id)) await refresh();
  const task = shownTask(id);
  if (task && isListed(task)) await show(id, !asked.has("highlight"));
  else await explain(id);
}
