import FoundationEssentials
public import Interfaces
import JSON
import SQLite
public import Time

/// push.db: messages on their way, the devices and webhooks that they go to, and the log. The only SQL of push.
///
/// Invariants:
/// 1. A message is written with all its deliveries, and its id remembered, in one transaction: after a reply nothing
///    of it can be lost, and a second copy changes nothing.
/// 2. A delivery is marked `sending` and committed before its request leaves, and removed, with a line in the log, in
///    the commit that follows its answer. Whatever is `sending` at the start was cut off: it waits again.
/// 3. To one target, deliveries of one lane leave in the order of their ids, each after the end of the one before.
///    A delivery without a lane (dismissals, badges) is overtaken by nothing and overtakes nothing.
/// 4. While a delivery waits for its next attempt, nothing behind it leaves for the same target. One that was put off
///    from the start holds up its own lane only.
/// 5. To one webhook, first attempts leave in the order of their events, each after the end of the one before; further
///    attempts wait for nobody, and nobody waits for them.
///
/// ```
///   accept ──► waiting ──next()──► sending ──record()──► gone: sent, failed, device gone
///                 ▲                  │ │
///                 └── retry, swap, ──┘ └─ kill ──► waiting again at the next start
///                     interrupted
///   waiting ──next()──► gone: expired, dismissed (N-41), device moved
/// ```
///
/// All calls block on the disk; any thread.
public final class DeliveryStore: Sendable {
    let writer: Writer
    let readers: ReaderPool
    /// Deliveries that the last run left without an answer; they are sent again.
    public let interrupted: Int

    /// Opens, creates or upgrades the file, which only its owner can read.
    ///
    /// - Throws: `StoreUnusable` when a newer release wrote it, or it is damaged; `SQLiteError`.
    public init(path: String) throws {
        // Subscriptions are secrets. SQLite gives its other files the permissions of this one.
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        let database: Database
        do {
            database = try Database(path: path)
            try Schema.migrations.migrate(database, backup: path)
        } catch {
            throw StoreUnusable(error, path: path) ?? error
        }
        interrupted =
            try database.run("UPDATE delivery SET state = 'waiting' WHERE state = 'sending'")
            + database.run("UPDATE webhook_event SET state = 'waiting' WHERE state = 'sending'")
        writer = Writer(database)
        readers = ReaderPool(path: path)
    }

    public struct Counts: Hashable, Sendable {
        public var queued: Int
        public var oldestQueuedAt: Instant?
        public var subscriptions: Int
        public var devices: Int
        public var widgetTokens: Int

        public init(
            queued: Int, oldestQueuedAt: Instant? = nil, subscriptions: Int, devices: Int, widgetTokens: Int
        ) {
            self.queued = queued
            self.oldestQueuedAt = oldestQueuedAt
            self.subscriptions = subscriptions
            self.devices = devices
            self.widgetTokens = widgetTokens
        }
    }

    public func counts() throws -> Counts {
        try readers.read { database in
            let targets = try database.query("SELECT channel, count(*) FROM target GROUP BY channel") {
                ($0.text(0), Int($0.int(1)))
            }
            let count = Dictionary(uniqueKeysWithValues: targets)
            let oldest = try database.first(
                """
                SELECT min(at) FROM (SELECT min(message.at) AS at FROM message JOIN delivery ON message_seq = seq
                    UNION ALL SELECT min(at) FROM webhook_event)
                """
            ) {
                $0.optionalInt(0)
            }
            let queued = try database.first(
                "SELECT (SELECT count(*) FROM delivery) + (SELECT count(*) FROM webhook_event)"
            ) { $0.int(0) }
            return Counts(
                queued: Int(queued ?? 0),
                oldestQueuedAt: (oldest ?? nil).map(Instant.init(seconds:)),
                subscriptions: count["webpush"] ?? 0,
                devices: count["apns"] ?? 0, widgetTokens: count["widget"] ?? 0)
        }
    }

    /// The targets of a user, in the order of their registration.
    public func targets(of user: Int64, _ channel: Push.Channel) throws -> [Target] {
        try readers.read { database in
            try database.query(
                "SELECT \(Target.columns) FROM target WHERE user = ? AND channel = ? ORDER BY id",
                [.int(user), .text(channel.rawValue)]
            ) { Target(row: $0) }
        }
    }
}
