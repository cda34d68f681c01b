// The list: over target, today, later, without a date.

import { snoozeAll } from "./actions.js";
import { useKeptFocus } from "./focus.js";
import { html } from "./preact.js";
import { drawRow } from "./row.js";
import { update } from "./store.js";
import { sweepCount } from "./task.js";

function Group({ name, title, tasks, aside, note, draw }) {
  if (tasks.length === 0 && !note) return null;
  return html`
    <section class="group is-${name}" aria-labelledby="group-${name}">
      <header>
        <h2 id="group-${name}">${title}${tasks.length > 0 && html` <span class="count">${tasks.length}</span>`}</h2>
        ${aside}
      </header>
      ${tasks.length > 0 ? html`<ul role="list">${tasks.map(draw)}</ul>` : html`<p class="note">${note}</p>`}
    </section>`;
}

function SnoozeAll({ over, now, isSweeping }) {
  const count = sweepCount(over, now);
  if (count === 0) return null;
  return html`
    <button type="button" class="button sweep" aria-disabled=${isSweeping} onClick=${snoozeAll}>
      <span>Snooze all<span class="unseen"> over target</span> (${count})</span>
    </button>`;
}

function FilterNote({ filter, projects }) {
  if (!filter) return null;
  const words = filter.over
    ? "over target"
    : projects.find((project) => project.id === filter.project)?.name ?? "this project";
  return html`
    <p class="filter">
      <span>Showing only <bdi>${words}</bdi></span>
      <button type="button" class="button quiet" onClick=${() => update({ filter: null })}>Show all</button>
    </p>`;
}

export function List({ found, state, midnight, zone }) {
  useKeptFocus();
  const { now, projects, filter } = state;
  const byId = new Map(projects.map((project) => [project.id, project]));
  const draw = (task) => drawRow({
    task, project: byId.get(task.project_id), now, midnight, zone,
    isSelected: state.selected === task.id, isFlashed: state.flashed === task.id,
  });

  const isEmpty = Object.values(found).every((tasks) => tasks.length === 0);
  if (isEmpty && !filter) {
    return html`
      <p class="empty">Nothing to do. Type what comes to mind above: a day, a time, <code>!high</code>,${" "}
        <code>#project</code> are understood.</p>`;
  }
  const rest = filter?.over ? { ...found, added: [], today: [], later: [], undated: [] } : found;
  return html`
    <${FilterNote} filter=${filter} projects=${projects} />
    <${Group} name="added" title="Just added" tasks=${rest.added} draw=${draw} />
    <${Group} name="over" title="Over target" tasks=${rest.over} draw=${draw}
      note=${filter?.over && "No tasks over target"}
      aside=${html`<${SnoozeAll} over=${rest.over} now=${now} isSweeping=${state.isSweeping} />`} />
    <${Group} name="today" title="Today" tasks=${rest.today} draw=${draw}
      note=${!filter && rest.over.length === 0 && "Nothing due today"} />
    <${Group} name="later" title="Later" tasks=${rest.later} draw=${draw} />
    <${Group} name="undated" title="No date" tasks=${rest.undated} draw=${draw} />`;
}
