public import Domain
import SQLite
public import Time

/// One call of an enricher or an advisor, as it was logged (api 2.18).
public struct EnrichmentRecord: Sendable {
    public let id: Int64
    public let user: UserID
    /// nil: it was about no single task.
    public let task: TaskItem.ID?
    public let action: String
    /// `success`, `error` or `skipped`.
    public let status: String
    public let input: String?
    public let output: String?
    public let enricher: String?
    public let model: String?
    public let error: String?
    public let durationMilliseconds: Int?
    public let createdAt: Instant
}

/// A text that is being read.
public struct RunningJob: Sendable {
    public let task: TaskItem.ID
    public let text: String
    public let startedAt: Instant?
}

extension Snapshot {
    /// The user's calls, newest first.
    public func enrichments(
        of user: UserID, action: String? = nil, limit: Int, offset: Int = 0
    ) throws -> [EnrichmentRecord] {
        try db.query(
            """
            SELECT id, user_id, task_id, action, status, input, output, enricher, model, error, duration_ms, created_at
            FROM enrichment WHERE user_id = ?1 AND (?2 IS NULL OR action = ?2)
            ORDER BY id DESC LIMIT ?3 OFFSET ?4
            """,
            [.int(user.rawValue), SQLValue(action), .int(Int64(limit)), .int(Int64(offset))]
        ) { row in
            EnrichmentRecord(
                id: row.int(0), user: UserID(rawValue: row.int(1)),
                task: row.int(2) > 0 ? TaskItem.ID(rawValue: row.int(2)) : nil, action: row.text(3),
                status: row.text(4), input: row.optionalText(5), output: row.optionalText(6),
                enricher: row.optionalText(7), model: row.optionalText(8), error: row.optionalText(9),
                durationMilliseconds: row.optionalInt(10).map { Int($0) },
                createdAt: Instant(seconds: row.int(11)))
        }
    }

    /// The user's texts that are being read, the one claimed first in front.
    public func runningJobs(of user: UserID) throws -> [RunningJob] {
        try db.query(
            "SELECT task_id, text, claimed_at FROM job WHERE user_id = ? AND state = 'claimed' ORDER BY claimed_at, id",
            [.int(user.rawValue)]
        ) { row in
            RunningJob(
                task: TaskItem.ID(rawValue: row.int(0)), text: row.text(1),
                startedAt: row.optionalInt(2).map(Instant.init(seconds:)))
        }
    }

    /// - Parameter user: nil: everybody's.
    public func jobCount(waiting: Bool, of user: UserID? = nil) throws -> Int {
        Int(
            try db.first(
                "SELECT count(*) FROM job WHERE state = ?1 AND (?2 IS NULL OR user_id = ?2)",
                [.text(waiting ? "pending" : "claimed"), SQLValue(user?.rawValue)]
            ) { $0.int(0) } ?? 0)
    }
}

extension Transaction {
    /// One row for a call of an advisor that was about no single task.
    public func logAdvice(
        action: String, of user: UserID, error: String?, provider: String?, milliseconds: Int
    ) throws {
        try db.run(
            """
            INSERT INTO enrichment (user_id, task_id, action, status, enricher, error, duration_ms, created_at)
            VALUES (?, 0, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(user.rawValue), .text(action), .text(error == nil ? "success" : "error"),
                SQLValue(provider), SQLValue(error), .int(Int64(milliseconds)), .int(now.seconds),
            ])
    }
}
