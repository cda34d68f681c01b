public import Domain
import JSON
import SQLite
public import Time

extension Transaction {
    ///
    public static let openItemLimit = 50_000

    /// Whether a user may have one more open item. Where fewer items were ever made, nothing is counted.
    public func hasRoomForItem(of user: UserID) throws -> Bool {
        guard try newTaskID().rawValue > Self.openItemLimit else { return true }
        let open = try db.first(
            // From this index alone; the planner would take the one of the lists and look at every row.
            """
            SELECT count(*) FROM (
                SELECT 1 FROM task INDEXED BY task_open WHERE user_id = ? AND \(Schema.open) LIMIT ?)
            """,
            [.int(user.rawValue), .int(Int64(Self.openItemLimit))]
        ) { Int($0.int(0)) }
        return (open ?? 0) < Self.openItemLimit
    }
}

extension Snapshot {
    /// The items among `ids` that `user` may see (1.13), in any state, by their ids: one query, however many they are.
    public func tasks(_ ids: [TaskItem.ID], visibleTo user: UserID) throws -> [TaskItem.ID: TaskItem] {
        var list = JSONWriter(capacity: ids.count * 8 + 8)
        list.array { list in for id in ids { list.value(Int(id.rawValue)) } }
        let found = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE id IN (SELECT value FROM json_each(?1))
                AND (user_id = ?2 OR project_id IN (SELECT id FROM project WHERE shared = 1))
            """, [.text(String(decoding: list.bytes, as: UTF8.self)), .int(user.rawValue)],
            row: TaskItem.init(row:))
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The user's own open tasks with a target up to `instant`, itself included, soonest first (A69).
    public func tasks(of user: UserID, dueThrough instant: Instant, limit: Int) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) AND due_at IS NOT NULL AND due_at <= ?2
            ORDER BY due_at, priority DESC, id LIMIT ?3
            """, [.int(user.rawValue), .int(instant.seconds), .int(Int64(limit))], row: TaskItem.init(row:))
    }
}
