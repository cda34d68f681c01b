import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A43 to A46: the periods of a user's day.
struct PeriodRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/time-slots", Route(answer: list))
        routes.add("POST", "/api/time-slots", Route(answer: add))
        routes.add("PATCH", "/api/time-slots/{id}", Route(answer: edit))
        routes.add("DELETE", "/api/time-slots/{id}", Route(answer: remove))
    }

    /// A43.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let periods = try actions.store.read { try $0.storedPeriods(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.array("time_slots") { writer in
                    for period in periods { writer.object { period.write(to: &$0) } }
                }
                writer.member("count", periods.count)
            }
        }
    }

    /// A44.
    private func add(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let label = try fields.string("label")
        guard let start = try fields.optionalTime("start_time") else {
            throw fields.refuse("start_time", "is required")
        }
        let period = try actions.addPeriod(
            label, at: start, sortOrder: try fields.optionalInt("sort_order", in: 0...1000) ?? 0,
            caller: try request.caller)
        return .data { writer in writer.object { period.write(to: &$0) } }
    }

    /// A45: a strict body.
    private func edit(_ request: Request) throws -> HTTPResponse {
        let id = Period.ID(rawValue: try request.id())
        let fields = try request.fields(required: true)
        if let unknown = fields.members.keys.sorted().first(where: { $0 != "label" && $0 != "start_time" }) {
            throw fields.refuse(unknown, "is not known here")
        }
        guard !fields.members.isEmpty else {
            throw Failure.invalid("Send label or start_time", ["": "nothing to change"])
        }
        let label = try fields.given("label", fields.optionalString)
        let start = try fields.given("start_time", fields.optionalTime)
        return answer(
            try actions.editPeriod(id, label: label, start: start, caller: try request.caller))
    }

    /// A46.
    private func remove(_ request: Request) throws -> HTTPResponse {
        answer(
            try actions.removePeriod(Period.ID(rawValue: try request.id()), caller: try request.caller))
    }

    private func answer(_ answer: PeriodAnswer) -> HTTPResponse {
        .data { writer in
            writer.object { writer in
                writer.object("slot") { answer.period.write(to: &$0) }
                writer.member("reminders_moved", answer.remindersMoved)
                writer.member("quotas_moved", answer.quotasMoved)
                writer.member("undo_id", answer.undoID)
            }
        }
    }
}

extension Fields {
    /// `07:30`.
    func optionalTime(_ key: String) throws(Failure) -> LocalTime? {
        guard let text = try optionalString(key) else { return nil }
        guard text.utf8.count == 5, let time = LocalTime(text) else {
            throw refuse(key, "must be a time like 07:30")
        }
        return time
    }
}

extension StoredPeriod {
    /// The members of api 2.6, inside an object that is open.
    func write(to writer: inout JSONWriter) {
        writer.member("id", period.id.rawValue)
        writer.member("user_id", user.rawValue)
        writer.member("label", period.label)
        writer.member("start_time", period.start.description)
        writer.member("sort_order", sortOrder)
        writer.member("created_at", createdAt.iso8601)
    }
}
