public import Domain
import SQLite
import Time

// the ends of periods. A system act: told and noted, never undone. Each quota is closed by itself, and
// what is closed is not due any more: whoever is stopped in the middle leaves the rest to the next one.
extension Transaction {
    /// The quota with the periods that have ended closed; anything else as it is. Every write on a quota begins here.
    public func closingEndedPeriods(of quota: TaskItem) throws -> TaskItem {
        guard quota.kind == .quota else { return quota }
        let prefs = try preferences(of: quota.owner)
        if let end = quota.quotaPeriodEnd(prefs: prefs), end > now { return quota }
        let rolled = Domain.rollOver(
            quota,
            progress: try quota.progressPeriodStart.map { try progress(on: quota.id, since: $0) } ?? [],
            now: now, prefs: prefs)
        guard rolled.quota != quota else { return quota }
        var item = ItemChange(quota, rolled.quota)
        item.progress = []
        for period in rolled.ended {
            try db.run(
                """
                INSERT OR REPLACE INTO quota_period (task_id, start_at, end_at, logged, target, met)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    .int(quota.id.rawValue), .int(period.start.seconds), .int(period.end.seconds),
                    .int(Int64(period.logged)), .int(Int64(period.target)), .int(period.isMet ? 1 : 0),
                ])
            guard period.isMet else { continue }
            let completion = NewCompletion(completedAt: period.end, targetWas: nil, targetNext: nil)
            if item.completion == nil { item.completion = completion } else { try add(completion, to: quota) }
        }
        var change = Change(
            actor: quota.owner, action: .rollover, description: rolloverText(rolled), items: [item])
        change.isUndoable = false
        return try record(change).first ?? rolled.quota
    }

    /// closes what is due, a part at a time.
    ///
    /// - Returns: how many quotas were due, at most `limit`.
    public func rollOverDue(limit: Int) throws -> Int {
        let due = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE period_ends_at IS NOT NULL AND \(Schema.open) AND period_ends_at <= ?
            ORDER BY period_ends_at, id LIMIT ?
            """, [.int(now.seconds), .int(Int64(limit))], row: TaskItem.init(row:))
        for quota in due { try notePeriodEnd(of: try closingEndedPeriods(of: quota)) }
        return due.count
    }

    /// runs `change`, which moves the boundaries of a user's quotas, between two rollovers: by the old
    /// boundaries before it, by the new ones after it.
    public func rollingOver(quotasOf user: UserID, _ change: () throws -> Void) throws {
        try rollOver(quotasOf: user)
        try change()
        knownPreferences[user] = nil
        try rollOver(quotasOf: user)
    }

    /// closes the ended periods of one user, and notes where the present ones end.
    public func rollOver(quotasOf user: UserID) throws {
        let quotas = try db.query(
            "SELECT \(TaskItem.columns) FROM task WHERE user_id = ? AND \(Schema.quota) ORDER BY id",
            [.int(user.rawValue)], row: TaskItem.init(row:))
        for quota in quotas {
            try notePeriodEnd(of: quota.isOpen ? try closingEndedPeriods(of: quota) : quota)
        }
    }

    /// The boundary lies elsewhere although nothing of the quota has changed.
    private func notePeriodEnd(of quota: TaskItem) throws {
        let end = quota.quotaPeriodEnd(prefs: try preferences(of: quota.owner))
        try db.run(
            "UPDATE task SET period_ends_at = ?1 WHERE id = ?2 AND period_ends_at IS NOT ?1",
            [SQLValue(end?.seconds), .int(quota.id.rawValue)])
    }
}
