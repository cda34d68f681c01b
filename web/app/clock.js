// Draws the page again when time alone changes it: a target arrives, a day ends (V-76).

import { read, shownTasks, update, zone } from "./store.js";
import { nextArrival } from "./task.js";
import { nextMidnight } from "./time.js";

// Timers overflow at 2^31 ms and stand still while a machine sleeps: the clock is looked at this often anyway.
const longest_ms = 10 * 60_000;

let timer = null;

function arm() {
  clearTimeout(timer);
  const now = Date.now();
  const next = Math.min(nextArrival(shownTasks(), now), nextMidnight(now, zone()));
  timer = setTimeout(tick, Math.min(next - now, longest_ms));
}

function tick() {
  update({ now: Date.now() });
}

/** Starts; `watch` is the store's subscribe: each change of the rows may bring another next instant. */
export function startClock(watch) {
  let armedFor = null;
  watch(() => {
    const { tasks, changes, now, user } = read();
    const key = [tasks, changes, now, user];
    if (armedFor?.every((part, index) => part === key[index])) return;
    armedFor = key;
    arm();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") tick();
  });
}
