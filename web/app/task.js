// What the page needs to know of a task: its kind, its group, its place. Pure.

export const priorityWords = ["", "Low", "Medium", "High", "Urgent"];

/** The target as an instant, or null. Read once per call: `due_at` stays the text that the server sent. */
export const target = (task) => (task.due_at === null ? null : Date.parse(task.due_at));

const isQuota = (task) => task.is_tracked || task.progress_target > 1;

/** "quota", "reminder" or "task" (T-1). */
export const kind = (task) => (isQuota(task) ? "quota" : task.is_reminder ? "reminder" : "task");

/** Whether it belongs to this list: an open task that is neither a reminder nor a quota (T-4, V-1). */
export function isListed(task) {
  return kind(task) === "task" && !task.done && task.deleted_at === null && task.archived_at === null;
}

/** Over target from the instant of the target on (T-5). */
export const isOver = (task, now) => task.due_at !== null && target(task) <= now;

export const isPastDeadline = (task, now) => Boolean(task.deadline_at) && Date.parse(task.deadline_at) <= now;

/** Waiting for the enricher, or given up by it. */
export const isEnriching = (task) => task.labels.includes("ai-to-process");
export const isUnread = (task) => task.labels.includes("ai-failed");

/** Labels that a person gave: names that begin with "ai-" are the system's. */
export const ownLabels = (task) => task.labels.filter((label) => !label.startsWith("ai-"));

/**
 * Soonest target first, then higher priority, then lower id (V-3, T-18). Instants are written in one form
 * (api.md 1.5), so that their texts are in the order of time.
 */
function byTarget(a, b) {
  if (a.due_at !== b.due_at) return a.due_at < b.due_at ? -1 : 1;
  return b.priority - a.priority || a.id - b.id;
}

/**
 * The tasks in their groups, in the order in which the page shows them; `midnight` is when today ends. Tasks
 * whose id is in `justAdded` stay below the line in which they were typed until they have been read.
 */
export function groups(tasks, justAdded, now, midnight) {
  const found = { added: [], over: [], today: [], later: [], undated: [] };
  for (const task of tasks.filter(isListed)) {
    if (justAdded.has(task.id) && isEnriching(task)) found.added.push(task);
    else if (task.due_at === null) found.undated.push(task);
    else if (isOver(task, now)) found.over.push(task);
    else if (target(task) < midnight) found.today.push(task);
    else found.later.push(task);
  }
  for (const group of Object.values(found)) group.sort(byTarget);
  // What was typed last is nearest to the line.
  found.added.reverse();
  return found;
}

/** How many of these over-target tasks a snooze of all would move (S-12, V-13). */
export function sweepCount(over, now) {
  const movable = over.filter((task) => task.priority < 4);
  const lower = movable.filter((task) => task.priority < 3 && !isPastDeadline(task, now));
  return lower.length > 0 ? lower.length : movable.length;
}

/** The next instant at which a row changes by itself: a target or a deadline arrives. Infinity = none. */
export function nextArrival(tasks, now) {
  const instants = tasks.filter(isListed)
    .flatMap(({ due_at, deadline_at }) => [Date.parse(due_at), Date.parse(deadline_at)]);
  return Math.min(...instants.filter((instant) => instant > now));
}

/** A title as it is quoted in a sentence (U-12). */
export function quoted(title) {
  const letters = [...title];
  return letters.length > 20 ? `"${letters.slice(0, 20).join("")}..."` : `"${title}"`;
}
