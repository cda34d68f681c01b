extension Schema {
    /// What was decided about notifications, and why (A99).
    static let notices = """
        CREATE TABLE notice (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            task_id INTEGER,
            kind TEXT NOT NULL,
            decision TEXT NOT NULL CHECK (decision IN ('sent', 'held', 'dropped', 'merged')),
            reason TEXT NOT NULL,
            message TEXT,                        -- id of the push message, when there was one
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notice_by_user ON notice (user_id, id);
        CREATE INDEX notice_by_task ON notice (task_id, id);
        CREATE INDEX notice_by_age ON notice (at);
        """
}
