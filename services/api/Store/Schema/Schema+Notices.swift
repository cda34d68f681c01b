extension Schema {
    /// What was decided about notifications, and why (A99); the test tasks of N-45.
    static let notices = """
        CREATE TABLE notice (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            task_id INTEGER,
            kind TEXT NOT NULL,
            decision TEXT NOT NULL CHECK (decision IN ('sent', 'held', 'dropped', 'merged')),
            reason TEXT NOT NULL,
            message INTEGER,                     -- number in the outbox, when there was one
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notice_by_user ON notice (user_id, id);
        CREATE INDEX notice_by_task ON notice (task_id, id);
        CREATE INDEX notice_by_message ON notice (message) WHERE message IS NOT NULL;
        CREATE INDEX notice_by_age ON notice (at);

        CREATE TABLE test_task (
            task_id INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            trash_at INTEGER                     -- null: it was taken away
        ) STRICT;
        CREATE INDEX test_task_trash ON test_task (trash_at) WHERE trash_at IS NOT NULL;
        CREATE INDEX test_task_by_user ON test_task (user_id);
        """
}
