// Keeps the rows as the server has them: one load at a time, however many events ask for one.

import { get } from "./api.js";
import { beginLoad, finishLoad, read, update } from "./store.js";

const page = 1000;

async function openTasks() {
  const tasks = [];
  for (;;) {
    const { tasks: some } = await get(`api/tasks?kind=task&limit=${page}&offset=${tasks.length}`);
    tasks.push(...some);
    if (some.length < page) return tasks;
  }
}

async function load() {
  const number = beginLoad();
  const [tasks, { projects }, user, undo] = await Promise.all([
    openTasks(), get("api/projects"), get("api/auth/me"), get("api/undo/status"),
  ]);
  finishLoad(number, { tasks, projects, user, undo });
}

let running = null;
let isAskedAgain = false;

/**
 * Loads everything. While a load runs, any number of calls lead to exactly one more after it, because
 * what they announce may have come too late for the running one. Never throws: the page says that it is old.
 */
export function refresh() {
  if (running) {
    isAskedAgain = true;
    return running;
  }
  running = (async () => {
    do {
      isAskedAgain = false;
      try {
        await load();
      } catch {
        if (!read().isStale) update({ isStale: true });
      }
    } while (isAskedAgain);
    running = null;
  })();
  return running;
}
