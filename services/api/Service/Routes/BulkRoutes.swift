import Domain
import HTTPServer
import JSON

/// A28, A30, A32, A33: many items in one transaction and one undo entry.
struct BulkRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/tasks/bulk/done", Route(answer: complete))
    }

    /// A28.
    private func complete(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let done = try actions.completeAll(
            try fields.taskIDs("ids"), closePeriod: try fields.optionalBool("close_period") ?? false,
            caller: try request.caller)
        return .data { writer in
            writer.object { writer in done.write(to: &writer) }
        }
    }
}

extension BulkCompletions {
    /// The members of BulkDone (api 2.10).
    func write(to writer: inout JSONWriter) {
        writer.member("tasks_affected", items.count)
        writer.member("recurring_count", recurringCount)
        writer.member("one_off_count", oneOffCount)
        writer.member("quota_skipped", quotasSkipped)
    }
}

extension Fields {
    /// ids of a bulk call.
    static let bulkLimit = 1000

    /// The ids of a bulk call: 1 to 1,000.
    func taskIDs(_ key: String) throws(Failure) -> [TaskItem.ID] {
        guard let ids = try optionalIDs(key, limit: Self.bulkLimit) else { throw refuse(key, "is required") }
        guard !ids.isEmpty else { throw refuse(key, "has at least one id") }
        return ids.map(TaskItem.ID.init(rawValue:))
    }
}
