public import Domain
import SQLite
public import Time

/// An entry of the undo history as people read it (A59).
public struct UndoEntry: Sendable {
    public let id: Int64
    public let action: String
    public let description: String
    public let createdAt: Instant
    public let isUndone: Bool
    public let items: [Item]

    /// One item of an entry: what the action changed of it.
    public struct Item: Sendable {
        public let task: TaskItem.ID
        public let before: [TaskField: FieldValue]
        public let after: [TaskField: FieldValue]
        /// The completion that the action added or took back.
        public let completionID: Int64?
    }

    /// Every field that it changed of any item, in the order of `TaskField`.
    public var fields: [TaskField] {
        let changed = Set(items.flatMap(\.after.keys))
        return TaskField.allCases.filter(changed.contains)
    }
}

extension Snapshot {
    /// Bytes of snapshots in one answer; a page of bulk actions is cut there.
    static let historyBytes: Int64 = 4 << 20

    /// U-11: the user's entries, newest first, undone ones too; at most `limit`, at least one if there is any.
    public func undoHistory(of user: UserID, limit: Int) throws -> [UndoEntry] {
        let rows = try db.query(
            """
            WITH newest AS (SELECT id FROM undo WHERE user_id = ?1 ORDER BY id DESC LIMIT ?2),
                 sized AS (SELECT undo.*, sum(length(snapshot)) OVER (ORDER BY id DESC) AS size
                           FROM undo WHERE id IN newest)
            SELECT id, action, description, created_at, undone, snapshot FROM sized
            WHERE size - length(snapshot) < ?3 ORDER BY id DESC
            """, [.int(user.rawValue), .int(Int64(limit)), .int(Self.historyBytes)]
        ) { row in
            (row.int(0), row.text(1), row.text(2), Instant(seconds: row.int(3)), row.bool(4), row.text(5))
        }
        return try rows.map { id, action, description, at, isUndone, text in
            UndoEntry(
                id: id, action: action, description: description, createdAt: at, isUndone: isUndone,
                items: try UndoSnapshot.decode(text).map {
                    UndoEntry.Item(
                        task: $0.task, before: $0.before, after: $0.after, completionID: $0.completionID)
                })
        }
    }
}
