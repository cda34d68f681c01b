public import Domain
import SQLite
public import Time

/// The tasks of test notifications (N-45): they count for no day, and go to the trash by themselves.
extension Snapshot {
    /// When the next of them is to go; nil: none is.
    public func earliestTestTrash() throws -> Instant? {
        let next = try db.first("SELECT min(trash_at) FROM test_task WHERE trash_at IS NOT NULL") {
            $0.optionalInt(0)
        }
        return (next ?? nil).map(Instant.init(seconds:))
    }
}

extension Transaction {
    public func addTestTask(_ id: TaskItem.ID, user: UserID) throws {
        try db.run(
            "INSERT INTO test_task (task_id, user_id, trash_at) VALUES (?, ?, ?)",
            [
                .int(id.rawValue), .int(user.rawValue), .int(now.seconds + TestNotification.lifetime),
            ])
    }

    /// Those whose time has come, each once.
    public func takeDueTestTasks() throws -> [TaskItem] {
        let ids = try db.query(
            "UPDATE test_task SET trash_at = NULL WHERE trash_at <= ? RETURNING task_id", [.int(now.seconds)]
        ) { TaskItem.ID(rawValue: $0.int(0)) }
        return try ids.sorted().compactMap { try task($0) }
    }

    /// How many of the items are test tasks; a user who has none costs one look.
    func testTaskCount(_ items: [ItemChange], of user: UserID) throws -> Int {
        let known = try db.query("SELECT task_id FROM test_task WHERE user_id = ?", [.int(user.rawValue)]) {
            $0.int(0)
        }
        return known.isEmpty ? 0 : items.count { known.contains($0.after.id.rawValue) }
    }
}
