public import Domain
import SQLite
public import Time

/// One committed state, kept for as long as this object lives: for what is read bit by bit. Nobody waits for it;
/// but what is written meanwhile stays in the log of the database until it goes, so it must not live for long.
///
/// From one thread at a time.
public final class HeldSnapshot {
    public let snapshot: Snapshot

    /// The connection is closed with this object, and its transaction with it.
    init(path: String, allowsQuotaPrompts: Bool) throws(SQLiteError) {
        let database = try Database(path: path, mode: .readOnly, cacheKiB: 512)
        try database.run("BEGIN")
        // The state is that of the first read, not that of BEGIN (https://www.sqlite.org/isolation.html).
        _ = try database.first("SELECT count(*) FROM user") { $0.int(0) }
        snapshot = Snapshot(database, allowsQuotaPrompts: allowsQuotaPrompts)
    }
}

extension Store {
    /// The state as it is now.
    ///
    /// - Throws: `StoreFailure`.
    public func hold() throws -> sending HeldSnapshot {
        do {
            return try HeldSnapshot(path: path, allowsQuotaPrompts: allowsQuotaPrompts)
        } catch {
            throw StoreFailure(error, isWrite: false)
        }
    }
}

/// A completion as an export has it (A64).
public struct ExportedCompletion: Hashable, Sendable {
    public let id: Int64
    public let task: TaskItem.ID
    public let user: UserID
    public let completedAt: Instant
    public let targetWas: Instant?
    public let targetNext: Instant?
}

extension Snapshot {
    /// The user's own items in any state, by id, from behind `id` on.
    public func tasks(of user: UserID, after id: TaskItem.ID, limit: Int) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_by_owner
            WHERE user_id + 0 = ? AND id > ? ORDER BY id LIMIT ?
            """, [.int(user.rawValue), .int(id.rawValue), .int(Int64(limit))], row: TaskItem.init(row:))
    }

    /// The user's own completions by time, from behind `last` on.
    public func completions(
        of user: UserID, after last: (at: Instant, id: Int64), limit: Int
    ) throws -> [ExportedCompletion] {
        try db.query(
            """
            SELECT id, task_id, user_id, completed_at, due_at_was, due_at_next
            FROM completion INDEXED BY completion_by_user
            WHERE user_id = ? AND (completed_at, id) > (?, ?) ORDER BY completed_at, id LIMIT ?
            """, [.int(user.rawValue), .int(last.at.seconds), .int(last.id), .int(Int64(limit))]
        ) { row in
            ExportedCompletion(
                id: row.int(0), task: TaskItem.ID(rawValue: row.int(1)), user: UserID(rawValue: row.int(2)),
                completedAt: Instant(seconds: row.int(3)),
                targetWas: row.optionalInt(4).map(Instant.init(seconds:)),
                targetNext: row.optionalInt(5).map(Instant.init(seconds:)))
        }
    }

    /// The user's own projects, and those of others that hold items of his.
    public func projects(with tasksOf: UserID) throws -> [Project] {
        try db.query(
            """
            SELECT \(Project.columns) FROM project
            WHERE owner_id = ?1 OR id IN (
                SELECT DISTINCT project_id FROM task INDEXED BY task_by_owner WHERE user_id + 0 = ?1)
            ORDER BY sort_order, id
            """, [.int(tasksOf.rawValue)], row: Project.init(row:))
    }
}
