extension Schema {
    /// What was logged on quotas, and how their periods ended.
    static let progress = """
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            task_id INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE, -- who logged it
            delta INTEGER NOT NULL CHECK (delta <> 0),                  -- what was really applied
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX progress_by_task ON progress (task_id, at);

        CREATE TABLE quota_period (
            task_id INTEGER NOT NULL REFERENCES task ON DELETE CASCADE,
            start_at INTEGER NOT NULL,
            end_at INTEGER NOT NULL,
            logged INTEGER NOT NULL,
            target INTEGER NOT NULL,
            met INTEGER NOT NULL,
            PRIMARY KEY (task_id, start_at, end_at)  -- a quota that changes its unit may have two that begin together
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE task ADD COLUMN period_ends_at INTEGER;             -- a quota's next boundary (Q-6)
        UPDATE task SET period_ends_at = \(periodEndUnknown) WHERE \(quota);
        CREATE INDEX task_period_end ON task (period_ends_at) WHERE period_ends_at IS NOT NULL AND \(open);
        CREATE INDEX task_quota ON task (user_id) WHERE \(quota) AND \(open);
        """

    /// A boundary that nobody has computed yet: the first look at it does.
    static let periodEndUnknown = 0
    /// T-1.
    static let quota = "(is_tracked = 1 OR progress_target > 1)"
}
