import ApiStore
import Crypto
import Domain
import Interfaces
import Log
import Synchronization
import Time
public import Varlink

/// `org.opentask.enrichqueue`: claims, results and failures of enrichment (enrich 1.5 to 1.8).
///
/// 1. Only the holder of the present token may finish or give back a job; Complete and Fail repeat their answer to a
///    token that they have answered before.
/// 2. A job is finished in the transaction that applies its result: a text is enriched once, or not yet.
public struct QueueMethods: Sendable {
    let store: Store
    let clock: any Clock
    let commits: Commits
    private let isEnabled: Bool
    private let turns = Turns()

    /// Two in total: one retry.
    static let attempts = 2
    static let retryMilliseconds = 30_000
    /// A text that never reached an enricher for so long counts as an attempt.
    static let unreachedSeconds: Int64 = 15 * 60

    public init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        commits = parts.commits
        isEnabled = parts.settings.enrichmentEnabled
    }

    public func register(on router: inout VarlinkRouter) {
        router.handle(EnrichQueue.Claim.self) { parameters, _ in
            EnrichQueue.Claim.Reply(jobs: try claim(parameters))
        }
        router.handle(EnrichQueue.Extend.self) { parameters, _ in try extend(parameters) }
        router.handle(EnrichQueue.Complete.self) { parameters, _ in try complete(parameters) }
        router.handle(EnrichQueue.Fail.self) { parameters, _ in try fail(parameters) }
    }

    private func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        let value = try store.write(at: clock, body)
        commits.raise()
        return value
    }

    // Claim

    private func claim(_ parameters: EnrichQueue.Claim.Parameters) throws -> [EnrichQueue.Job] {
        let limit = min(max(parameters.limit, 1), 10)
        let milliseconds = min(max(parameters.leaseMs, 1000), 600_000)
        return try write { transaction in
            let lease = transaction.now.adding(seconds: Int64((milliseconds + 999) / 1000))
            var jobs: [EnrichQueue.Job] = []
            for (job, leaseRanOut) in try transaction.claimableJobs(limit: limit, after: turns.last) {
                turns.last = job.user
                guard let task = try transaction.task(job.task), try isWanted(task, in: transaction) else {
                    try discard(job, in: transaction)
                    continue
                }
                // A holder that died used its attempt up, or a crash loop would never end.
                let used = job.attempts + (leaseRanOut ? 1 : 0)
                if used >= Self.attempts {
                    try giveUp(job, task, in: transaction)
                    continue
                }
                let token = SecureRandom.token(bytes: 18)
                try transaction.claim(
                    job, token: token, attempts: used, lease: lease, snapshot: task,
                    zone: try zone(job, transaction))
                jobs.append(try described(job, task, token: token, attempt: used + 1, in: transaction))
            }
            return jobs
        }
    }

    /// enrich 1.1, 1.6: whether the task still waits to be read.
    private func isWanted(_ task: TaskItem, in transaction: Transaction) throws -> Bool {
        guard isEnabled, !task.done, task.deletedAt == nil, task.labels.contains(SystemLabel.toProcess),
            !task.labels.contains(SystemLabel.locked)
        else { return false }
        return try transaction.readingPreferences(of: task.owner).isOn
    }

    private func described(
        _ job: Job, _ task: TaskItem, token: String, attempt: Int, in transaction: Transaction
    ) throws -> EnrichQueue.Job {
        let prefs = try transaction.preferences(of: job.user)
        let reading = try transaction.readingPreferences(of: job.user)
        let project = try transaction.project(task.project)
        let context = try EnricherInterface.Context(
            of: job.user, at: job.isRerun ? transaction.now : job.typedAt, prefs: prefs, reading: reading,
            in: transaction)
        return EnrichQueue.Job(
            id: job.id, token: token, user: job.user.rawValue, task: job.task.rawValue, attempt: attempt,
            kind: task.kind.rawValue, text: job.text,
            enricher: try reading.enricher ?? transaction.enricher(),
            timeoutMs: reading.timeoutMilliseconds, context: context,
            project: project?.isInbox == true ? nil : project?.name, hasSchedule: task.rrule != nil,
            fallback: reading.fallback)
    }

    private func extend(_ parameters: EnrichQueue.Extend.Parameters) throws -> VarlinkEmpty {
        try write { transaction in
            guard try transaction.job(parameters.job, token: parameters.token) != nil else {
                throw try notHeld(parameters.job, transaction)
            }
            let seconds = Int64(min(max(parameters.leaseMs, 1000), 600_000) / 1000)
            try transaction.extend(job: parameters.job, lease: transaction.now.adding(seconds: seconds))
            return VarlinkEmpty()
        }
    }

    /// Why a token does not hold a job: somebody else claimed it, or the job is no more.
    private func notHeld(_ job: Int64, _ transaction: Transaction) throws -> VarlinkError {
        VarlinkError(
            try transaction.hasJob(id: job) ? EnrichQueue.Errors.staleToken : EnrichQueue.Errors.gone)
    }

    // Complete

    private func complete(_ parameters: EnrichQueue.Complete.Parameters) throws -> EnrichQueue.Complete.Reply
    {
        try write { transaction in
            if let outcome = try transaction.jobOutcome(token: parameters.token) {
                return .init(outcome: outcome)
            }
            guard let job = try transaction.job(parameters.job, token: parameters.token) else {
                throw try notHeld(parameters.job, transaction)
            }
            let outcome = try apply(parameters.result, to: job, in: transaction)
            try transaction.finish(job: job.id, token: parameters.token, outcome: outcome)
            var entry = EnrichmentEntry(
                user: job.user, task: job.task, status: outcome == "discarded" ? "skipped" : "success",
                enricher: parameters.log.enricher, durationMilliseconds: parameters.log.durationMs)
            entry.input = parameters.log.input
            entry.output = parameters.log.output
            entry.model = parameters.log.model
            try transaction.logEnrichment(entry)
            return .init(outcome: outcome)
        }
    }

    private func apply(
        _ result: EnricherInterface.Result, to job: Job, in transaction: Transaction
    ) throws -> String {
        guard let found = try transaction.task(job.task) else { return "discarded" }
        let task = try transaction.closingEndedPeriods(of: found)
        guard try isWanted(task, in: transaction) else {
            try discard(job, in: transaction)
            return "discarded"
        }
        let enriched = try Enrichment(job: job, task: task, result: result, in: transaction).applied()
        var change = Change(
            actor: job.user, action: .edit,
            description:
                "AI: \(Descriptions.edited(task, enriched, now: transaction.now, zone: try zone(job, transaction)))",
            items: [ItemChange(task, enriched)])
        // The first enrichment belongs to the creation (enrich 1.6); a re-run is a step of its own.
        change.isUndoable = job.isRerun
        let recorded = try transaction.record(change)[0]
        try tell(recorded, job, in: transaction)
        return enriched.fields(changedFrom: task).allSatisfy { $0 == .labels } ? "unchanged" : "applied"
    }

    private func zone(_ job: Job, _ transaction: Transaction) throws -> Zone {
        try transaction.preferences(of: job.user).zone
    }

    /// The event of enrich 1.6, and N-30.
    private func tell(_ task: TaskItem, _ job: Job, in transaction: Transaction) throws {
        let prefs = try transaction.preferences(of: job.user)
        let project = try transaction.project(task.project)?.name ?? "Inbox"
        let period = try periodName(of: task, prefs, in: transaction)
        let alert = Alert.enriched(
            task, projectName: project, periodName: period, now: transaction.now, prefs: prefs)
        try transaction.addEvent(
            .enrichmentComplete(
                task.id, title: task.title, description: alert.body, target: task.target,
                priority: task.priority.rawValue), for: job.user)
        if let reason = whyEnrichmentIsHeld(task, now: transaction.now, prefs: prefs) {
            try transaction.note(.held, .enriched, because: reason, task: task.id, of: job.user)
        } else if try transaction.tellFinishedOnce(task.id) {
            try transaction.notify(
                job.user, alert, .enriched, because: "the text has been understood", about: task.id)
        } else {
            try transaction.note(
                .held, .enriched, because: "it was told once already", task: task.id, of: job.user)
        }
    }

    /// M-2: the period with the latest start at or before the reminder's time; nil: Anytime.
    private func periodName(of task: TaskItem, _ prefs: Preferences, in transaction: Transaction) throws
        -> String?
    {
        guard task.kind == .reminder,
            let time = task.anchorTime ?? task.target.map({ prefs.zone.local($0).time })
        else { return nil }
        return try transaction.periods(of: task.owner).last { $0.start <= time }?.label
    }

    // Fail

    private func fail(_ parameters: EnrichQueue.Fail.Parameters) throws -> VarlinkEmpty {
        try write { transaction in
            if try transaction.jobOutcome(token: parameters.token) != nil { return VarlinkEmpty() }
            guard let job = try transaction.job(parameters.job, token: parameters.token) else {
                throw try notHeld(parameters.job, transaction)
            }
            let unreached =
                !parameters.usesAttempt
                && transaction.now.seconds(since: job.createdAt) > Self.unreachedSeconds
            let used = job.attempts + (parameters.usesAttempt || unreached ? 1 : 0)
            var entry = EnrichmentEntry(
                user: job.user, task: job.task, status: "error", enricher: parameters.log.enricher,
                durationMilliseconds: parameters.log.durationMs)
            entry.error = parameters.error
            entry.input = parameters.log.input
            entry.model = parameters.log.model
            try transaction.logEnrichment(entry)

            guard let task = try transaction.task(job.task), try isWanted(task, in: transaction) else {
                try discard(job, in: transaction)
                try transaction.finish(job: job.id, token: parameters.token, outcome: "discarded")
                return VarlinkEmpty()
            }
            if used >= Self.attempts || (parameters.usesAttempt && !parameters.retryable) {
                try giveUp(job, task, in: transaction)
                try transaction.finish(job: job.id, token: parameters.token, outcome: "failed")
            } else {
                let delay = parameters.usesAttempt ? Self.retryMilliseconds : 0
                let wait = max(delay, parameters.retryAfterMs ?? 0)
                let jittered = Double(wait) * Double.random(in: 0.8...1.2)
                try transaction.release(
                    job: job.id, token: parameters.token, attempts: used,
                    notBefore: transaction.now.adding(seconds: Int64((jittered / 1000).rounded(.up))),
                    outcome: "retry")
            }
            return VarlinkEmpty()
        }
    }

    /// enrich 1.5: `ai-to-process` becomes `ai-failed`, and the person is told once (N-32, N-33).
    private func giveUp(_ job: Job, _ task: TaskItem, in transaction: Transaction) throws {
        var failed = task
        failed.labels.removeAll { $0 == SystemLabel.toProcess }
        if !failed.labels.contains(SystemLabel.failed) { failed.labels.append(SystemLabel.failed) }
        var change = Change(
            actor: job.user, action: .edit,
            description: "AI couldn't process \(Descriptions.quoted(task.title))",
            items: [ItemChange(task, failed)])
        change.isUndoable = false
        let recorded = try transaction.record(change)[0]
        try transaction.removeJob(of: job.task)
        try transaction.addEvent(.enrichmentFailed(job.task), for: job.user)
        let prefs = try transaction.preferences(of: job.user)
        if let reason = whyFailureIsHeld(recorded, prefs: prefs) {
            try transaction.note(.held, .enrichFailed, because: reason, task: job.task, of: job.user)
        } else {
            try transaction.notify(
                job.user, .enrichmentFailed(recorded), .enrichFailed,
                because: "the text could not be understood", about: job.task)
        }
    }

    /// Nobody wants the text read any more: the label goes, quietly.
    private func discard(_ job: Job, in transaction: Transaction) throws {
        try transaction.removeJob(of: job.task)
        guard let task = try transaction.task(job.task), task.labels.contains(SystemLabel.toProcess) else {
            return
        }
        var without = task
        without.labels.removeAll { $0 == SystemLabel.toProcess }
        var change = Change(
            actor: job.user, action: .edit, description: "", items: [ItemChange(task, without)])
        change.isUndoable = false
        try transaction.record(change)
    }
}

/// Whose text was claimed last. Forgotten at a restart, when everybody's turn begins anew.
private final class Turns: Sendable {
    private let user = Mutex<UserID?>(nil)

    var last: UserID? {
        get { user.withLock { $0 } }
        set { user.withLock { $0 = newValue } }
    }
}
