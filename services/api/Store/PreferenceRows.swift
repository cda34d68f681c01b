public import Domain
public import JSON
import SQLite
public import Time

// What preferences are as rows, and what a change of one moves.
extension Snapshot {
    /// What the user has set, by key; a key that was never set has its default.
    public func storedPreferences(of user: UserID) throws -> [String: JSONValue] {
        let rows = try db.query(
            "SELECT key, value FROM preference WHERE user_id = ?", [.int(user.rawValue)]
        ) { ($0.text(0), $0.text(1)) }
        var stored: [String: JSONValue] = [:]
        for (key, text) in rows {
            // Written by us as JSON; a value that does not read is none.
            if let value = try? JSONValue(parsing: Array(text.utf8)) { stored[key] = value }
        }
        return stored
    }

    /// The user's items that a change of zone or of morning may move, in any state: one in the trash may
    /// come back. A superset: the rule decides.
    public func itemsAboutLocalTime(of user: UserID, now: Instant) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ?1
                AND (deadline_all_day = 1 OR (due_at > ?2 AND (rrule IS NOT NULL OR target_source = 'auto')))
            ORDER BY id
            """, [.int(user.rawValue), .int(now.seconds)], row: TaskItem.init(row:))
    }
}

extension Transaction {
    /// Stores one preference; `value` has been checked.
    public func setPreference(_ key: String, _ value: String, of id: UserID) throws {
        knownPreferences[id] = nil
        try db.run(
            "INSERT OR REPLACE INTO preference (user_id, key, value) VALUES (?, ?, ?)",
            [.int(id.rawValue), .text(key), .text(value)])
    }

    public func setZone(_ zone: Zone, of id: UserID) throws {
        knownPreferences[id] = nil
        try db.run("UPDATE user SET timezone = ? WHERE id = ?", [.text(zone.name), .int(id.rawValue)])
    }

    /// N-10: a changed repeat interval takes effect at once on what is over target. A look that has come and was not
    /// taken yet stays: the scheduler decides it by the new interval.
    public func renewLooks(of user: UserID) throws {
        let prefs = try preferences(of: user)
        let tasks = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ?1 AND \(Schema.open) AND \(Schema.ordinary) AND due_at IS NOT NULL AND due_at <= ?2
                AND auto_snooze_minutes IS NULL AND (look_at IS NULL OR look_at > ?2)
            """, [.int(user.rawValue), .int(now.seconds)], row: TaskItem.init(row:))
        for task in tasks { try setLook(at: task.id, nextLook(at: task, now: now, prefs: prefs)) }
    }
}
