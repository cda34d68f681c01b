public import Interfaces
import SQLite
public import Time

extension DeliveryStore {
    /// How long an id is remembered, and a line of the log kept, s.
    static let idLifetime: Int64 = 8 * 86_400
    static let logLifetime: Int64 = 30 * 86_400
    static let webhookLogLifetime: Int64 = 7 * 86_400

    /// What became of a user's messages, newest first.
    ///
    /// - Parameter messages: only of these; nil: of all.
    public func log(of user: Int64, limit: Int, messages: [String]? = nil) throws -> [Push.LogEntry] {
        var condition = "user = ?"
        if let messages {
            let marks = messages.map { _ in "?" }.joined(separator: ", ")
            condition = "+user = ? AND message_id IN (\(marks))"  // +: by the index of messages
        }
        let arguments = [.int(user)] + (messages ?? []).map(SQLValue.text) + [SQLValue(limit)]
        return try readers.read { database in
            try database.query(
                """
                SELECT at, message_id, kind, channel, target, outcome, reason, status, attempts
                FROM log WHERE \(condition) ORDER BY id DESC LIMIT ?
                """, arguments
            ) { row in
                Push.LogEntry(
                    at: Instant(seconds: row.int(0)), messageID: row.optionalText(1), kind: row.text(2),
                    channel: row.optionalText(3).flatMap(Push.Channel.init(rawValue:)),
                    target: row.optionalText(4),
                    // Only entries of ours are in the table.
                    outcome: Push.LogEntry.Outcome(rawValue: row.text(5)) ?? .failed,
                    reason: row.optionalText(6),
                    status: row.optionalInt(7).map(Int.init), attempts: Int(row.int(8)))
            }
        }
    }

    /// Forgets ids after 8 days, lines of the log after 30, attempts of webhooks after 7.
    public func prune(at now: Instant) throws {
        try writer.write { database in
            try database.run(
                "DELETE FROM received WHERE received_at < ?", [.int(now.seconds - DeliveryStore.idLifetime)])
            try database.run("DELETE FROM log WHERE at < ?", [.int(now.seconds - DeliveryStore.logLifetime)])
            try database.run(
                "DELETE FROM webhook_attempt WHERE at < ?",
                [.int(now.seconds - DeliveryStore.webhookLogLifetime)])
        }
    }
}

extension Database {
    func log(_ user: Int64, _ entry: Push.LogEntry) throws {
        try run(
            """
            INSERT INTO log (user, at, message_id, kind, channel, target, outcome, reason, status, attempts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(user), .int(entry.at.seconds), SQLValue(entry.messageID), .text(entry.kind),
                SQLValue(entry.channel?.rawValue), SQLValue(entry.target), .text(entry.outcome.rawValue),
                SQLValue(entry.reason), SQLValue(entry.status), SQLValue(entry.attempts),
            ])
    }
}
