// What a person can do. Each act is drawn at once, sent in the order of the presses, and taken back with a
// sentence when the server refuses.

import * as api from "./api.js";
import { say, sayRefused } from "./receipt.js";
import {
  addChange, dropChange, read, rememberRow, settleChange, showing, shownTask, update, withFields, without, zone,
} from "./store.js";
import { refresh } from "./sync.js";
import { quoted, target } from "./task.js";
import { anHourLater, until } from "./time.js";

let last = Promise.resolve();
let refused = 0;

/** Runs `work` after everything that was pressed before: an undo must find the done that it undoes. */
function inOrder(work) {
  const run = last.then(work);
  last = run.catch(() => {
    refused += 1;
  });
  return run;
}

/**
 * Draws `apply`, then sends. The answer's task is drawn until the next load; a refusal is said and drawn back.
 * Returns the answer, or null when it was refused.
 */
async function act(apply, send, settle = showing) {
  const change = addChange(apply);
  try {
    const answer = await inOrder(send);
    settleChange(change, settle(answer));
    refresh();
    return answer;
  } catch (refusal) {
    dropChange(change);
    sayRefused(refusal.message);
    // What the page showed may have been old, or the answer was lost on its way.
    refresh();
    return null;
  }
}

const say_until = (instant) => until(instant, Date.now(), zone());

let typed = 0;

/** Adds a task as typed. Returns whether the server took it. */
export async function add(title) {
  const { user, justAdded } = read();
  const drawnId = -(++typed);
  const draft = {
    id: drawnId, title, project_id: null, priority: 0, due_at: null, labels: ["ai-to-process"], done: false,
    deleted_at: null, archived_at: null, is_tracked: false, progress_target: 1, is_reminder: false,
    is_recurring: false, user_id: user?.id, notes: null, version: 0,
  };
  const newest = Math.max(0, ...read().tasks.map((task) => task.id));
  justAdded.add(drawnId);
  // The event may be faster than the answer: then the row is there already, and the draft is not needed.
  const isIt = (task) => task.id > newest && (task.original_title ?? task.title) === title;
  const task = await act(
    (tasks) => (tasks.some(isIt) ? tasks : [...tasks, draft]),
    async () => {
      const made = await api.post("api/tasks", { title });
      justAdded.add(made.id);
      rememberRow(made.id, drawnId);
      return made;
    },
  );
  justAdded.delete(drawnId);
  if (task) say(`Added ${quoted(task.title)}`, "undo");
  return task !== null;
}

/** Done, for the target that is shown: a press that comes late does not complete the next one (C-3). */
export async function done(id) {
  const task = shownTask(id);
  if (!task) return;
  say(`Completed ${quoted(task.title)}`, "undo");
  const body = task.due_at === null ? {} : { due_at: task.due_at };
  const answer = await act(without(id), () => api.post(`api/tasks/${id}/done`, body));
  if (answer?.stale) say(`${quoted(task.title)} has another target by now. Nothing was changed`);
  else if (answer?.already_done) say(`${quoted(task.title)} was done already`);
  else if (answer?.next_due_at) {
    say(`Completed ${quoted(task.title)}. Next: ${say_until(Date.parse(answer.next_due_at))}`, "undo");
  }
}

/** An hour later: the target's own hour, or from now when it has passed (S-3). */
export async function snooze(id) {
  const task = shownTask(id);
  if (!task) return;
  const now = Date.now();
  const later = anHourLater(target(task), now, zone());
  const deadline = task.deadline_at ? Date.parse(task.deadline_at) : null;
  const drawn = deadline !== null && deadline > now ? Math.min(later, deadline) : later;
  say(`Snoozed ${quoted(task.title)} to ${say_until(drawn)}`, "undo");
  const answer = await act(
    withFields(id, { due_at: new Date(drawn).toISOString() }),
    () => api.post(`api/tasks/${id}/snooze`, { option: "60" }),
  );
  if (answer?.stopped_at_deadline) {
    // A target that was there already has not moved, and leaves nothing to undo (D-13).
    const moved = answer.previous_due_at !== answer.due_at;
    say(`Stopped at the deadline, ${say_until(Date.parse(answer.due_at))}`, moved ? "undo" : null);
  } else if (answer?.description) say(answer.description, "undo");
}

/** Everything over target goes on, by the person's own default; the server says what moved and what did not. */
export async function snoozeAll() {
  if (read().isSweeping) return;
  update({ isSweeping: true });
  try {
    const answer = await inOrder(() => api.post("api/tasks/bulk/snooze-overdue", { notify: false }));
    say(answer.message, answer.tasks_affected > 0 ? "undo" : null);
  } catch (refusal) {
    sayRefused(refusal.message);
  }
  await refresh();
  update({ isSweeping: false });
}

/** Writes `fields` of a task. Throws the refusal: the dialog keeps what was typed and says it there. */
export async function edit(id, fields) {
  const answer = await inOrder(() => api.patch(`api/tasks/${id}`, fields));
  settleChange(addChange(showing(answer)), showing(answer));
  if (answer.fields_changed.length > 0) say(answer.description || `Changed ${quoted(answer.title)}`, "undo");
  refresh();
}

/** To the trash; undo brings it back. */
export async function remove(id) {
  const task = shownTask(id);
  if (!task) return;
  say(`Deleted ${quoted(task.title)}`, "undo");
  await act(without(id), () => api.remove(`api/tasks/${id}`));
}

/** Takes back the person's last act on any device, or repeats what was taken back: `way` is "undo" or "redo". */
export async function turn(way) {
  update({ turning: way });
  const refusedBefore = refused;
  try {
    const answer = await inOrder(() => {
      // Pressed for an act that was refused meanwhile: the server would take back the one before it.
      if (refused > refusedBefore) throw new api.Refusal("Nothing was changed, so there is nothing to undo", 0);
      return api.post(`api/${way}`);
    });
    const { undoable_count, redoable_count } = answer;
    update({ undo: { undoable_count, redoable_count } });
    const words = way === "undo" ? "Undid" : "Redid";
    say(`${words}: ${answer.description ?? "the last change"}`, way === "undo" ? "redo" : "undo");
  } catch (refusal) {
    sayRefused(refusal.message);
  }
  await refresh();
  update({ turning: null });
}
