public import Domain
import JSON
import SQLite

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
}
