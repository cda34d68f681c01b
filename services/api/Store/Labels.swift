public import Domain
import SQLite
public import Time

/// A name of the user's registry (L-1).
public struct Label: Hashable, Sendable {
    public let id: Int64
    public let user: UserID
    public let name: String
    public let facet: String
    public let icon: String?
    public let color: String?
    public let createdAt: Instant

    static let columns = "id, user_id, name, facet, icon, color, created_at"

    init(row: Row) {
        id = row.int(0)
        user = UserID(rawValue: row.int(1))
        name = row.text(2)
        facet = row.text(3)
        icon = row.optionalText(4)
        color = row.optionalText(5)
        createdAt = Instant(seconds: row.int(6))
    }
}

extension Snapshot {
    /// By facet, then name (A47).
    public func labels(of user: UserID) throws -> [Label] {
        try db.query(
            "SELECT \(Label.columns) FROM label WHERE user_id = ? ORDER BY facet, name_key",
            [.int(user.rawValue)],
            row: Label.init(row:))
    }

    public func label(named name: String, of user: UserID) throws -> Label? {
        try db.first(
            "SELECT \(Label.columns) FROM label WHERE user_id = ? AND name_key = ?",
            [.int(user.rawValue), .text(foldCase(name))],
            row: Label.init(row:))
    }

    /// The user's items in any state that carry the label, compared without case.
    public func tasks(labelled name: String, of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_by_owner
            WHERE user_id + 0 = ? AND labels <> '[]'
                AND EXISTS (SELECT 1 FROM json_each(labels) WHERE fold(value) = ?)
            ORDER BY id
            """, [.int(user.rawValue), .text(foldCase(name))], row: TaskItem.init(row:))
    }
}

extension Transaction {
    /// L-6: items keep the name.
    public func deregister(label id: Int64) throws {
        try db.run("DELETE FROM label WHERE id = ?", [.int(id)])
    }

    /// L-1, A48: an existing name keeps its row.
    public func register(
        label name: String, of user: UserID, facet: String = "domain", icon: String? = nil,
        color: String? = nil
    ) throws {
        try db.run(
            """
            INSERT OR IGNORE INTO label (user_id, name, name_key, facet, icon, color, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(user.rawValue), .text(name), .text(foldCase(name)), .text(facet), SQLValue(icon),
                SQLValue(color), .int(now.seconds),
            ])
    }
}
