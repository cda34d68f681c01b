public import Domain
import SQLite
public import Time

extension Snapshot {
    /// The user's own open quotas.
    public func openQuotas(of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ? AND \(Schema.quota) AND \(Schema.open) ORDER BY id
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
    }

    /// A35: the open quotas that a user sees, and whether he sees any that is not in the trash.
    public func quotas(visibleTo user: UserID) throws -> (open: [TaskItem], hasAny: Bool) {
        let visible = "(user_id = ?1 OR project_id IN (SELECT id FROM project WHERE shared = 1))"
        let open = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE \(visible) AND \(Schema.quota) AND \(Schema.open) ORDER BY id
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
        let any = try db.first(
            "SELECT 1 FROM task WHERE \(visible) AND \(Schema.quota) AND deleted_at IS NULL LIMIT 1",
            [.int(user.rawValue)]
        ) { $0.bool(0) }
        return (open, any ?? false)
    }

    /// items as they are shown at `now`, by the preferences of their owners.
    public func shown(_ items: [TaskItem], at now: Instant) throws -> [TaskItem] {
        var known: [UserID: Preferences] = [:]
        return try items.map { item in
            guard item.kind == .quota else { return item }
            guard let prefs = try known[item.owner] ?? user(item.owner)?.preferences else { return item }
            known[item.owner] = prefs
            return item.shown(at: now, prefs: prefs)
        }
    }

    /// what was logged on a quota from an instant on, oldest first.
    public func progress(on id: TaskItem.ID, since start: Instant) throws -> [LoggedProgress] {
        try db.query(
            "SELECT at, delta FROM progress WHERE task_id = ? AND at >= ? ORDER BY at, id",
            [.int(id.rawValue), .int(start.seconds)]
        ) { LoggedProgress(at: Instant(seconds: $0.int(0)), delta: Int($0.int(1))) }
    }

    /// The next boundary of any open quota; in the past if it has not been closed yet.
    public func earliestPeriodEnd() throws -> Instant? {
        let end = try db.first(
            "SELECT min(period_ends_at) FROM task WHERE period_ends_at IS NOT NULL AND \(Schema.open)"
        ) { $0.optionalInt(0) }
        return (end ?? nil).map(Instant.init(seconds:))
    }
}

/// Something logged on a quota.
struct ProgressRow: Hashable {
    /// nil: a new one.
    var id: Int64?
    var user: UserID
    var delta: Int
    var at: Instant
}

extension Transaction {
    /// - Returns: the row with its id.
    func add(_ row: ProgressRow, to id: TaskItem.ID) throws -> ProgressRow {
        try db.run(
            "INSERT OR IGNORE INTO progress (id, task_id, user_id, delta, at) VALUES (?, ?, ?, ?, ?)",
            [
                SQLValue(row.id), .int(id.rawValue), .int(row.user.rawValue), .int(Int64(row.delta)),
                .int(row.at.seconds),
            ])
        var added = row
        added.id = row.id ?? db.lastInsertRowID
        return added
    }

    /// what a change adds to a quota's count within its period; nil: nothing.
    func progress(of item: ItemChange, by actor: UserID) -> ProgressRow? {
        guard item.after.kind == .quota else { return nil }
        // a period that was closed by hand counts from 0.
        let counts = item.before?.kind == .quota && item.completion == nil
        let delta = item.after.progressCurrent - (counts ? item.before?.progressCurrent ?? 0 : 0)
        return delta == 0 ? nil : ProgressRow(user: actor, delta: delta, at: now)
    }
}
