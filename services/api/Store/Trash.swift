public import Domain
import SQLite
import Time

extension Snapshot {
    /// A62: the user's own items in the trash, the newest there first.
    public func trash(of user: UserID, limit: Int) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task WHERE user_id = ? AND deleted_at IS NOT NULL
            ORDER BY deleted_at DESC, id DESC LIMIT ?
            """, [.int(user.rawValue), .int(Int64(limit))], row: TaskItem.init(row:))
    }
}

extension Transaction {
    /// C-11: all of the user's trash goes for good. No undo entry (U-10).
    ///
    /// - Returns: how many items went.
    public func emptyTrash(of user: UserID) throws -> Int {
        try removeForGood("user_id = ?1 AND deleted_at IS NOT NULL", [.int(user.rawValue)])
    }

    /// The one place where rows of items go. With a row goes, by the schema, what hangs on it: completions, progress,
    /// periods of a quota, marks, jobs. Undo entries that name it stay and skip it (U-9). Whoever could see one of the
    /// items is told.
    ///
    /// - Parameter condition: of a WHERE on `task`.
    /// - Returns: how many items went.
    func removeForGood(_ condition: String, _ arguments: [SQLValue]) throws -> Int {
        let owners = try db.query(
            "SELECT DISTINCT user_id FROM task WHERE \(condition)", arguments
        ) { UserID(rawValue: $0.int(0)) }
        guard !owners.isEmpty else { return 0 }
        let isShared = try db.first(
            """
            SELECT 1 FROM project WHERE shared = 1
                AND id IN (SELECT DISTINCT project_id FROM task WHERE \(condition))
            """, arguments
        ) { _ in true }
        try unindexTasks(where: condition, arguments)
        let count = try db.run("DELETE FROM task WHERE \(condition)", arguments)
        for user in isShared == true ? try userIDs() : owners { try addEvent(.sync, for: user) }
        return count
    }
}
