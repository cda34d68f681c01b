import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A69, A70: a list with numbers, and what is said about the numbers.
struct ReviewRoutes: RouteGroup {
    let actions: TaskActions
    private let sessions = ReviewSessions()

    init(actions: TaskActions) { self.actions = actions }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/review", Route(answer: show))
        routes.add("POST", "/api/review/execute", Route(answer: execute))
    }

    /// A69.
    private func show(_ request: Request) throws -> HTTPResponse {
        let (session, overTarget, today) = try actions.review(in: sessions, caller: try request.caller)
        return .data(capacity: 256 + 256 * session.shown.count) { writer in
            writer.object { writer in
                writer.member("session_id", session.id)
                writer.array("groups") { writer in
                    Self.write("Overdue", overTarget, from: 1, to: &writer)
                    Self.write("Today", today, from: 1 + overTarget.count, to: &writer)
                }
                writer.member("total_tasks", session.shown.count)
            }
        }
    }

    private static func write(
        _ label: String, _ tasks: [TaskItem], from number: Int, to writer: inout JSONWriter
    ) {
        guard !tasks.isEmpty else { return }
        writer.object { writer in
            writer.member("label", label)
            writer.array("tasks") { writer in
                for (index, task) in tasks.enumerated() {
                    writer.object { writer in
                        writer.member("seq", number + index)
                        writer.member("id", task.id.rawValue)
                        writer.member("title", task.title)
                        writer.member("due_at", task.target?.iso8601)
                        writer.member("priority", task.priority.rawValue)
                        writer.member("rrule", task.rrule)
                        writer.array("labels") { writer in for label in task.labels { writer.value(label) } }
                    }
                }
            }
        }
    }

    /// A70.
    private func execute(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let id = try fields.string("session_id")
        let steps = try Self.steps(fields, zone: caller.zone)
        let now = actions.clock.now()
        guard let session = sessions.take(id, of: caller.id, now: now) else {
            throw Failure.conflict(
                "This review is over; load it again", ["session_id": "unknown or expired"])
        }
        let results: [ReviewResult]
        do {
            results = try actions.execute(
                try steps.map { try $0.resolved(count: session.shown.count) }, session: session,
                caller: caller)
        } catch {
            // Nothing was changed: the numbers stay good.
            sessions.keep(session, now: now)
            throw error
        }
        return .data { writer in
            writer.object { writer in
                writer.member("executed", true)
                writer.array("results") { writer in
                    for result in results {
                        writer.object { writer in
                            writer.member("type", result.kind.word)
                            writer.array("taskIds") { writer in
                                for id in result.tasks { writer.value(Int(id.rawValue)) }
                            }
                            writer.member("count", result.tasks.count)
                        }
                    }
                }
                writer.member(
                    "total_affected", results.filter { $0.kind != .skip }.reduce(0) { $0 + $1.tasks.count })
            }
        }
    }

    /// A step as it was sent.
    private struct Step {
        var kind: ReviewAction.Kind
        var numbers: [ClosedRange<Int>]

        /// - Throws: 404 for a number that the review does not have.
        func resolved(count: Int) throws(Failure) -> ReviewAction {
            var isMeant = Array(repeating: false, count: count)
            for range in numbers {
                guard range.upperBound <= count else {
                    throw .notFound("Number \(max(range.lowerBound, count + 1)) of the review")
                }
                for number in range { isMeant[number - 1] = true }
            }
            return ReviewAction(kind: kind, places: isMeant.indices.filter { isMeant[$0] })
        }
    }

    /// So many steps, and so many targets in all of them: more than anybody says in an hour.
    private static let limit = 1000

    private static func steps(_ fields: Fields, zone: Zone) throws(Failure) -> [Step] {
        guard let actions = try fields.optionalObjects("actions"), !actions.isEmpty else {
            throw fields.refuse("actions", "has at least one action")
        }
        guard actions.count <= limit else { throw fields.refuse("actions", "has at most \(limit) actions") }
        var steps: [Step] = []
        var count = 0
        for action in actions {
            guard let targets = try action.optionalStrings("targets"), !targets.isEmpty else {
                throw action.refuse("targets", "has at least one number")
            }
            count += targets.count
            guard count <= limit else { throw action.refuse("targets", "are more than \(limit) in all") }
            var numbers: [ClosedRange<Int>] = []
            for (index, target) in targets.enumerated() {
                guard let range = reviewNumbers(target) else {
                    throw action.refuse("targets.\(index)", "must be a number like 1 or a range like 3-5")
                }
                numbers.append(range)
            }
            steps.append(Step(kind: try kind(action, zone: zone), numbers: numbers))
        }
        return steps
    }

    private static func kind(_ action: Fields, zone: Zone) throws(Failure) -> ReviewAction.Kind {
        switch try action.string("type") {
        case "done": return .done
        case "skip": return .skip
        case "snooze":
            guard let until = try action.optionalInstant("until", zone: zone) else {
                throw action.refuse("until", "is required for a snooze")
            }
            return .snooze(until)
        default: throw action.refuse("type", "must be done, skip or snooze")
        }
    }
}
