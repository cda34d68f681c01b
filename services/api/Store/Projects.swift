public import Domain
import SQLite
public import Time

extension Project {
    static let columns = "id, owner_id, name, shared, sort_order, color, is_inbox, created_at"

    init(row: Row) {
        self.init(
            id: ProjectID(rawValue: row.int(0)), owner: UserID(rawValue: row.int(1)), name: row.text(2),
            shared: row.bool(3), sortOrder: Int(row.int(4)), color: row.optionalText(5),
            isInbox: row.bool(6), createdAt: Instant(seconds: row.int(7)))
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

    /// Those of the user himself, in their order.
    public func projects(of owner: UserID) throws -> [Project] {
        try db.query(
            "SELECT \(Project.columns) FROM project WHERE owner_id = ? ORDER BY sort_order, id",
            [.int(owner.rawValue)], row: Project.init(row:))
    }

    /// Whose tasks, in any state, are in the project.
    public func taskOwners(in project: ProjectID) throws -> Set<UserID> {
        Set(
            try db.query("SELECT DISTINCT user_id FROM task WHERE project_id = ?", [.int(project.rawValue)]) {
                UserID(rawValue: $0.int(0))
            })
    }

    /// The Inboxes of those who have one.
    public func inboxes(of users: Set<UserID>) throws -> [UserID: ProjectID] {
        var found: [UserID: ProjectID] = [:]
        for user in users {
            found[user] = try db.first(
                "SELECT id FROM project WHERE owner_id = ? AND is_inbox = 1", [.int(user.rawValue)]
            ) { ProjectID(rawValue: $0.int(0)) }
        }
        return found
    }

    /// L-16: the caller's open ordinary tasks in each project, and how many of them are over target.
    public func projectCounts(of user: UserID, now: Instant) throws -> [ProjectID: (
        active: Int, overTarget: Int
    )] {
        var counts: [ProjectID: (active: Int, overTarget: Int)] = [:]
        try db.each(
            """
            SELECT project_id, count(*), count(*) FILTER (WHERE due_at <= ?2) FROM task INDEXED BY task_counted
            WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) GROUP BY project_id
            """, [.int(user.rawValue), .int(now.seconds)]
        ) { counts[ProjectID(rawValue: $0.int(0))] = (Int($0.int(1)), Int($0.int(2))) }
        return counts
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

    /// A54, A52: name, sharing, place in the order and colour.
    public func update(_ project: Project) throws {
        try db.run(
            "UPDATE project SET name = ?, shared = ?, sort_order = ?, color = ? WHERE id = ?",
            [
                .text(project.name), SQLValue(project.shared), .int(Int64(project.sortOrder)),
                SQLValue(project.color), .int(project.id.rawValue),
            ])
    }

    /// L-14, L-15: moves the tasks of each owner, in any state, to where they go. No undo entry (U-10).
    ///
    /// - Returns: how many were moved.
    public func moveTasks(from project: ProjectID, to places: [UserID: ProjectID]) throws -> Int {
        var moved = 0
        for (owner, place) in places {
            moved += try db.run(
                """
                UPDATE task SET project_id = ?, version = version + 1, updated_at = ?
                WHERE project_id = ? AND user_id = ?
                """,
                [
                    .int(place.rawValue), .int(now.seconds), .int(project.rawValue), .int(owner.rawValue),
                ])
            try index(tasksOf: owner, in: place)
        }
        return moved
    }

    /// The project must be empty.
    public func remove(_ project: ProjectID) throws {
        try db.run("DELETE FROM project WHERE id = ?", [.int(project.rawValue)])
    }

    /// Tells the owner and `others` that projects have changed; everybody, when one of them is or was shared (D40).
    public func announce(projectsOf owner: UserID, shared: Bool, others: some Sequence<UserID> = []) throws {
        let users = shared ? try userIDs() : Set(others).union([owner]).sorted()
        for user in users { try addEvent(.sync, for: user) }
    }
}

/// Every account has an Inbox (L-10); one that has none was not made by this program.
public struct MissingInbox: Error, CustomStringConvertible {
    public let user: UserID
    public var description: String { "user \(user.rawValue) has no Inbox" }
}
