import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A78, A79: the buttons of notifications.
struct NotificationRoutes: RouteGroup {
    let actions: TaskActions
    let authentication: Authentication

    func add(to routes: inout HTTPRoutes<Route>) {
        // The token comes in the body: a notification extension cannot set headers.
        routes.add("POST", "/api/notifications/actions", Route(.anyone, answer: act))
        routes.add("POST", "/api/notifications/dismiss-all", Route(answer: dismissAll))
    }

    private func act(_ request: Request) throws -> HTTPResponse {
        // The token is checked before everything else: whoever has none learns nothing of what a body should be. No
        // cookie takes its place: a browser would send that for another site, too.
        guard let fields = try? request.fields(required: true), let token = fields.members["token"]?.string
        else { throw Failure.unauthorized }
        return try act(fields, try authentication.tokenCaller(token))
    }

    private func act(_ fields: Fields, _ caller: Caller) throws -> HTTPResponse {
        let action = try fields.string("action")
        // What an action has no use for is well-formed all the same.
        let shown = try fields.optionalInstant("due_at", zone: caller.zone)
        _ = try fields.optionalInstant("until", zone: caller.zone)
        _ = try fields.optionalString("option")
        for key in ["task_id", "slot_id"] { _ = try fields.optionalInt(key, in: 1...Int.max) }
        if action == "snooze_all" { return try sweep(fields, caller) }
        if action == "complete_all" { return try considerAll(fields, caller) }
        let id = TaskItem.ID(rawValue: Int64(try fields.int("task_id", in: 1...Int.max)))
        switch action {
        case "done":
            let completed = try actions.complete(id, shownTarget: shown, caller: caller)
            return try answer(action, completed.task, caller) { writer in
                writer.member("wasRecurring", completed.wasRecurring)
                writer.member("nextDueAt", completed.nextTarget?.iso8601)
            } beside: { writer in
                if completed.alreadyDone { writer.member("already_done", true) }
                if completed.stale { writer.member("stale", true) }
            }
        case "snooze", "snooze30", "snooze2h":
            return try snooze(action, id, fields, shown, caller)
        case "delete":
            return try answer(action, try actions.trash(id, caller: caller), caller)
        default:
            throw fields.refuse(
                "action", "must be done, snooze, snooze30, snooze2h, snooze_all, complete_all or delete")
        }
    }

    private func snooze(
        _ action: String, _ id: TaskItem.ID, _ fields: Fields, _ shown: Instant?, _ caller: Caller
    ) throws -> HTTPResponse {
        let standard = ["snooze30": "30", "snooze2h": "120"][action] ?? "60"
        let asked =
            action == "snooze"
            ? try fields.snoozeRequest(zone: caller.zone, deltaRange: -525_600...525_600) : nil
        let snoozed = try actions.snooze(
            id, asked ?? .option(standard), shownTarget: shown, tellStop: true, caller: caller)
        return try answer(action, snoozed.task, caller) { writer in
            writer.member("previousDueAt", snoozed.before.target?.iso8601)
            writer.member("originalDueAt", snoozed.task.originalTarget?.iso8601)
            writer.member("description", snoozed.description)
        } beside: { writer in
            writer.member("until", snoozed.task.target?.iso8601)
            if snoozed.stoppedAtDeadline { writer.member("stopped_at_deadline", true) }
            if snoozed.isStale { writer.member("stale", true) }
        }
    }

    /// S-5: `All +1hr` of a task's banner includes that task, whatever its priority.
    private func sweep(_ fields: Fields, _ caller: Caller) throws -> HTTPResponse {
        let id = try fields.optionalInt("task_id", in: 1...Int.max).map { TaskItem.ID(rawValue: Int64($0)) }
        let request = try fields.snoozeRequest(zone: caller.zone, deltaRange: 1...525_600) ?? .option("60")
        let (result, _) = try actions.sweep(
            request, included: id.map { [$0] } ?? [], notify: true, caller: caller)
        return .data { writer in
            writer.object { writer in
                writer.member("action", "snooze_all")
                writer.member("task_id", id?.rawValue)
                writer.member("until", result.until.iso8601)
                writer.object("result") { writer in
                    writer.member("tasks_affected", result.moved.count)
                    writer.member("message", result.message)
                }
            }
        }
    }

    /// N-43, M-15: everything that waits in the period of the notification.
    private func considerAll(_ fields: Fields, _ caller: Caller) throws -> HTTPResponse {
        let id = Period.ID(rawValue: Int64(try fields.int("slot_id", in: 1...Int.max)))
        let (reminders, prompts) = try actions.considerAll(in: id, caller: caller)
        return .data { writer in
            writer.object { writer in
                writer.member("action", "complete_all")
                writer.member("task_id", nil as Int?)
                writer.member("slot_id", id.rawValue)
                writer.object("result") { writer in
                    writer.member("tasks_affected", reminders)
                    writer.member("prompts_considered", prompts)
                }
            }
        }
    }

    private func answer(
        _ action: String, _ task: TaskItem, _ caller: Caller, result: (inout JSONWriter) -> Void = { _ in },
        beside: (inout JSONWriter) -> Void = { _ in }
    ) throws -> HTTPResponse {
        let zone = try actions.zone(of: task, caller: caller)
        return .data { writer in
            writer.object { writer in
                writer.member("action", action)
                writer.member("task_id", task.id.rawValue)
                beside(&writer)
                writer.object("result") { writer in
                    // Without the two members that follow from others: what an extension decodes is kept small.
                    writer.object("task") { task.write(to: &$0, zone: zone, withDerived: false) }
                    result(&writer)
                }
            }
        }
    }

    /// N-42: at most once per 30 s and user.
    private func dismissAll(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        try actions.write { transaction in
            if try transaction.mark("dismiss-all/\(caller.id.rawValue)", notWithin: 30) {
                try transaction.post(.dismissAll, to: caller.id)
            }
        }
        return .data { writer in writer.object { $0.member("dismissed", true) } }
    }
}
