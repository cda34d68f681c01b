import SQLite

extension Transaction {
    /// Everybody and everything goes (A96). Ids begin at 1 again, but for those that the outside has seen in order:
    /// events, which streams follow, and messages, of which push drops what it has had.
    public func eraseEverything() throws {
        // Tasks first: what follows them by triggers, such as the index of words, goes with each of them.
        for table in ["task", "user", "outbox", "mark", "job_result", "login_failure"] {
            try db.run("DELETE FROM \(table)")
        }
        try db.run("DELETE FROM setting WHERE key <> 'instance'")
        try db.run("DELETE FROM sqlite_sequence WHERE name NOT IN ('event', 'outbox')")
        knownPreferences = [:]
    }
}
