import Domain
import HTTPServer
import JSON

/// A28, A30, A32, A33: many items in one transaction and one undo entry.
struct BulkRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/tasks/bulk/done", Route(answer: complete))
        routes.add("POST", "/api/tasks/bulk/snooze", Route(answer: snooze))
        routes.add("POST", "/api/tasks/bulk/edit", Route(answer: edit))
        routes.add("POST", "/api/tasks/bulk/delete", Route(answer: trash))
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

    /// A30.
    private func snooze(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let until = try fields.optionalInstant("until", zone: caller.zone).map(BulkMove.until)
        let delta = try fields.deltaMinutes().map(BulkMove.deltaMinutes)
        guard let move = until ?? delta, until == nil || delta == nil else {
            throw Failure.invalid("Send until or delta_minutes", ["": "exactly one of the two"])
        }
        let result = try actions.snoozeAll(
            try fields.taskIDs("ids"), move, included: try fields.taskIDSet("include_task_ids") ?? [],
            caller: caller)
        return .data { writer in
            writer.object { writer in result.write(to: &writer) }
        }
    }

    /// A32.
    private func edit(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let result = try actions.editAll(
            try request.fields(required: true).bulkEdit(zone: caller.zone), caller: caller)
        return .data { writer in
            writer.object { writer in result.write(to: &writer) }
        }
    }

    /// A33.
    private func trash(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let count = try actions.trashAll(try fields.taskIDs("ids"), caller: try request.caller)
        return .data { writer in
            writer.object { $0.member("tasks_affected", count) }
        }
    }
}

extension BulkSnoozeResult {
    /// The members of BulkResult (api 2.10).
    func write(to writer: inout JSONWriter) {
        writer.member("tasks_affected", moved.count)
        writer.member("tasks_skipped", skipped)
        writer.member("skipped_urgent", skippedUrgent)
        writer.member("skipped_high", skippedHigh)
        writer.member("snoozed_high", snoozedHigh)
        writer.member("skipped_reminders", skippedReminders)
        writer.member("skipped_no_due_date", skippedUndated)
        writer.member("skipped_past_deadline", skippedPastDeadline)
        writer.array("stopped_at_deadline") { writer in
            for id in stoppedAtDeadline { writer.value(Int(id.rawValue)) }
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

    /// Ids that say more about some of a call's; 0 to 1,000.
    func taskIDSet(_ key: String) throws(Failure) -> Set<TaskItem.ID>? {
        guard let ids = try optionalIDs(key, limit: Self.bulkLimit) else { return nil }
        return Set(ids.map(TaskItem.ID.init(rawValue:)))
    }

    /// A day back to a year ahead, in minutes.
    func deltaMinutes() throws(Failure) -> Int? { try optionalInt("delta_minutes", in: -1440...525_600) }
}
