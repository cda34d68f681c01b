public import Domain
import JSON
import SQLite
public import Time

/// A run over all of a user's open tasks (A75).
public struct InsightSession: Hashable, Sendable {
    public enum Status: String, Sendable {
        case running, complete, failed
    }

    public let id: String
    public let user: UserID
    public let status: Status
    public let total: Int
    /// Tasks that were asked about.
    public let completed: Int
    /// Those that were not, in order.
    public let pending: [TaskItem.ID]
    public let startedAt: Instant
    public let finishedAt: Instant?
    public let durationMilliseconds: Int?
    public let error: String?

    static let columns =
        "id, user_id, status, total, completed, pending, started_at, finished_at, duration_ms, error"

    init(row: Row) {
        id = row.text(0)
        user = UserID(rawValue: row.int(1))
        status = Status(rawValue: row.text(2)) ?? .failed  // the schema's CHECK keeps it to the three
        total = Int(row.int(3))
        completed = Int(row.int(4))
        // Written by us; what does not read is nothing left to ask.
        let ids = (try? JSONValue(parsing: Array(row.text(5).utf8)))?.array ?? []
        pending = ids.compactMap { $0.int.map(TaskItem.ID.init(rawValue:)) }
        startedAt = Instant(seconds: row.int(6))
        finishedAt = row.optionalInt(7).map(Instant.init(seconds:))
        durationMilliseconds = row.optionalInt(8).map { Int($0) }
        error = row.optionalText(9)
    }
}

/// What was found about a task, and when.
public struct StoredInsight: Hashable, Sendable {
    public let task: TaskItem.ID
    public let insight: Insight
    public let generatedAt: Instant
}

/// What to begin with, as it was said (A74).
public struct StoredAdvice: Sendable {
    public var picks: [(task: TaskItem.ID, reason: String)]
    public var summary: String
    public var generatedAt: Instant
    public var durationMilliseconds: Int

    public init(
        picks: [(task: TaskItem.ID, reason: String)], summary: String, generatedAt: Instant,
        durationMilliseconds: Int
    ) {
        self.picks = picks
        self.summary = summary
        self.generatedAt = generatedAt
        self.durationMilliseconds = durationMilliseconds
    }
}

extension Snapshot {
    /// The user's open ordinary tasks, oldest first.
    public func openTasks(of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ? AND \(Schema.open) AND \(Schema.ordinary) ORDER BY id
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
    }

    public func insightSession(_ id: String, of user: UserID) throws -> InsightSession? {
        try db.first(
            "SELECT \(InsightSession.columns) FROM insight_session WHERE id = ? AND user_id = ?",
            [.text(id), .int(user.rawValue)], row: InsightSession.init(row:))
    }

    /// - Parameter user: nil: anybody's, the oldest.
    public func runningInsightSession(of user: UserID?) throws -> InsightSession? {
        try db.first(
            """
            SELECT \(InsightSession.columns) FROM insight_session
            WHERE status = 'running' AND (?1 IS NULL OR user_id = ?1) ORDER BY started_at LIMIT 1
            """, [SQLValue(user?.rawValue)], row: InsightSession.init(row:))
    }

    public func lastFinishedInsightSession(of user: UserID) throws -> InsightSession? {
        try db.first(
            """
            SELECT \(InsightSession.columns) FROM insight_session
            WHERE user_id = ? AND status = 'complete' ORDER BY finished_at DESC LIMIT 1
            """, [.int(user.rawValue)], row: InsightSession.init(row:))
    }

    /// Of tasks that are still open, the highest score first.
    public func insights(of user: UserID) throws -> [StoredInsight] {
        try db.query(
            """
            SELECT insight.task_id, score, commentary, signals, generated_at
            FROM insight JOIN task ON task.id = insight.task_id
            WHERE insight.user_id = ? AND \(Schema.open) ORDER BY score DESC, insight.task_id
            """, [.int(user.rawValue)]
        ) { row in
            let signals = (try? JSONValue(parsing: Array(row.text(3).utf8)))?.array ?? []  // written by us
            return StoredInsight(
                task: TaskItem.ID(rawValue: row.int(0)),
                insight: Insight(
                    score: Int(row.int(1)), commentary: row.text(2),
                    signals: signals.compactMap { $0.string.flatMap(InsightSignal.init(rawValue:)) }),
                generatedAt: Instant(seconds: row.int(4)))
        }
    }

