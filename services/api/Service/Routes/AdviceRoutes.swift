import ApiStore
import Domain
import HTTPServer
import Interfaces
import JSON
import Time

/// A72 to A77: advice on tasks. Without `OPENTASK_AI_ENABLED=true`, or without an advisor behind the enrich service, what
/// would need one is 503; what was found stays readable.
struct AdviceRoutes: RouteGroup {
    let actions: TaskActions
    let advisor: AdvisorPeer
    let enrich: EnrichPeer
    /// Told of each run that begins.
    let insightRuns: Commits

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/ai/test", Route(answer: test))
        routes.add("POST", "/api/ai/quick-take", Route(answer: quickTake))
        routes.add("GET", "/api/ai/whats-next", Route(answer: whatsNext))
        routes.add("POST", "/api/ai/insights/generate", Route(answer: generate))
        routes.add("GET", "/api/ai/insights/status", Route(answer: status))
        routes.add("GET", "/api/ai/insights/results", Route(answer: results))
    }

    /// The caller, where advice is on at all.
    private func advised(_ request: Request) throws -> User {
        let user = try request.caller.user
        guard actions.settings.advisorEnabled else {
            throw Failure.unavailable("AI is off on this server: OPENTASK_AI_ENABLED is not true")
        }
        return user
    }

    private func wants(_ feature: AIFeature, _ user: User) throws -> Bool {
        try actions.store.read { try $0.wants(feature, user.id) }
    }

    // A72

    private func test(_ request: Request) throws -> HTTPResponse {
        let user = try advised(request)
        let fields = try request.fields(required: true)
        guard let feature = AIFeature(rawValue: try fields.string("feature")) else {
            throw fields.refuse(
                "feature", "must be one of \(AIFeature.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard try wants(feature, user) else { throw fields.refuse("feature", "is off in your preferences") }
        let begin = ContinuousClock.now
        let answer: Advisor.CheckProvider.Reply
        do {
            answer = feature == .enrichment ? try enricher(of: user) : try advisor.provider(of: feature)
        } catch let absence as AdvisorPeer.Absence {
            guard case .failed(let why) = absence else { throw Failure(absence) }
            answer = .init(provider: "", providerDisplay: "", error: why)
        }
        let elapsed = (ContinuousClock.now - begin).milliseconds
        return .data { writer in
            writer.object { writer in
                writer.member("success", answer.error == nil)
                writer.member("duration_ms", elapsed)
                writer.member("provider", answer.provider.isEmpty ? nil : answer.provider)
                writer.member(
                    "provider_display", answer.providerDisplay.isEmpty ? nil : answer.providerDisplay)
                writer.member("model", answer.model)
                writer.member("model_display", answer.modelDisplay)
                writer.member("error", answer.error)
            }
        }
    }

    /// The self-test of whoever reads the user's texts (enrich 2.3).
    private func enricher(of user: User) throws -> Advisor.CheckProvider.Reply {
        let name = try actions.store.read {
            try $0.readingPreferences(of: user.id).enricher ?? $0.enricher()
        }
        var reply = Advisor.CheckProvider.Reply(
            provider: name, providerDisplay: name == "builtin" ? "Built-in" : name)
        do {
            let test = try enrich.call(EnrichControl.Test.self, .init(name: name), milliseconds: 10_000)
            if !test.passed { reply.error = test.differences.joined(separator: "; ") }
        } catch {
            reply.error = "\(name) does not answer"
        }
        return reply
    }

    // A73

    private func quickTake(_ request: Request) throws -> HTTPResponse {
        let user = try advised(request)
        let fields = try request.fields(required: true)
        let title = try fields.string("title").trimmed
        guard (1...10_000).contains(title.unicodeScalars.count) else {
            throw fields.refuse("title", "has 1 to 10,000 characters")
        }
        let hasDueDate = try fields.optionalBool("has_due_date") ?? false
        let now = actions.clock.now()
        let (isWanted, milliseconds, counts, context) = try actions.store.read { snapshot in
            (
                try snapshot.wants(.quickTake, user.id),
                try snapshot.storedPreferences(of: user.id)["ai_quicktake_timeout_ms"]?.int ?? 40_000,
                try snapshot.adviceCounts(of: user, now: now), try snapshot.adviceContext(of: user, now: now)
            )
        }
        var text: String?
        if isWanted {
            do throws(AdvisorPeer.Absence) {
                text = try advisor.ask(
                    Advisor.QuickTake.self,
                    .init(
                        title: title, hasDueDate: hasDueDate, counts: counts, context: context,
                        deadlineMs: Int(milliseconds)), milliseconds: Int(milliseconds)
                ).text.map { oneLine($0) }
            } catch {
                if case .absent = error { throw Failure(error) }
            }
        }
        return .data { writer in writer.object { $0.member("text", text?.isEmpty == true ? nil : text) } }
    }

    // A74

    private func whatsNext(_ request: Request) throws -> HTTPResponse {
        let user = try advised(request)
        guard try wants(.whatsNext, user) else {
            throw Failure.unavailable("What's next is off in your preferences")
        }
        if request.flag("refresh") == true, !user.isDemo { try refresh(user) }
        let today = actions.clock.now().seconds / 86_400
        let advice = try actions.store.read { try $0.advice(of: user.id) }
        guard let advice, advice.generatedAt.seconds / 86_400 == today else {
            return .data { $0.null() }
        }
        return .data { writer in
            writer.object { writer in
                writer.array("tasks") { writer in
                    for pick in advice.picks {
                        writer.object { writer in
                            writer.member("task_id", pick.task.rawValue)
                            writer.member("reason", pick.reason)
                        }
                    }
                }
                writer.member("summary", advice.summary)
                writer.member("generated_at", advice.generatedAt.iso8601)
                writer.member("duration_ms", advice.durationMilliseconds)
            }
        }
    }

    private func refresh(_ user: User) throws {
        let now = actions.clock.now()
        let (tasks, parameters) = try actions.store.read { snapshot in
            let tasks = try snapshot.openTasks(of: user.id).filter {
                isCandidateForNext($0, now: now, zone: user.preferences.zone)
            }
            let own = try snapshot.storedPreferences(of: user.id)["ai_whats_next_timeout_ms"]?.int
            return (
                tasks,
                Advisor.WhatsNext.Parameters(
                    tasks: try snapshot.described(tasks, of: user, now: now),
                    context: try snapshot.adviceContext(of: user, now: now),
                    deadlineMs: own.map { Int($0) } ?? 60_000)
            )
        }
        let begin = ContinuousClock.now
        let answer: Advisor.WhatsNext.Reply
        do throws(AdvisorPeer.Absence) {
            answer = try advisor.ask(
                Advisor.WhatsNext.self, parameters, milliseconds: parameters.deadlineMs)
        } catch {
            throw Failure(error)
        }
        let elapsed = (ContinuousClock.now - begin).milliseconds
        // Only what was asked about, each once, at most eight.
        var left = Set(tasks.map(\.id))
        let picks = answer.picks.compactMap { pick -> (task: TaskItem.ID, reason: String)? in
            let id = TaskItem.ID(rawValue: pick.taskID)
            return left.remove(id) == nil ? nil : (id, oneLine(pick.reason))
        }
        try actions.write { transaction in
            try transaction.setAdvice(
                StoredAdvice(
                    picks: Array(picks.prefix(8)), summary: oneLine(answer.summary, limit: 500),
                    generatedAt: transaction.now, durationMilliseconds: elapsed), of: user.id)
            try transaction.logAdvice(
                action: AIFeature.whatsNext.rawValue, of: user.id, error: nil, provider: nil,
                milliseconds: elapsed)
        }
    }
}
