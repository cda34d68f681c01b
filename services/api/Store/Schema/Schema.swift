import SQLite

/// The schema of opentask.db, as numbered steps; a step that has been released is never edited.
///
/// Instants are whole seconds since 1970-01-01T00:00:00Z; local dates `YYYY-MM-DD`; times of day `HH:MM`; flags 0 and
/// 1; lists and objects JSON text. Columns have the names of the API.
enum Schema {
    static let migrations = Migrations([first, second])

    /// What the rest of the model needs, a part for each subject.
    private static let second = [progress, webhooks, notices, account, periods, advice, lists, search].joined(
        separator: "\n")

    /// What a row must be for T-5: open, ordinary, dated. The partial indexes below repeat it word by word, so that
    /// the planner uses them.
    static let ordinary = "is_reminder = 0 AND is_tracked = 0 AND progress_target = 1"
    static let open = "done = 0 AND archived_at IS NULL AND deleted_at IS NULL"

    private static let first = """
        CREATE TABLE user (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
            name_key TEXT NOT NULL UNIQUE,       -- without case, as what people type at sign-in is looked up
            email TEXT NOT NULL,
            email_key TEXT NOT NULL UNIQUE,
            password TEXT NOT NULL,              -- scrypt$N$r$p$salt$hash
            timezone TEXT NOT NULL,
            is_demo INTEGER NOT NULL DEFAULT 0,
            badge_told INTEGER,                  -- N-52: the count last put into the outbox
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE preference (
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            key TEXT NOT NULL,
            value TEXT NOT NULL,                 -- JSON
            PRIMARY KEY (user_id, key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE session (
            hash TEXT PRIMARY KEY,               -- SHA-256 of the cookie's value, hex
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE token (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            name TEXT NOT NULL,
            hash TEXT NOT NULL UNIQUE,           -- SHA-256 of the token, hex
            preview TEXT NOT NULL,               -- its last 8 characters
            source TEXT NOT NULL DEFAULT 'manual' CHECK (source IN ('manual', 'ios', 'command')),
            created_at INTEGER NOT NULL,
            last_used_at INTEGER
        ) STRICT;

        CREATE TABLE login_failure (
            name_key TEXT PRIMARY KEY,           -- what was typed, without case
            failures INTEGER NOT NULL,
            first_at INTEGER NOT NULL,
            locked_until INTEGER
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE project (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            owner_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            name TEXT NOT NULL,
            shared INTEGER NOT NULL DEFAULT 0,
            sort_order INTEGER NOT NULL,
            color TEXT,
            is_inbox INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX project_inbox ON project (owner_id) WHERE is_inbox = 1;
        CREATE INDEX project_by_owner ON project (owner_id);

        CREATE TABLE label (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            name TEXT NOT NULL,                  -- as first written (L-1)
            name_key TEXT NOT NULL,              -- without case
            facet TEXT NOT NULL DEFAULT 'domain' CHECK (facet IN ('domain', 'operational')),
            icon TEXT,
            color TEXT,
            created_at INTEGER NOT NULL,
            UNIQUE (user_id, name_key)
        ) STRICT;

        CREATE TABLE time_slot (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            label TEXT NOT NULL,
            start_time TEXT NOT NULL,
            sort_order INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            UNIQUE (user_id, start_time)
        ) STRICT;

        CREATE TABLE task (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            version INTEGER NOT NULL,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            project_id INTEGER NOT NULL REFERENCES project,
            title TEXT NOT NULL,
            original_title TEXT,
            short_title TEXT,
            notes TEXT,
            priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 4),
            due_at INTEGER,
            original_due_at INTEGER,
            target_source TEXT CHECK (target_source IN ('user', 'auto')),
            deadline_at INTEGER,
            deadline_all_day INTEGER NOT NULL,
            rrule TEXT,
            recurrence_mode TEXT NOT NULL CHECK (recurrence_mode IN ('from_due', 'from_completion')),
            anchor_time TEXT,
            anchor_dow INTEGER,
            anchor_dom INTEGER,
            rrule_start TEXT,
            short_months TEXT NOT NULL CHECK (short_months IN ('last_day', 'skip')),
            auto_snooze_minutes INTEGER,
            horizon TEXT,
            segment_considered_on TEXT,
            segment_deferred_on TEXT,
            labels TEXT NOT NULL CHECK (labels LIKE '[%]'),
            is_reminder INTEGER NOT NULL,
            is_tracked INTEGER NOT NULL,
            progress_target INTEGER NOT NULL,
            progress_current INTEGER NOT NULL,
            progress_period_start INTEGER,
            quota_prompt_config TEXT,
            quota_day_state TEXT,
            done INTEGER NOT NULL,
            done_at INTEGER,
            archived_at INTEGER,
            deleted_at INTEGER,
            completion_count INTEGER NOT NULL,
            snooze_count INTEGER NOT NULL,
            skip_count INTEGER NOT NULL,
            first_completed_at INTEGER,
            last_completed_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            look_at INTEGER,                     -- when the scheduler must look at it next (N-10, N-12)
            finished_told INTEGER NOT NULL DEFAULT 0, -- N-30: once per task, ever
            CHECK (NOT (is_reminder = 1 AND (is_tracked = 1 OR progress_target > 1)))  -- T-1
        ) STRICT;
        CREATE INDEX task_over_target ON task (user_id, due_at)
            WHERE \(open) AND \(ordinary) AND due_at IS NOT NULL;
        CREATE INDEX task_open ON task (user_id) WHERE \(open);
        CREATE INDEX task_look ON task (look_at) WHERE look_at IS NOT NULL;
        CREATE INDEX task_by_project ON task (project_id) WHERE \(open);
        CREATE INDEX task_trashed ON task (user_id, deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE INDEX task_done ON task (user_id, done_at) WHERE done = 1;

        CREATE TABLE completion (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            task_id INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            completed_at INTEGER NOT NULL,
            due_at_was INTEGER,
            due_at_next INTEGER
        ) STRICT;
        CREATE INDEX completion_by_task ON completion (task_id, id);
        CREATE INDEX completion_by_user ON completion (user_id, completed_at);

        CREATE TABLE undo (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            action TEXT NOT NULL,
            description TEXT NOT NULL,
            snapshot TEXT NOT NULL,              -- JSON: [{task_id, before_state, after_state, completion?}]
            statistic TEXT,                      -- JSON: {kind, date, count}, what C-5 added
            created_at INTEGER NOT NULL,
            undone INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX undo_by_user ON undo (user_id, undone, id);

        CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            data TEXT NOT NULL,                  -- JSON of the event, api section 4
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX event_by_user ON event (user_id, id);
        CREATE INDEX event_by_age ON event (at);

        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            task_id INTEGER,                     -- N-41: dropped with it while it has not left
            droppable INTEGER NOT NULL DEFAULT 0,
            body TEXT NOT NULL,                  -- JSON of org.opentask.push Message, without its id
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX outbox_by_task ON outbox (task_id) WHERE droppable = 1;

        CREATE TABLE notified (
            task_id INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
            due_at INTEGER NOT NULL,
            point INTEGER NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (task_id, due_at, point) -- N-5, A-8
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notified_by_age ON notified (at);

        CREATE TABLE mark (
            key TEXT PRIMARY KEY,                -- N-5: summaries and whatever is told once
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE job (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            task_id INTEGER NOT NULL UNIQUE REFERENCES task ON DELETE CASCADE,
            text TEXT NOT NULL,
            typed_at INTEGER NOT NULL,           -- what "now" means in the text (enrich 1.2)
            is_rerun INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL CHECK (state IN ('pending', 'claimed')),
            token TEXT,
            attempt INTEGER NOT NULL DEFAULT 0,
            lease_until INTEGER,
            not_before INTEGER NOT NULL,
            snapshot TEXT,                       -- JSON: {time_zone, fields}, as they were at the claim (enrich 1.6)
            created_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX job_waiting ON job (not_before) WHERE state = 'pending';

        CREATE TABLE job_result (
            token TEXT PRIMARY KEY,              -- Complete and Fail are idempotent per token
            outcome TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE enrichment (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            task_id INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('success', 'error', 'skipped')),
            input TEXT,
            output TEXT,
            enricher TEXT,
            model TEXT,
            error TEXT,
            duration_ms INTEGER,
            created_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE statistic (
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            date TEXT NOT NULL,
            completions INTEGER NOT NULL DEFAULT 0,
            tasks_created INTEGER NOT NULL DEFAULT 0,
            snoozes INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (user_id, date)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE activity (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            task_id INTEGER,
            action TEXT NOT NULL,
            description TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX activity_by_user ON activity (user_id, id);

        CREATE TABLE request (
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            key TEXT NOT NULL,                   -- Idempotency-Key (A-4)
            digest TEXT NOT NULL,                -- of method, target and body
            status INTEGER,                      -- null until the answer is noted
            body TEXT,
            at INTEGER NOT NULL,
            PRIMARY KEY (user_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX request_by_age ON request (at);

        CREATE TABLE setting (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
