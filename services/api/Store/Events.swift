public import Domain
import JSON
import SQLite
public import Time

/// What an open page is told (api section 4).
public enum Event: Hashable, Sendable {
    case sync
    case taskCreated(TaskItem.ID, title: String)
    case enrichmentComplete(TaskItem.ID, title: String, description: String?, target: Instant?, priority: Int)
    case enrichmentFailed(TaskItem.ID)

    /// The JSON of `sync`, as it is stored.
    public static let syncJSON = Event.sync.json

    var json: String {
        var writer = JSONWriter(capacity: 128)
        writer.object { writer in
            switch self {
            case .sync:
                writer.member("type", "sync")
            case .taskCreated(let id, let title):
                writer.member("type", "task_created")
                writer.member("taskId", id.rawValue)
                writer.member("title", title)
            case .enrichmentComplete(let id, let title, let description, let target, let priority):
                writer.member("type", "enrichment_complete")
                writer.member("taskId", id.rawValue)
                writer.member("title", title)
                writer.member("description", description)
                writer.member("due_at", target?.iso8601)
                writer.member("priority", priority)
            case .enrichmentFailed(let id):
                writer.member("type", "enrichment_failed")
                writer.member("taskId", id.rawValue)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// An event as it was committed.
public struct StoredEvent: Hashable, Sendable {
    /// Follows the commits.
    public let id: Int64
    /// JSON of the event.
    public let data: String
}

extension Snapshot {
    /// The user's events after `id`, oldest first.
    public func events(after id: Int64, of user: UserID, limit: Int) throws -> [StoredEvent] {
        try db.query(
            "SELECT id, data FROM event WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
            [.int(user.rawValue), .int(id), .int(Int64(limit))]
        ) { StoredEvent(id: $0.int(0), data: $0.text(1)) }
    }

    /// The newest id that was given to any event; 0 when there was none.
    public func lastEventID() throws -> Int64 {
        try db.first("SELECT seq FROM sqlite_sequence WHERE name = 'event'") { $0.int(0) } ?? 0
    }

    /// Whether every event after `id` is still kept (24 h), so that a reader can resume there.
    public func canResume(after id: Int64) throws -> Bool {
        let oldest = try db.first("SELECT min(id) FROM event") { $0.optionalInt(0) } ?? nil
        let last = try lastEventID()
        guard id <= last else { return false }
        return oldest.map { id >= $0 - 1 } ?? (id == last)
    }
}

extension Transaction {
    public func addEvent(_ event: Event, for user: UserID) throws {
        try db.run(
            "INSERT INTO event (user_id, data, at) VALUES (?, ?, ?)",
            [.int(user.rawValue), .text(event.json), .int(now.seconds)])
    }

    /// Events are kept 24 h.
    public func purgeEvents() throws {
        try db.run("DELETE FROM event WHERE at < ?", [.int(now.seconds - 86_400)])
    }
}
