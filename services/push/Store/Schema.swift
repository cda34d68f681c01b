import SQLite

/// push.db. All instants are whole seconds since 1970-01-01T00:00:00Z; ids of users and tasks are the api's.
///
/// A message is here as long as one of its deliveries is; a delivery as long as it is not answered for good; what
/// became of both is in `log`.
enum Schema {
    static let migrations = Migrations([
        """
        -- Ids that were had; what comes again within a week is dropped.
        CREATE TABLE received (
            id TEXT PRIMARY KEY,
            received_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX received_by_time ON received (received_at);

        -- A way to one device.
        CREATE TABLE target (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL,
            channel TEXT NOT NULL CHECK (channel IN ('webpush', 'apns', 'widget')),
            endpoint TEXT UNIQUE,
            p256dh BLOB,
            auth BLOB,
            device_token TEXT,
            bundle_id TEXT,
            environment TEXT CHECK (environment IN ('production', 'development')),
            platform TEXT,
            widget_kind TEXT,
            -- The last number that this device was told; NULL: none, or nobody knows (N-52).
            badge INTEGER,
            registered_at INTEGER NOT NULL,
            UNIQUE (channel, device_token),
            CHECK (channel <> 'webpush' OR (endpoint IS NOT NULL AND length(p256dh) = 65 AND length(auth) = 16)),
            CHECK (channel = 'webpush'
                OR (device_token IS NOT NULL AND bundle_id IS NOT NULL AND environment IS NOT NULL)),
            CHECK (channel <> 'widget' OR platform IS NOT NULL)
        ) STRICT;
        CREATE INDEX target_by_user ON target (user, channel);

        CREATE TABLE message (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            user INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('alert', 'dismiss', 'dismiss_all', 'badge')),
            at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            task_id INTEGER,
            -- The message as it came, JSON.
            content TEXT NOT NULL
        ) STRICT;
        CREATE INDEX message_by_task ON message (task_id) WHERE task_id IS NOT NULL;

        -- One message on its way to one target. Ids give the order.
        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            message_seq INTEGER NOT NULL REFERENCES message (seq),
            target INTEGER NOT NULL REFERENCES target (id),
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending')),
            -- Deliveries of one lane go one after the other; NULL: after all earlier ones, before all later ones.
            lane TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER NOT NULL DEFAULT 0,
            -- The target's other APNs environment is tried (N-54).
            swapped INTEGER NOT NULL DEFAULT 0 CHECK (swapped IN (0, 1)),
            last_status INTEGER,
            last_reason TEXT,
            -- Not to be tried (again), and why; empty: nothing worth a line in the log.
            drop_reason TEXT
        ) STRICT;
        CREATE INDEX delivery_by_target ON delivery (target, id);
        CREATE INDEX delivery_by_message ON delivery (message_seq);

        CREATE TABLE log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL,
            at INTEGER NOT NULL,
            message_id TEXT,
            kind TEXT NOT NULL,
            channel TEXT,
            target TEXT,
            outcome TEXT NOT NULL,
            reason TEXT,
            status INTEGER,
            attempts INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX log_by_user ON log (user, id);
        CREATE INDEX log_by_time ON log (at);
        """,
        """
        -- An event on its way to a webhook. Ids give the order of first attempts.
        CREATE TABLE webhook_event (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            message_id TEXT NOT NULL UNIQUE,
            user INTEGER NOT NULL,
            webhook INTEGER NOT NULL,
            url TEXT NOT NULL,
            secret TEXT NOT NULL,
            event TEXT NOT NULL,
            data TEXT NOT NULL,
            at INTEGER NOT NULL,
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending')),
            -- Ended ones.
            attempts INTEGER NOT NULL DEFAULT 0,
            not_before INTEGER NOT NULL DEFAULT 0,
            -- The webhook is inactive: what is under way is the last attempt.
            dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1))
        ) STRICT;
        CREATE INDEX webhook_event_by_webhook ON webhook_event (webhook, id);
        CREATE INDEX webhook_event_first ON webhook_event (webhook, id) WHERE attempts = 0;
        CREATE INDEX webhook_event_again ON webhook_event (not_before, id) WHERE attempts > 0;

        -- Ended attempts (api A93).
        CREATE TABLE webhook_attempt (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            user INTEGER NOT NULL,
            webhook INTEGER NOT NULL,
            event TEXT NOT NULL,
            payload TEXT NOT NULL,
            status INTEGER,
            error TEXT,
            attempt INTEGER NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX webhook_attempt_by_webhook ON webhook_attempt (webhook, id);
        CREATE INDEX webhook_attempt_by_time ON webhook_attempt (at);

        CREATE INDEX log_by_message ON log (message_id);
        """,
    ])
}
