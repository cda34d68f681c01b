import ApiStore
import Domain
import HTTPServer
import Interfaces
import JSON
import Time

extension AdviceRoutes {
    // A75

    func generate(_ request: Request) throws -> HTTPResponse {
        let user = try request.caller.user
        guard actions.settings.advisorEnabled else {
            throw Failure.unavailable("AI is off on this server: OPENTASK_AI_ENABLED is not true")
        }
        guard try actions.store.read({ try $0.wants(.insights, user.id) }) else {
            throw Failure.unavailable("Insights are off in your preferences")
        }
        do throws(AdvisorPeer.Absence) {
            let provider = try advisor.provider(of: .insights)
            if let why = provider.error { throw .failed(why) }
        } catch {
            throw Failure(error)
        }
        let id = ReviewSessions.uuid()
        let session = try actions.write { transaction -> InsightSession? in
            if let running = try transaction.runningInsightSession(of: user.id) { throw Self.runs(running) }
            let tasks = try transaction.openTasks(of: user.id).map(\.id)
            guard !tasks.isEmpty else { return nil }
            try transaction.startInsights(id: id, tasks: tasks, of: user.id)
            return try transaction.insightSession(id, of: user.id)
        }
        insightRuns.raise()
        return .data { writer in
            writer.object { writer in
                writer.member("session_id", session?.id)
                writer.member("total_tasks", session?.total ?? 0)
                writer.member("single_call", (session?.total ?? 0) <= InsightRunner.part)
                writer.member("started_at", session?.startedAt.iso8601)
                if session == nil { writer.member("message", "There are no open tasks") }
            }
        }
    }

    private static func runs(_ session: InsightSession) -> Failure {
        var failure = Failure.conflict("Insights are being made already")
        failure.facts = [
            "session_id": .string(session.id), "completed": .int(Int64(session.completed)),
            "total_tasks": .int(Int64(session.total)), "started_at": .string(session.startedAt.iso8601),
        ]
        return failure
    }

    // A76

    func status(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        guard let id = request.http.query["session_id"], !id.isEmpty else {
            throw Failure.invalid("session_id: is required", ["session_id": "is required"])
        }
        guard let session = try actions.store.read({ try $0.insightSession(id, of: caller.id) }) else {
            throw Failure.notFound("Session")
        }
        return .data { writer in
            writer.object { writer in
                writer.member("session_id", session.id)
                writer.member("status", session.status.rawValue)
                writer.member("total_tasks", session.total)
                writer.member("completed", session.completed)
                writer.member(
                    "progress_pct", session.total == 0 ? 100 : session.completed * 100 / session.total)
                writer.member("started_at", session.startedAt.iso8601)
                writer.member("finished_at", session.finishedAt?.iso8601)
                writer.member("error", session.error)
            }
        }
    }

    // A77

    func results(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let (found, last, running) = try actions.store.read { snapshot in
            (
                try snapshot.insights(of: caller.id), try snapshot.lastFinishedInsightSession(of: caller.id),
                try snapshot.runningInsightSession(of: caller.id)
            )
        }
        let newest = found.map(\.generatedAt).max()
        let today = actions.clock.now().seconds / 86_400
        var counts: [InsightSignal: Int] = [:]
        for signal in found.flatMap(\.insight.signals) { counts[signal, default: 0] += 1 }
        return .data { writer in
            writer.object { writer in
                writer.array("results") { writer in
                    for one in found { one.write(to: &writer) }
                }
                writer.member("generated_at", newest?.iso8601)
                writer.member("stale", newest.map { $0.seconds / 86_400 != today } ?? false)
                writer.member("duration_ms", last?.durationMilliseconds)
                writer.object("signal_counts") { writer in
                    for signal in InsightSignal.allCases {
                        guard let count = counts[signal] else { continue }
                        writer.member(named: signal.rawValue, .int(Int64(count)))
                    }
                }
                writer.array("signals") { writer in
                    for signal in InsightSignal.allCases {
                        writer.object { writer in
                            writer.member("key", signal.rawValue)
                            writer.member("label", signal.label)
                            writer.member("color", signal.color)
                            writer.member("icon", signal.icon)
                            writer.member("description", signal.meaning)
                        }
                    }
                }
                writer.key("active_session")
                guard let running else { return writer.null() }
                writer.object { writer in running.writeProgress(to: &writer) }
            }
        }
    }
}

extension InsightSession {
    /// Members of an object that is open.
    func writeProgress(to writer: inout JSONWriter) {
        writer.member("session_id", id)
        writer.member("completed", completed)
        writer.member("total_tasks", total)
        writer.member("started_at", startedAt.iso8601)
    }
}

extension StoredInsight {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("task_id", task.rawValue)
            writer.member("score", insight.score)
            writer.member("commentary", insight.commentary)
            writer.array("signals") { writer in
                for signal in insight.signals { writer.value(signal.rawValue) }
            }
            writer.member("generated_at", generatedAt.iso8601)
        }
    }
}
