import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A23, A24, A27: what is rarer to do with one item.
struct SingleRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/tasks/{id}/skip-occurrence", Route(answer: skip))
        routes.add("POST", "/api/tasks/{id}/confirm", Route(answer: confirm))
        routes.add("POST", "/api/tasks/{id}/reprocess", Route(answer: reprocess))
    }

    /// A23.
    private func skip(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let answer = try actions.skip(
            TaskItem.ID(rawValue: try request.id()),
            shownTarget: try fields.optionalInstant("due_at", zone: caller.zone),
            version: try request.seenVersion(fields), caller: caller)
        return try self.answer(answer.task, caller) { writer in
            writer.member("was_recurring", answer.wasRecurring)
            writer.member("description", answer.description)
            if answer.isStale { writer.member("stale", true) }
        }
    }

    /// A24.
    private func confirm(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let task = try actions.confirm(
            TaskItem.ID(rawValue: try request.id()), version: try request.seenVersion(fields), caller: caller)
        return try answer(task, caller) { $0.member("confirmed", true) }
    }

    /// A27.
    private func reprocess(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let task = try actions.reprocess(
            TaskItem.ID(rawValue: try request.id()), version: try request.seenVersion(fields), caller: caller)
        return try answer(task, caller)
    }

    private func answer(
        _ task: TaskItem, _ caller: Caller, _ more: (inout JSONWriter) -> Void = { _ in }
    ) throws -> HTTPResponse {
        let zone = try actions.zone(of: task, caller: caller)
        return .data { writer in
            writer.object { writer in
                task.write(to: &writer, zone: zone)
                more(&writer)
            }
        }
    }
}