    public func advice(of user: UserID) throws -> StoredAdvice? {
        try db.first(
            "SELECT tasks, summary, generated_at, duration_ms FROM whats_next WHERE user_id = ?",
            [.int(user.rawValue)]
        ) { row in
            let picks = (try? JSONValue(parsing: Array(row.text(0).utf8)))?.array ?? []  // written by us
            return StoredAdvice(
                picks: picks.compactMap { pick in
                    guard let id = pick["task_id"]?.int, let reason = pick["reason"]?.string else {
                        return nil
                    }
                    return (TaskItem.ID(rawValue: id), reason)
                },
                summary: row.text(1), generatedAt: Instant(seconds: row.int(2)),
                durationMilliseconds: Int(row.int(3)))
        }
    }
}

extension Transaction {
    public func startInsights(id: String, tasks: [TaskItem.ID], of user: UserID) throws {
        try db.run(
            """
            INSERT INTO insight_session (id, user_id, status, total, pending, started_at)
            VALUES (?, ?, 'running', ?, ?, ?)
            """,
            [
                .text(id), .int(user.rawValue), .int(Int64(tasks.count)), .text(Self.json(tasks)),
                .int(now.seconds),
            ])
    }

    /// Keeps what was found about a part of a run, and ends the run with its last part.
    public func add(
        _ insights: [(task: TaskItem.ID, insight: Insight)], to session: InsightSession,
        asked: [TaskItem.ID], milliseconds: Int
    ) throws {
        for (task, insight) in insights {
            let signals = JSONValue.array(insight.signals.map { .string($0.rawValue) })
            var writer = JSONWriter()
            writer.value(signals)
            try db.run(
                """
                INSERT OR REPLACE INTO insight (task_id, user_id, score, commentary, signals, generated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    .int(task.rawValue), .int(session.user.rawValue), .int(Int64(insight.score)),
                    .text(insight.commentary), .text(String(decoding: writer.bytes, as: UTF8.self)),
                    .int(now.seconds),
                ])
        }
        let gone = Set(asked)
        let rest = session.pending.filter { !gone.contains($0) }
        try db.run(
            """
            UPDATE insight_session SET completed = total - ?2, pending = ?3,
                duration_ms = coalesce(duration_ms, 0) + ?4,
                status = CASE ?2 WHEN 0 THEN 'complete' ELSE status END,
                finished_at = CASE ?2 WHEN 0 THEN ?5 ELSE NULL END
            WHERE id = ?1 AND status = 'running'
            """,
            [
                .text(session.id), .int(Int64(rest.count)), .text(Self.json(rest)), .int(Int64(milliseconds)),
                .int(now.seconds),
            ])
    }

    public func failInsights(_ id: String, error: String) throws {
        try db.run(
            """
            UPDATE insight_session SET status = 'failed', pending = '[]', finished_at = ?, error = ?
            WHERE id = ? AND status = 'running'
            """, [.int(now.seconds), .text(error), .text(id)])
    }

    public func setAdvice(_ advice: StoredAdvice, of user: UserID) throws {
        let picks = JSONValue.array(
            advice.picks.map { ["task_id": .int($0.task.rawValue), "reason": .string($0.reason)] })
        var writer = JSONWriter()
        writer.value(picks)
        try db.run(
            """
            INSERT OR REPLACE INTO whats_next (user_id, tasks, summary, generated_at, duration_ms)
            VALUES (?, ?, ?, ?, ?)
            """,
            [
                .int(user.rawValue), .text(String(decoding: writer.bytes, as: UTF8.self)),
                .text(advice.summary), .int(advice.generatedAt.seconds),
                .int(Int64(advice.durationMilliseconds)),
            ])
    }

    private static func json(_ ids: [TaskItem.ID]) -> String {
        "[\(ids.map { String($0.rawValue) }.joined(separator: ","))]"
    }
}
