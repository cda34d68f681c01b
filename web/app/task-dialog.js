// A task's details, to read and to change.

import { edit, remove } from "./actions.js";
import { closeDialog, Dialog } from "./dialog.js";
import { moveOn } from "./focus.js";
import { html, useState } from "./preact.js";
import { zone } from "./store.js";
import { priorityWords, target } from "./task.js";
import { fromInput, toInput, until } from "./time.js";

/** The task as the form shows it. */
const asTyped = (task) => ({
  title: task.title,
  notes: task.notes ?? "",
  due: task.due_at === null ? "" : toInput(target(task), zone()),
  priority: task.priority,
  project_id: task.project_id,
});

/**
 * Only what was changed here is written, so that an edit never undoes somebody else's (A-3).
 * A target that is picked is a new schedule, not a snooze (T-8).
 */
function changedFields(typed, shown) {
  const fields = {};
  for (const key of ["title", "priority", "project_id"]) {
    if (typed[key] !== shown[key]) fields[key] = typed[key];
  }
  if (typed.notes !== shown.notes) fields.notes = typed.notes.trim() === "" ? null : typed.notes;
  if (typed.due !== shown.due) {
    const due = fromInput(typed.due, zone());
    fields.due_at = due === null ? null : new Date(due).toISOString();
    if (due !== null) fields.reset_original_due_at = true;
  }
  return fields;
}

export function TaskDialog({ task, projects, now }) {
  const [shown] = useState(() => asTyped(task));
  const [typed, setTyped] = useState(shown);
  const [refusal, setRefusal] = useState(null);
  const [isSaving, setSaving] = useState(false);
  const fields = changedFields(typed, shown);
  const isChanged = Object.keys(fields).length > 0;
  const set = (key, value) => setTyped((before) => ({ ...before, [key]: value }));
  const take = (key, convert = (value) => value) => (event) => set(key, convert(event.target.value));

  const save = async (event) => {
    event.preventDefault();
    if (!isChanged) {
      closeDialog();
      return;
    }
    setSaving(true);
    setRefusal(null);
    try {
      await edit(task.id, fields);
      closeDialog();
    } catch (error) {
      setRefusal(error.message);
      setSaving(false);
    }
  };

  const trash = () => {
    moveOn(task.id);
    closeDialog();
    remove(task.id);
  };

  return html`
    <${Dialog} title="Task" isKept=${isChanged} firstField="task-title">
      <form class="fields" onSubmit=${save}>
        <label for="task-title">Title</label>
        <textarea id="task-title" dir="auto" rows="2" maxlength="10000" required
          value=${typed.title} onInput=${take("title", (text) => text.replace(/\n/g, " "))}></textarea>

        <label for="task-due">Target</label>
        <div class="with-button">
          <input id="task-due" type="datetime-local" value=${typed.due} onInput=${take("due")} />
          ${typed.due && html`
            <button type="button" class="button quiet" aria-label="Remove the target"
              onClick=${() => set("due", "")}>Clear</button>`}
        </div>
        ${task.deadline_at && html`
          <p class="hint">Deadline ${until(Date.parse(task.deadline_at), now, zone())}</p>`}

        <div class="pair">
          <div>
            <label for="task-priority">Priority</label>
            <select id="task-priority" value=${typed.priority} onChange=${take("priority", Number)}>
              ${priorityWords.map((word, rank) => html`
                <option key=${rank} value=${rank} selected=${rank === typed.priority}>${word || "Unset"}</option>`)}
            </select>
          </div>
          <div>
            <label for="task-project">Project</label>
            <select id="task-project" value=${typed.project_id} onChange=${take("project_id", Number)}>
              ${projects.map(({ id, name }) => html`
                <option key=${id} value=${id} selected=${id === typed.project_id}>${name}</option>`)}
            </select>
          </div>
        </div>

        <label for="task-notes">Notes</label>
        <textarea id="task-notes" dir="auto" rows="4" maxlength="100000" value=${typed.notes}
          onInput=${take("notes")}></textarea>

        ${task.original_title && task.original_title !== task.title && html`
          <p class="hint">Typed as <q><bdi>${task.original_title}</bdi></q></p>`}
        <p role="alert" class="refusal">${refusal}</p>

        <div class="acts">
          <button type="button" class="button quiet is-danger" onClick=${trash}>Delete</button>
          <button type="submit" class="button is-ready" aria-disabled=${isSaving}>
            ${isSaving ? "Saving…" : "Save"}
          </button>
        </div>
      </form>
    <//>`;
}
