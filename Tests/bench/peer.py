"""The peer of the lists and updates: the same tasks by FastAPI and SQLite, as its documentation would have one write it.

It does less than ours: no undo entry, no event, no outgoing message, no next occurrence, one user's own tasks only.
Served by uvicorn with uvloop and httptools, one worker per core. OPENTASK_PEER_DB names its database: a copy of ours,
so rows, columns and indexes are the same.
"""

import hashlib
import os
import sqlite3
import threading
import time
from datetime import date, datetime
from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Json


class Task(BaseModel):
    id: int
    user_id: int
    project_id: int
    title: str
    original_title: str | None
    short_title: str | None
    done: bool
    done_at: datetime | None
    priority: int
    due_at: datetime | None
    rrule: str | None
    recurrence_mode: str
    anchor_time: str | None
    anchor_dow: int | None
    anchor_dom: int | None
    original_due_at: datetime | None
    last_notified_at: datetime | None = None
    last_critical_alert_at: datetime | None = None
    auto_snooze_minutes: int | None
    deleted_at: datetime | None
    archived_at: datetime | None
    labels: Json[list[str]]
    progress_target: int
    progress_current: int
    progress_period_start: datetime | None
    is_reminder: bool
    is_tracked: bool
    quota_prompt_config: Json | None
    quota_day_state: Json | None
    completion_count: int
    snooze_count: int
    skip_count: int
    first_completed_at: datetime | None
    last_completed_at: datetime | None
    notes: str | None
    created_at: datetime
    updated_at: datetime
    is_recurring: bool
    is_snoozed: bool
    deadline_at: datetime | None
    target_source: str | None
    deadline_all_day: bool
    short_months: str
    horizon: str | None
    segment_considered_on: date | None
    segment_deferred_on: date | None
    rrule_start: date | None
    next_occurrence: datetime | None = None
    version: int


class Tasks(BaseModel):
    tasks: list[Task]
    count: int


class TaskList(BaseModel):
    data: Tasks


class OneTask(BaseModel):
    data: Task


class Patch(BaseModel):
    title: str | None = None
    priority: int | None = None


class User(BaseModel):
    id: int
    name: str
    timezone: str


app = FastAPI()
bearer = HTTPBearer()
connections = threading.local()
# One writer at a time in this process; the other worker's is waited for by SQLite.
writing = threading.Lock()

COLUMNS = ", ".join(
    name for name in Task.model_fields
    if name not in ("is_recurring", "is_snoozed", "next_occurrence", "last_notified_at", "last_critical_alert_at"))
SELECT = f"""
    SELECT {COLUMNS}, rrule IS NOT NULL AS is_recurring,
        original_due_at IS NOT NULL AND original_due_at IS NOT due_at AS is_snoozed
    FROM task
"""


def database():
    if not hasattr(connections, "value"):
        connection = sqlite3.connect(os.environ["OPENTASK_PEER_DB"], isolation_level=None, timeout=30)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connections.value = connection
    return connections.value


def current_user(credentials: Annotated[HTTPAuthorizationCredentials, Depends(bearer)]) -> User:
    digest = hashlib.sha256(credentials.credentials.encode()).hexdigest()
    row = database().execute(
        "SELECT user.id, user.name, user.timezone FROM token JOIN user ON user.id = token.user_id WHERE hash = ?",
        [digest]).fetchone()
    if row is None:
        raise HTTPException(401)
    return User(**row)


@app.get("/api/tasks")
def tasks(user: Annotated[User, Depends(current_user)], limit: int = 200) -> TaskList:
    rows = database().execute(
        SELECT + """
        WHERE user_id = ? AND deleted_at IS NULL AND done = 0 AND archived_at IS NULL
        ORDER BY due_at IS NULL, due_at, priority DESC, id LIMIT ?
        """, [user.id, limit]).fetchall()
    return TaskList(data=Tasks(tasks=[Task.model_validate(dict(row)) for row in rows], count=len(rows)))


@app.patch("/api/tasks/{task_id}")
def edit(task_id: int, patch: Patch, user: Annotated[User, Depends(current_user)]) -> OneTask:
    connection = database()
    with writing:
        connection.execute("BEGIN IMMEDIATE")
        try:
            row = connection.execute(SELECT + "WHERE id = ? AND user_id = ?", [task_id, user.id]).fetchone()
            if row is None:
                raise HTTPException(404)
            connection.execute(
                """
                UPDATE task SET title = coalesce(?, title), priority = coalesce(?, priority),
                    version = version + 1, updated_at = ? WHERE id = ?
                """, [patch.title, patch.priority, int(time.time()), task_id])
            row = connection.execute(SELECT + "WHERE id = ?", [task_id]).fetchone()
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return OneTask(data=Task.model_validate(dict(row)))
