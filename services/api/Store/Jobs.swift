public import Domain
import JSON
import SQLite
public import Time

/// A text that waits to be understood (enrich 1.5): pending → claimed → gone, or back to pending after a failure.
public struct Job: Hashable, Sendable {
    public let id: Int64
    public let user: UserID
    public let task: TaskItem.ID
    public let text: String
    /// What "now" means in the text.
    public let typedAt: Instant
    public let isRerun: Bool
    /// Attempts used up so far, 0 to 2.
    public let attempts: Int
    public let createdAt: Instant
    /// The fields as they were when it was claimed (enrich 1.6); empty before.
    public let snapshot: [TaskField: FieldValue]
    /// The zone that the enricher was told at the claim: what it answers are wall times there (enrich 1.6); nil before.
    public let zone: Zone?

    static let columns = "id, user_id, task_id, text, typed_at, is_rerun, attempt, created_at, snapshot"

    init(row: Row) {
        id = row.int(0)
        user = UserID(rawValue: row.int(1))
        task = TaskItem.ID(rawValue: row.int(2))
        text = row.text(3)
        typedAt = Instant(seconds: row.int(4))
        isRerun = row.bool(5)
        attempts = Int(row.int(6))
        createdAt = Instant(seconds: row.int(7))
        var fields: [TaskField: FieldValue] = [:]
        // Written by `claim`; a snapshot that does not read protects nothing that the person changed, so none is.
        var zone: Zone?
        if let text = row.optionalText(8), let json = try? JSONValue(parsing: Array(text.utf8)) {
            for (name, value) in json["fields"]?.object ?? [:] {
                if let field = TaskField(rawValue: name) { fields[field] = FieldValue(json: value) }
            }
            zone = json["time_zone"]?.string.flatMap { Zone($0) }
        }
        snapshot = fields
        self.zone = zone
    }
}

/// The fields that enrichment may fill (enrich 1.3); what a claim remembers of a task.
public let enrichableFields: [TaskField] = [
    .title, .notes, .priority, .target, .deadline, .rrule, .recurrenceMode, .labels, .project,
    .repeatInterval,
    .isReminder, .isTracked, .progressTarget,
]

extension Snapshot {
    /// When the next text can be claimed: now or earlier if one waits; nil when there is none.
    public func nextJobAt() throws -> Instant? {
        let next = try db.first(
            "SELECT min(CASE state WHEN 'pending' THEN not_before ELSE lease_until END) FROM job"
        ) { $0.optionalInt(0) }
        return (next ?? nil).map(Instant.init(seconds:))
    }

    public func jobCount() throws -> Int {
        Int(try db.first("SELECT count(*) FROM job") { $0.int(0) } ?? 0)
    }

    /// The job that this token holds; nil when the token is not, or no longer, the holder's.
    public func job(_ id: Int64, token: String) throws -> Job? {
        try db.first(
            "SELECT \(Job.columns) FROM job WHERE id = ? AND state = 'claimed' AND token = ?",
            [.int(id), .text(token)],
            row: Job.init(row:))
    }

    public func hasJob(_ task: TaskItem.ID) throws -> Bool {
        try db.first("SELECT 1 FROM job WHERE task_id = ?", [.int(task.rawValue)]) { _ in true } ?? false
    }

    /// Whether there is a job of this id, whoever holds it.
    public func hasJob(id: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM job WHERE id = ?", [.int(id)]) { _ in true } ?? false
    }

    /// Whether somebody is reading the item's text right now.
    public func isClaimed(_ task: TaskItem.ID) throws -> Bool {
        try db.first("SELECT 1 FROM job WHERE task_id = ? AND state = 'claimed'", [.int(task.rawValue)]) {
            _ in true
        }
            ?? false
    }

    /// What was answered to this token before; Complete and Fail are idempotent by it.
    public func jobOutcome(token: String) throws -> String? {
        try db.first("SELECT outcome FROM job_result WHERE token = ?", [.text(token)]) { $0.text(0) }
    }

    /// The enricher that the server uses unless a user chose another.
    public func enricher() throws -> String {
        try db.first("SELECT value FROM setting WHERE key = 'enricher'") { $0.text(0) } ?? "builtin"
    }
}

extension Transaction {
    /// Puts a text into the queue; one job a task, a newer text takes the place of an older one.
    public func addJob(task: TaskItem.ID, user: UserID, text: String, isRerun: Bool = false) throws {
        try db.run(
            """
            INSERT OR REPLACE INTO job (user_id, task_id, text, typed_at, is_rerun, state, not_before, created_at)
            VALUES (?1, ?2, ?3, ?4, ?5, 'pending', ?4, ?4)
            """,
            [.int(user.rawValue), .int(task.rawValue), .text(text), .int(now.seconds), SQLValue(isRerun)])
    }

    public func removeJob(of task: TaskItem.ID) throws {
        try db.run("DELETE FROM job WHERE task_id = ?", [.int(task.rawValue)])
    }

