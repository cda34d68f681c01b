public import Domain
import SQLite
public import Time

extension Snapshot {
    /// In any state; nil when there is none.
    public func task(_ id: TaskItem.ID) throws -> TaskItem? {
        try db.first(
            "SELECT \(TaskItem.columns) FROM task WHERE id = ?", [.int(id.rawValue)], row: TaskItem.init(row:)
        )
    }

    /// An item that `user` may see: his own, or one in a shared project (1.13); nil otherwise.
    public func task(_ id: TaskItem.ID, visibleTo user: UserID) throws -> TaskItem? {
        guard let task = try task(id) else { return nil }
        if task.owner == user { return task }
        return try project(task.project)?.shared == true ? task : nil
    }

    /// The user's tasks that are over target (T-5), longest first, then higher priority, then id (T-15).
    public func tasksOverTarget(of user: UserID, now: Instant) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) AND due_at IS NOT NULL AND due_at <= ?2
            ORDER BY due_at, priority DESC, id
            """, [.int(user.rawValue), .int(now.seconds)], row: TaskItem.init(row:))
    }

    /// All items, whatever their state.
    public func taskCount() throws -> Int {
        Int(try db.first("SELECT count(*) FROM task") { $0.int(0) } ?? 0)
    }

    /// N-50: what the badge shows.
    public func overTargetCount(of user: UserID, now: Instant) throws -> Int {
        try count("due_at IS NOT NULL AND due_at <= ?2", [.int(user.rawValue), .int(now.seconds)])
    }

    /// T-17: open ordinary tasks, those over target, those with a target in `today`.
    public func taskCounts(
        of user: UserID, now: Instant, today: Range<Instant>
    ) throws -> (total: Int, overTarget: Int, today: Int) {
        (
            try count("?1 = ?1", [.int(user.rawValue)], from: "task INDEXED BY task_counted"),
            try overTargetCount(of: user, now: now),
            try count(
                "due_at IS NOT NULL AND due_at >= ?2 AND due_at < ?3",
                [.int(user.rawValue), .int(today.lowerBound.seconds), .int(today.upperBound.seconds)])
        )
    }

    private func count(
        _ condition: String, _ arguments: [SQLValue], from table: String = "task"
    ) throws -> Int {
        let sql =
            "SELECT count(*) FROM \(table) WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) AND \(condition)"
        return Int(try db.first(sql, arguments) { $0.int(0) } ?? 0)
    }

    /// The newest completion of an item (C-8).
    public func lastCompletion(of id: TaskItem.ID) throws -> StoredCompletion? {
        try db.first(
            """
            SELECT id, user_id, completed_at, due_at_was, due_at_next,
                (SELECT max(completed_at) FROM completion AS earlier
                 WHERE earlier.task_id = completion.task_id AND earlier.id < completion.id)
            FROM completion WHERE task_id = ? ORDER BY id DESC LIMIT 1
            """, [.int(id.rawValue)]
        ) { row in
            StoredCompletion(
                id: row.int(0), user: UserID(rawValue: row.int(1)), completedAt: Instant(seconds: row.int(2)),
                targetWas: row.optionalInt(3).map(Instant.init(seconds:)),
                targetNext: row.optionalInt(4).map(Instant.init(seconds:)),
                previousCompletedAt: row.optionalInt(5).map(Instant.init(seconds:)))
        }
    }
}

/// A row of the completions of an item (2.15).
public struct StoredCompletion: Hashable, Sendable {
    public let id: Int64
    public let user: UserID
    public let completedAt: Instant
    public let targetWas: Instant?
    public let targetNext: Instant?
    /// When the item was completed before that; nil: never.
    public let previousCompletedAt: Instant?
}

extension Transaction {
    /// An id for an item that is about to be made.
    public func newTaskID() throws -> TaskItem.ID {
        // AUTOINCREMENT keeps the largest id ever in sqlite_sequence; ids of purged items do not come back.
        let last = try db.first("SELECT seq FROM sqlite_sequence WHERE name = 'task'") { $0.int(0) } ?? 0
        return TaskItem.ID(rawValue: last + 1)
    }
}
