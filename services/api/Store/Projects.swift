public import Domain
import SQLite
public import Time

/// Where items belong (L-10).
public struct Project: Hashable, Sendable {
    public let id: ProjectID
    public let owner: UserID
    public var name: String
    public var shared: Bool
    public var sortOrder: Int
    public var color: String?
    public let isInbox: Bool
    public let createdAt: Instant

    static let columns = "id, owner_id, name, shared, sort_order, color, is_inbox, created_at"

    init(row: Row) {
        id = ProjectID(rawValue: row.int(0))
        owner = UserID(rawValue: row.int(1))
        name = row.text(2)
        shared = row.bool(3)
        sortOrder = Int(row.int(4))
        color = row.optionalText(5)
        isInbox = row.bool(6)
        createdAt = Instant(seconds: row.int(7))
    }
}

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
    /// Own and shared ones, by `sort_order`, then id (A50).
    public func projects(visibleTo user: UserID) throws -> [Project] {
        try db.query(
            "SELECT \(Project.columns) FROM project WHERE owner_id = ? OR shared = 1 ORDER BY sort_order, id",
            [.int(user.rawValue)], row: Project.init(row:))
    }

    public func project(_ id: ProjectID) throws -> Project? {
        try db.first(
            "SELECT \(Project.columns) FROM project WHERE id = ?", [.int(id.rawValue)],
            row: Project.init(row:))
    }

    public func inbox(of user: UserID) throws -> ProjectID {
        let id = try db.first(
            "SELECT id FROM project WHERE owner_id = ? AND is_inbox = 1", [.int(user.rawValue)]
        ) { ProjectID(rawValue: $0.int(0)) }
        guard let id else { throw MissingInbox(user: user) }
        return id
    }

    /// L-16: the caller's open ordinary tasks in each project, and how many of them are over target.
    public func projectCounts(of user: UserID, now: Instant) throws -> [ProjectID: (
        active: Int, overTarget: Int
    )] {
        var counts: [ProjectID: (active: Int, overTarget: Int)] = [:]
        try db.each(
            """
            SELECT project_id, count(*), count(*) FILTER (WHERE due_at <= ?2) FROM task INDEXED BY task_open
            WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) GROUP BY project_id
            """, [.int(user.rawValue), .int(now.seconds)]
        ) { counts[ProjectID(rawValue: $0.int(0))] = (Int($0.int(1)), Int($0.int(2))) }
        return counts
    }

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

    /// In order of their start (M-10).
    public func periods(of user: UserID) throws -> [Period] {
        try db.query(
            "SELECT id, label, start_time FROM time_slot WHERE user_id = ? ORDER BY start_time",
            [.int(user.rawValue)]
        ) {
            Period(
                id: .init(rawValue: $0.int(0)), label: $0.text(1), start: LocalTime($0.text(2)) ?? .midnight)
        }
    }
}

extension Transaction {
    /// A51. `sortOrder` nil = behind the last one.
    public func addProject(
        name: String, owner: UserID, shared: Bool, sortOrder: Int?, color: String?
    ) throws -> ProjectID {
        let last = try db.first(
            "SELECT max(sort_order) FROM project WHERE owner_id = ?", [.int(owner.rawValue)]
        ) {
            $0.int(0)
        }
        try db.run(
            "INSERT INTO project (owner_id, name, shared, sort_order, color, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .int(owner.rawValue), .text(name), SQLValue(shared),
                .int(sortOrder.map(Int64.init) ?? (last ?? 0) + 1),
                SQLValue(color), .int(now.seconds),
            ])
        return ProjectID(rawValue: db.lastInsertRowID)
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

/// Every account has an Inbox (L-10); one that has none was not made by this program.
public struct MissingInbox: Error, CustomStringConvertible {
    public let user: UserID
    public var description: String { "user \(user.rawValue) has no Inbox" }
}