    /// Takes a job out of the queue and remembers what its holder was told.
    public func finish(job id: Int64, token: String, outcome: String) throws {
        try db.run("DELETE FROM job WHERE id = ?", [.int(id)])
        try remember(token: token, outcome: outcome)
    }

    /// Jobs that can be claimed now: oldest first for each user, users in turn. Nothing is written yet.
    ///
    /// - Parameter last: whose turn was the last; the next one begins behind him, or the first would always be served
    ///   first, however few are claimed at a time.
    public func claimableJobs(limit: Int, after last: UserID?) throws -> [(job: Job, leaseRanOut: Bool)] {
        try db.query(
            """
            SELECT \(Job.columns), state = 'claimed' FROM (
                SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY id) AS turn FROM job
                WHERE (state = 'pending' AND not_before <= ?1) OR (state = 'claimed' AND lease_until <= ?1)
            ) ORDER BY turn, user_id <= ?3, user_id LIMIT ?2
            """, [.int(now.seconds), .int(Int64(limit)), .int(last?.rawValue ?? 0)]
        ) { (Job(row: $0), $0.bool(9)) }
    }

    /// Marks a job as held by `token` until `lease`, and remembers what the item was and in which zone it is read.
    public func claim(
        _ job: Job, token: String, attempts: Int, lease: Instant, snapshot task: TaskItem, zone: Zone
    ) throws {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("time_zone", zone.name)
            writer.object("fields") { writer in
                for field in enrichableFields { writer.member(named: field.rawValue, task[field].json) }
            }
        }
        try db.run(
            """
            UPDATE job SET state = 'claimed', token = ?, attempt = ?, lease_until = ?, snapshot = ?, claimed_at = ?
            WHERE id = ?
            """,
            [
                .text(token), .int(Int64(attempts)), .int(lease.seconds),
                .text(String(decoding: writer.bytes, as: UTF8.self)), .int(now.seconds), .int(job.id),
            ])
    }

    public func extend(job id: Int64, lease: Instant) throws {
        try db.run("UPDATE job SET lease_until = ? WHERE id = ?", [.int(lease.seconds), .int(id)])
    }

    /// Gives a claimed job back, not to be claimed again before `notBefore`.
    public func release(job id: Int64, token: String, attempts: Int, notBefore: Instant, outcome: String)
        throws
    {
        try db.run(
            """
            UPDATE job SET state = 'pending', token = NULL, lease_until = NULL, attempt = ?, not_before = ? WHERE id = ?
            """, [.int(Int64(attempts)), .int(notBefore.seconds), .int(id)])
        try remember(token: token, outcome: outcome)
    }

    private func remember(token: String, outcome: String) throws {
        try db.run(
            "INSERT OR IGNORE INTO job_result (token, outcome, at) VALUES (?, ?, ?)",
            [.text(token), .text(outcome), .int(now.seconds)])
        try db.run("DELETE FROM job_result WHERE at < ?", [.int(now.seconds - 86_400)])
    }

    /// One row a call (enrich 1.9).
    public func logEnrichment(_ entry: EnrichmentEntry) throws {
        try db.run(
            """
            INSERT INTO enrichment
                (user_id, task_id, status, input, output, enricher, model, error, duration_ms, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(entry.user.rawValue), .int(entry.task.rawValue), .text(entry.status),
                SQLValue(entry.input),
                SQLValue(entry.output), .text(entry.enricher), SQLValue(entry.model), SQLValue(entry.error),
                .int(Int64(entry.durationMilliseconds)), .int(now.seconds),
            ])
    }

    /// Whoever reads texts from now on. What waits because the one before was away need not wait for the new one.
    public func setEnricher(_ name: String) throws {
        try db.run(
            "UPDATE job SET not_before = ?1 WHERE state = 'pending' AND not_before > ?1", [.int(now.seconds)])
        try db.run("INSERT OR REPLACE INTO setting (key, value) VALUES ('enricher', ?)", [.text(name)])
    }

    /// N-30: true the first time it is asked for a task, ever.
    public func tellFinishedOnce(_ id: TaskItem.ID) throws -> Bool {
        try db.run(
            "UPDATE task SET finished_told = 1 WHERE id = ? AND finished_told = 0", [.int(id.rawValue)]) == 1
    }
}

/// What the activity log keeps of one call of an enricher.
public struct EnrichmentEntry: Sendable {
    public var user: UserID
    public var task: TaskItem.ID
    /// `success`, `error` or `skipped`.
    public var status: String
    public var input: String?
    public var output: String?
    public var enricher: String
    public var model: String?
    public var error: String?
    public var durationMilliseconds: Int

    public init(user: UserID, task: TaskItem.ID, status: String, enricher: String, durationMilliseconds: Int)
    {
        self.user = user
        self.task = task
        self.status = status
        self.enricher = enricher
        self.durationMilliseconds = durationMilliseconds
    }
}
