extension Schema {
    /// What an advisor found (api 3.15), and what the state of enrichment is told by.
    static let advice = """
        ALTER TABLE job ADD COLUMN claimed_at INTEGER;
        ALTER TABLE enrichment ADD COLUMN action TEXT NOT NULL DEFAULT 'enrich';
        CREATE INDEX enrichment_by_user ON enrichment (user_id, id);

        CREATE TABLE whats_next (
            user_id INTEGER PRIMARY KEY REFERENCES user ON DELETE CASCADE,
            tasks TEXT NOT NULL,                 -- JSON: [{task_id, reason}]
            summary TEXT NOT NULL,
            generated_at INTEGER NOT NULL,
            duration_ms INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE insight_session (
            id TEXT PRIMARY KEY,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            status TEXT NOT NULL CHECK (status IN ('running', 'complete', 'failed')),
            total INTEGER NOT NULL,
            completed INTEGER NOT NULL DEFAULT 0,
            pending TEXT NOT NULL,               -- JSON: ids that have not been asked about
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            duration_ms INTEGER,
            error TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX insight_session_running ON insight_session (user_id) WHERE status = 'running';
        CREATE INDEX insight_session_by_user ON insight_session (user_id, started_at);

        CREATE TABLE insight (
            task_id INTEGER PRIMARY KEY REFERENCES task ON DELETE CASCADE,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            score INTEGER NOT NULL,
            commentary TEXT NOT NULL,
            signals TEXT NOT NULL,               -- JSON: names
            generated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX insight_by_user ON insight (user_id, score);
        """
}
