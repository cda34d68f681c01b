// One task in the list.

import { done, snooze } from "./actions.js";
import { moveOn } from "./focus.js";
import { checkIcon, flagIcon, repeatIcon } from "./icons.js";
import { html } from "./preact.js";
import { read, rowKey, update } from "./store.js";
import { isEnriching, isOver, isPastDeadline, isUnread, ownLabels, priorityWords, target } from "./task.js";
import { inFull, targetLabel, until } from "./time.js";

function When({ task, now, zone }) {
  if (task.due_at === null) return null;
  const due = target(task);
  const { day, time, age } = targetLabel(due, now, zone);
  return html`
    <time class="when" datetime=${task.due_at} title=${inFull(due, zone)}>
      ${day && html`<span class="day">${day} </span>`}<span class="hour">${time}</span>
      ${age >= 1 && html`<span class="age" title="${age} ${age === 1 ? "day" : "days"} over target">${age}d</span>`}
    </time>`;
}

/** What the enricher makes of the text, while there is something to say. */
function Mark({ task }) {
  if (isEnriching(task)) return html`<span class="mark is-enriching">enriching</span>`;
  if (isUnread(task)) return html`<span class="mark is-unread">could not be read</span>`;
  return null;
}

function Facts({ task, project, now, zone }) {
  return html`
    <div class="facts">
      <${Mark} task=${task} />
      ${task.priority > 0 && html`
        <span class="fact priority p${task.priority}">${priorityWords[task.priority]}</span>`}
      ${project && !isEnriching(task) && html`
        <span class="fact"><span class="dot c-${project.color ?? "gray"}"></span><bdi>${project.name}</bdi></span>`}
      ${isPastDeadline(task, now)
        ? html`<span class="fact is-past">${flagIcon}past deadline</span>`
        : task.deadline_at && html`
          <span class="fact">${flagIcon}by ${until(Date.parse(task.deadline_at), now, zone)}</span>`}
      ${task.is_recurring && html`<span class="fact">${repeatIcon}repeats</span>`}
      ${ownLabels(task).map((label) => html`<span class="fact" key=${label}><bdi>${label}</bdi></span>`)}
    </div>`;
}

export function openTask(id) {
  const task = read().tasks.find((other) => other.id === id);
  if (task) update({ dialog: { name: "task", task } });
}

function Row({ task, project, now, zone, isSelected, isFlashed }) {
  // Drawn ahead of the server: there is nothing to act on yet.
  const isDraft = task.id < 0;
  const press = (act) => () => {
    if (isDraft) return;
    moveOn(task.id);
    act(task.id);
  };
  const kinds = ["row", isOver(task, now) && "is-over", isSelected && "is-selected", isFlashed && "is-flashed"];
  return html`
    <li class=${kinds.filter(Boolean).join(" ")} data-id=${task.id} aria-current=${isSelected ? "true" : null}>
      <button type="button" class="check p${task.priority}" data-act="done" aria-disabled=${isDraft}
        aria-label="Done: ${task.title}" aria-keyshortcuts="d" onClick=${press(done)}>
        <span class="circle">${checkIcon}</span>
      </button>
      <button type="button" class="title" data-act="open" aria-disabled=${isDraft} aria-haspopup="dialog"
        onClick=${() => openTask(task.id)}><span><bdi>${task.title}</bdi></span></button>
      <div class="under">
        <${When} task=${task} now=${now} zone=${zone} />
        <${Facts} task=${task} project=${project} now=${now} zone=${zone} />
      </div>
      <button type="button" class="later" data-act="snooze" aria-disabled=${isDraft}
        aria-label="+1h: ${task.title}" aria-keyshortcuts="s" onClick=${press(snooze)}><span>+1h</span></button>
    </li>`;
}

// Rows as they were drawn last. Preact skips what is the very same; a press redraws one row of a thousand.
const drawn = new Map();

/**
 * The row of a task: the one that is there already, if nothing that it shows has changed. `midnight` is when
 * today ends: labels change with the day.
 */
export function drawRow(shown) {
  const { task, project, now, midnight, zone, isSelected, isFlashed } = shown;
  const seen = JSON.stringify([
    task, project?.name, project?.color, isOver(task, now), isPastDeadline(task, now), midnight, zone, isSelected,
    isFlashed,
  ]);
  const before = drawn.get(task.id);
  if (before?.seen === seen) return before.row;
  const row = html`<${Row} key=${rowKey(task.id)} ...${shown} />`;
  drawn.set(task.id, { seen, row });
  return row;
}
