public import Domain
import SQLite
public import Time

/// What was decided about one notification, and why (A99). Kept for 30 days.
public struct Notice: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case overTarget = "over_target"
        case summary
        case enriched
        case enrichFailed = "enrich_failed"
        case sweepResult = "sweep_result"
        case snoozedToDeadline = "snoozed_to_deadline"
        case test
    }

    public enum Decision: String, Sendable {
        /// Handed to push.
        case sent
        /// A switch or a rule keeps it back.
        case held
        /// Decided, but not wanted any more before it left; or its time was missed.
        case dropped
        /// Part of a summary (N-15).
        case merged
    }

    static let lifetime: Int64 = 30 * 86_400

    public let id: Int64
    public let task: TaskItem.ID?
    public let kind: String
    public let decision: String
    public let reason: String
    /// Its message's number in the outbox.
    public let message: Int64?
    public let at: Instant

    init(row: Row) {
        id = row.int(0)
        task = row.optionalInt(1).map(TaskItem.ID.init(rawValue:))
        kind = row.text(2)
        decision = row.text(3)
        reason = row.text(4)
        message = row.optionalInt(5)
        at = Instant(seconds: row.int(6))
    }
}

extension Snapshot {
    /// Newest first.
    ///
    /// - Parameters:
    ///   - task: only those about it; nil: all.
    ///   - before: only those with a lower id; nil: from the newest on.
    public func notices(
        of user: UserID, task: TaskItem.ID?, before: Int64?, limit: Int, now: Instant
    ) throws -> [Notice] {
        // +: of one task there are fewer than of its owner.
        let scope = task == nil ? "user_id = ?1" : "+user_id = ?1 AND task_id = ?2"
        return try db.query(
            """
            SELECT id, task_id, kind, decision, reason, message, at FROM notice
            WHERE \(scope) AND id < ?3 AND at >= ?4 ORDER BY id DESC LIMIT ?5
            """,
            [
                .int(user.rawValue), SQLValue(task?.rawValue), .int(before ?? .max),
                .int(now.seconds - Notice.lifetime), SQLValue(limit),
            ], row: Notice.init(row:))
    }
}

extension Transaction {
    /// Hands a notification over and notes that.
    ///
    /// - Parameters:
    ///   - about: the task whose change makes it pointless (N-41).
    ///   - notBefore: push keeps it until then.
    public func notify(
        _ user: UserID, _ alert: Alert, _ kind: Notice.Kind, because reason: String,
        about task: TaskItem.ID?, notBefore: Instant? = nil
    ) throws {
        let message = try post(.alert(alert, about: task), to: user, notBefore: notBefore)
        try note(.sent, kind, because: reason, task: task, of: user, message: message)
    }

    /// Notes a decision.
    public func note(
        _ decision: Notice.Decision, _ kind: Notice.Kind, because reason: String, task: TaskItem.ID?,
        of user: UserID, message: Int64? = nil
    ) throws {
        try db.run(
            "INSERT INTO notice (user_id, task_id, kind, decision, reason, message, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .int(user.rawValue), SQLValue(task?.rawValue), .text(kind.rawValue), .text(decision.rawValue),
                .text(reason), SQLValue(message), .int(now.seconds),
            ])
    }

    /// N-41: what has not left and is about a task that was changed is dropped.
    ///
    /// - Returns: whether there was anything.
    func dropAlerts(about task: TaskItem.ID) throws -> Bool {
        let dropped = try db.query(
            "DELETE FROM outbox WHERE task_id = ? AND droppable = 1 RETURNING id", [.int(task.rawValue)]
        ) { $0.int(0) }
        for message in dropped {
            try db.run(
                "UPDATE notice SET decision = 'dropped', reason = ? WHERE message = ?",
                [.text("the task was changed before it left"), .int(message)])
        }
        return !dropped.isEmpty
    }

    /// Forgets those that are older than 30 days.
    func purgeNotices() throws {
        try db.run("DELETE FROM notice WHERE at < ?", [.int(now.seconds - Notice.lifetime)])
    }
}
