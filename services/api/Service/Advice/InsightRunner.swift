import ApiStore
import Domain
import Interfaces
import JSON
import Synchronization
import Time

/// Works through runs over all of a user's tasks (A75), a part at a time. What is found is kept with each part, so a
/// restart goes on where it was; a run that takes longer than twenty minutes has failed.
final class InsightRunner: Sendable {
    private let store: Store
    private let clock: any Clock
    private let commits: Commits
    private let advisor: AdvisorPeer
    private let isStopping = Atomic(false)

    /// Tasks of one question.
    static let part = 500
    static let mostSeconds: Int64 = 20 * 60
    static let standardMilliseconds = 15 * 60 * 1000

    init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        commits = parts.commits
        advisor = parts.advisor
    }

    /// Ends the question under way; the run goes on after the next start.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        advisor.close()
    }

    /// One part of the oldest run.
    ///
    /// - Returns: 0 when there may be more; nil when nothing runs.
    func turn() -> Int? {
        // An unreadable store is logged by those who write to it.
        guard !isStopping.load(ordering: .acquiring) else { return nil }
        guard let session = (try? store.read { try $0.runningInsightSession(of: nil) }) ?? nil else {
            return nil
        }
        do {
            try work(on: session)
            return 0
        } catch {
            return 60_000  // the store does not take it
        }
    }

    private func work(on session: InsightSession) throws {
        guard clock.now().seconds(since: session.startedAt) < Self.mostSeconds else {
            return try fail(session, "it took longer than twenty minutes")
        }
        let asked = Array(session.pending.prefix(Self.part))
        let now = clock.now()
        guard let question = try store.read({ try question(asked, of: session, now: now, $0) }) else {
            return try fail(session, "the account is gone")
        }
        let begin = ContinuousClock.now
        do {
            let answer =
                try question.parameters.tasks.isEmpty
                ? []
                : advisor.ask(
                    Advisor.Review.self, question.parameters, milliseconds: question.parameters.deadlineMs
                ).insights
            let elapsed = (ContinuousClock.now - begin).milliseconds
            try write { transaction in
                let known = Dictionary(question.tasks.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
                let found = answer.compactMap { one -> (task: TaskItem.ID, insight: Insight)? in
                    guard let task = known[TaskItem.ID(rawValue: one.taskID)] else { return nil }
                    return (
                        task.id,
                        checkedInsight(
                            task, score: one.score, commentary: one.commentary, signals: one.signals,
                            now: transaction.now)
                    )
                }
                // A task that was purged meanwhile takes nothing.
                let kept = try found.filter { try transaction.task($0.task) != nil }
                try transaction.add(kept, to: session, asked: asked, milliseconds: elapsed)
                try transaction.logAdvice(
                    action: AIFeature.insights.rawValue, of: session.user, error: nil, provider: nil,
                    milliseconds: elapsed)
                try transaction.addEvent(.sync, for: session.user)
            }
        } catch let absence as AdvisorPeer.Absence {
            guard !isStopping.load(ordering: .acquiring) else { return }
            try fail(session, Failure(absence).text)
        }
    }

    private struct Question {
        var tasks: [TaskItem]
        var parameters: Advisor.Review.Parameters
    }

    private func question(
        _ ids: [TaskItem.ID], of session: InsightSession, now: Instant, _ snapshot: Snapshot
    ) throws -> Question? {
        guard let user = try snapshot.user(session.user) else { return nil }
        let tasks = try ids.compactMap { try snapshot.task($0) }.filter { $0.isOpen && $0.kind == .task }
        let own = try snapshot.storedPreferences(of: user.id)["ai_insights_timeout_ms"]?.int
        return Question(
            tasks: tasks,
            parameters: .init(
                tasks: try snapshot.described(tasks, of: user, now: now),
                counts: try snapshot.adviceCounts(of: user, now: now),
                context: try snapshot.adviceContext(of: user, now: now),
                deadlineMs: own.map { Int($0) } ?? Self.standardMilliseconds))
    }

    private func fail(_ session: InsightSession, _ why: String) throws {
        try write { transaction in
            try transaction.failInsights(session.id, error: why)
            try transaction.logAdvice(
                action: AIFeature.insights.rawValue, of: session.user, error: why, provider: nil,
                milliseconds: 0)
            try transaction.addEvent(.sync, for: session.user)
        }
    }

    private func write(_ body: (Transaction) throws -> Void) throws {
        try store.write(at: clock, body)
        commits.raise()
    }
}

extension Duration {
    /// Whole ones; the fraction is cut.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
