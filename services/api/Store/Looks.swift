public import Domain
import SQLite
public import Time

/// What the scheduler decides from, and where its decisions are kept.
extension Snapshot {
    /// The next instant at which some task must be looked at or some quota's period ends; nil when there is none.
    public func earliestLook() throws -> Instant? {
        let look = try db.first("SELECT min(look_at) FROM task WHERE look_at IS NOT NULL") {
            $0.optionalInt(0)
        }
        return [(look ?? nil).map(Instant.init(seconds:)), try earliestPeriodEnd()].compactMap { $0 }.min()
    }

    /// Tasks whose look has come, with that look; those of one user together, at most about `limit`: a user's check is
    /// never torn apart, because the caps of N-15 count over all of it.
    public func dueLooks(now: Instant, limit: Int) throws -> [(task: TaskItem, look: Instant)] {
        let column = TaskField.allCases.count + 5
        return try db.query(
            """
            WITH due AS (SELECT user_id, count(*) AS n FROM task WHERE look_at <= ?1 GROUP BY user_id),
                 running AS (SELECT user_id, sum(n) OVER (ORDER BY user_id) - n AS before FROM due)
            SELECT \(TaskItem.columns), look_at FROM task
            WHERE look_at <= ?1 AND user_id IN (SELECT user_id FROM running WHERE before < ?2)
            ORDER BY user_id, id
            """, [.int(now.seconds), .int(Int64(limit))]
        ) { (TaskItem(row: $0), Instant(seconds: $0.int(column))) }
    }

    /// The look that is stored for a task.
    public func look(at id: TaskItem.ID) throws -> Instant? {
        let look = try db.first("SELECT look_at FROM task WHERE id = ?", [.int(id.rawValue)]) {
            $0.optionalInt(0)
        }
        return (look ?? nil).map(Instant.init(seconds:))
    }
}

extension Transaction {
    public func setLook(at id: TaskItem.ID, _ look: Instant?) throws {
        try db.run("UPDATE task SET look_at = ? WHERE id = ?", [SQLValue(look?.seconds), .int(id.rawValue)])
    }

    /// N-5, A-8: true the first time this point of the grid is told; a replay gets false.
    public func markNotified(_ id: TaskItem.ID, target: Instant, point: Int) throws -> Bool {
        try db.run(
            "INSERT OR IGNORE INTO notified (task_id, due_at, point, at) VALUES (?, ?, ?, ?)",
            [.int(id.rawValue), .int(target.seconds), .int(Int64(point)), .int(now.seconds)]) == 1
    }

    /// N-5: true the first time this key is told.
    public func mark(_ key: String) throws -> Bool {
        try db.run("INSERT OR IGNORE INTO mark (key, at) VALUES (?, ?)", [.text(key), .int(now.seconds)]) == 1
    }

    /// True when this key was not told within the last `seconds`, and then tells it. A clock that is set back does not
    /// make anything new.
    public func mark(_ key: String, notWithin seconds: Int64) throws -> Bool {
        try db.run(
            """
            INSERT INTO mark (key, at) VALUES (?1, ?2)
            ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at >= mark.at + ?3
            """, [.text(key), .int(now.seconds), .int(seconds)]) == 1
    }

    /// What is kept for a while only: events, repeatable requests and sign-in failures 24 h, marks, notices and runs of
    /// advice 30 days.
    public func purge() throws {
        try purgeEvents()
        try purgeRequests()
        try purgeNotices()
        let month = now.seconds - 30 * 86_400
        try db.run("DELETE FROM notified WHERE at < ?", [.int(month)])
        try db.run("DELETE FROM mark WHERE at < ?", [.int(month)])
        try db.run("DELETE FROM login_failure WHERE first_at < ?", [.int(now.seconds - 86_400)])
        try db.run("DELETE FROM insight_session WHERE status <> 'running' AND started_at < ?", [.int(month)])
    }
}
