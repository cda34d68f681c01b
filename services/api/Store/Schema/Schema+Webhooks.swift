extension Schema {
    /// Who is told of changes by HTTP (api section 5). Deliveries and their attempts are the push service's.
    static let webhooks = """
        CREATE TABLE webhook (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id INTEGER NOT NULL REFERENCES user ON DELETE CASCADE,
            url TEXT NOT NULL,
            events TEXT NOT NULL CHECK (events LIKE '[%]'),
            active INTEGER NOT NULL DEFAULT 1,
            secret TEXT NOT NULL,                -- signs each body; shown once
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX webhook_by_user ON webhook (user_id);

        ALTER TABLE outbox ADD COLUMN webhook_id INTEGER;                -- dropped with it while it has not left
        CREATE INDEX outbox_by_webhook ON outbox (webhook_id) WHERE webhook_id IS NOT NULL;
        """
}
