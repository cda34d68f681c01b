import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A25, A31.
struct SnoozeRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/tasks/{id}/snooze", Route(answer: snooze))
        routes.add("POST", "/api/tasks/bulk/snooze-overdue", Route(answer: sweep))
    }

    private func snooze(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let answer = try actions.snooze(
            TaskItem.ID(rawValue: try request.id()),
            try fields.snoozeRequest(zone: caller.zone, deltaRange: -525_600...525_600),
            shownTarget: try fields.optionalInstant("due_at", zone: caller.zone),
            version: try request.seenVersion(fields), caller: caller)
        let zone = try actions.zone(of: answer.task, caller: caller)
        return .data { writer in
            writer.object { writer in
                answer.task.write(to: &writer, zone: zone)
                writer.member("previous_due_at", answer.before.target?.iso8601)
                writer.member("description", answer.description)
                if answer.stoppedAtDeadline { writer.member("stopped_at_deadline", true) }
                if answer.isStale { writer.member("stale", true) }
            }
        }
    }

    private func sweep(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let included = try fields.optionalIDs("include_task_ids", limit: 10) ?? []
        let (result, bannerSent) = try actions.sweep(
            try sweepRequest(fields, caller), included: included.map(TaskItem.ID.init(rawValue:)),
            notify: try fields.optionalBool("notify") ?? true, caller: caller)
        return .data { writer in
            writer.object { writer in
                writer.member("tasks_affected", result.moved.count)
                writer.member("tasks_skipped", result.skippedUrgent + result.skippedPastDeadline)
                writer.member("skipped_urgent", result.skippedUrgent)
                writer.member("skipped_high", result.skippedHigh)
                writer.member("snoozed_high", result.snoozedHigh)
                writer.member("skipped_reminders", 0)
                writer.member("skipped_past_deadline", result.skippedPastDeadline)
                writer.array("stopped_at_deadline") { writer in
                    for id in result.stoppedAtDeadline { writer.value(Int(id.rawValue)) }
                }
                writer.array("snoozed_ids") { writer in
                    for item in result.moved { writer.value(Int(item.after.id.rawValue)) }
                }
                writer.member("urgent_left", result.urgentLeft)
                writer.member("total_over_target", result.totalOverTarget)
                writer.member("until", result.until.iso8601)
                writer.member("message", result.message)
                writer.member("feedback_notification", bannerSent)
            }
        }
    }

    /// The five ways of A31, of which at most one may be sent.
    private func sweepRequest(_ fields: Fields, _ caller: Caller) throws -> SnoozeRequest? {
        var requests: [SnoozeRequest] = []
        if let request = try fields.snoozeRequest(zone: caller.zone, deltaRange: 1...525_600) {
            requests.append(request)
        }
        if let slot = try fields.optionalString("slot") {
            requests.append(.option(try option(slot: slot, fields, caller)))
        }
        if let tomorrow = try fields.optionalBool("tomorrow") {
            guard tomorrow else { throw fields.refuse("tomorrow", "can only be true") }
            requests.append(.option("tomorrow"))
        }
        guard requests.count <= 1 else {
            throw Failure.invalid("Send one target for the snooze", ["": "more than one target"])
        }
        return requests.first
    }

    private func option(slot: String, _ fields: Fields, _ caller: Caller) throws -> String {
        if slot == "next" { return "next_period" }
        let periods = try actions.store.read { try $0.periods(of: caller.id) }
        guard let time = LocalTime(slot), let period = periods.first(where: { $0.start == time }) else {
            throw fields.refuse("slot", "must be next or the start of a period")
        }
        return "period:\(period.id.rawValue)"
    }
}
