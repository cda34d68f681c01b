// What the page knows: the server's rows, the person's changes that the server has not confirmed, the screen.
//
// 1. `tasks` are the server's rows as they were last loaded; nothing else writes them.
// 2. A change lies over them from the press on. A refusal takes it away: the rows are as before.
// 3. An answered change stays until a load that began after the answer has arrived. An older load may have
//    been read before the change was stored, and would make the task jump back for a moment.

const state = {
  tasks: [],
  projects: [],
  user: null,
  undo: { undoable_count: 0, redoable_count: 0 },
  changes: [],

  /** When the rows were loaded, as an instant; null before the first time. */
  loadedAt: null,
  /** The last load failed: what is shown may be old. */
  isStale: false,
  isConnected: true,

  now: Date.now(),
  /** Ids of tasks typed on this page, for the place below the line and the word when they have been read. */
  justAdded: new Set(),
  /** The task that a link or a notification asked for. */
  selected: null,
  /** The task that has just come to its place. */
  flashed: null,
  /** null, {over: true} or {project: id}. */
  filter: null,
  /** null, {name: "task", task}, {name: "keys"} or {name: "account"}. */
  dialog: null,
  /** null or {number, text, isRefusal, offers: "undo" | "redo" | null}. */
  receipt: null,
  isSweeping: false,
  /** null, "undo" or "redo": the one under way. */
  turning: null,
};

const listeners = new Set();

/** The state, to read. */
export const read = () => state;

/** Puts `part` into the state and draws. */
export function update(part) {
  Object.assign(state, part);
  for (const listener of listeners) listener();
}

export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The tasks as the person should see them: the server's, with his changes over them. */
export const shownTasks = () => state.changes.reduce((tasks, change) => change.apply(tasks), state.tasks);

export const shownTask = (id) => shownTasks().find((task) => task.id === id);

export const zone = () => state.user?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;

// Loads are numbered by their beginning; see 3 above.
let begun = 0;

export const beginLoad = () => ++begun;

/** Takes over what load `number` has brought, and drops the changes that it contains. */
export function finishLoad(number, loaded) {
  const changes = state.changes.filter((change) => change.answeredIn === null || change.answeredIn >= number);
  update({ ...loaded, changes, loadedAt: Date.now(), isStale: false, now: Date.now() });
}

/** Lays `apply` (tasks to tasks) over the rows. */
export function addChange(apply) {
  const change = { apply, answeredIn: null };
  update({ changes: [...state.changes, change] });
  return change;
}

/** The server has said yes: from here on `apply` draws its answer. */
export function settleChange(change, apply) {
  change.apply = apply;
  change.answeredIn = begun;
  update({});
}

/** The server has said no. */
export function dropChange(change) {
  update({ changes: state.changes.filter((other) => other !== change) });
}

/** A change that shows `task` as an answer gave it, unless a load has brought a newer version. */
export const showing = (task) => (tasks) => {
  const known = tasks.find((other) => other.id === task.id);
  if (known && known.version > task.version) return tasks;
  return [...tasks.filter((other) => other.id !== task.id), task];
};

/** A change that gives the task `id` other fields. */
export const withFields = (id, fields) => (tasks) =>
  tasks.map((task) => (task.id === id ? { ...task, ...fields } : task));

/** A change that takes the task `id` off the list. */
export const without = (id) => (tasks) => tasks.filter((task) => task.id !== id);

// A row that was drawn before the server gave its id keeps its place on the screen afterwards.
const drawnAs = new Map();
export const rememberRow = (id, drawnId) => drawnAs.set(id, drawnId);
export const rowKey = (id) => drawnAs.get(id) ?? id;
