import Domain
import SQLite
import Time

/// C-12: for how many days of 24 h each kind is kept; 0 = for ever.
public struct Retention: Hashable, Sendable {
    public var trashDays = 30
    public var undoDays = 30
    public var completionDays = 30
    public var statisticDays = 0
    /// The activity log of enrichment (enrich 1.9).
    public var enrichmentDays = 90

    public init() {}
}

// the system's own acts. Each kind is a transaction of its own, with events for those who lose something, without
// an undo entry, and never undone (U-10).
extension Transaction {
    /// Tasks that have been in the trash for too long, with everything that hangs on them (C-11).
    public func purgeTrash(_ retention: Retention) throws {
        guard let limit = limit(retention.trashDays) else { return }
        _ = try removeForGood("deleted_at < ?1", [limit])
    }

    public func purgeUndo(_ retention: Retention) throws {
        guard let limit = limit(retention.undoDays) else { return }
        try tell(owners: "SELECT DISTINCT user_id FROM undo WHERE created_at < ?", limit)
        try db.run("DELETE FROM undo WHERE created_at < ?", [limit])
    }

    public func purgeCompletions(_ retention: Retention) throws {
        guard let limit = limit(retention.completionDays) else { return }
        try tell(owners: "SELECT DISTINCT user_id FROM completion WHERE completed_at < ?", limit)
        try db.run("DELETE FROM completion WHERE completed_at < ?", [limit])
    }

    /// Days of statistics, by UTC, and the log of enrichment; no page shows them as they go.
    public func purgeRecords(_ retention: Retention) throws {
        if let limit = limit(retention.enrichmentDays) {
            try db.run("DELETE FROM enrichment WHERE created_at < ?", [limit])
        }
        if retention.statisticDays > 0 {
            let today = LocalDate(daysSince1970: Int(now.seconds / 86_400))
            try db.run(
                "DELETE FROM statistic WHERE date < ?",
                [.text(today.adding(days: -retention.statisticDays).description)])
        }
    }

    /// What is older than n·24 h goes; nil: nothing does.
    private func limit(_ days: Int) -> SQLValue? {
        days > 0 ? .int(now.seconds - Int64(days) * 86_400) : nil
    }

    private func tell(owners sql: String, _ limit: SQLValue) throws {
        for owner in try db.query(sql, [limit], row: { UserID(rawValue: $0.int(0)) }) {
            try addEvent(.sync, for: owner)
        }
    }
}
