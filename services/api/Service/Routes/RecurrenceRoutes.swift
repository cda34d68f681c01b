import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A97, R-16: what a rule would come to, before a task has it.
struct RecurrenceRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/recurrence/preview", Route(answer: preview))
    }

    private func preview(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let occurrences = try previewOccurrences(
            rrule: try fields.string("rrule"), start: try start(fields), anchorTime: try time(fields),
            mode: try fields.optionalWord(
                fields.has("recurrence_mode") ? "recurrence_mode" : "mode", TaskItem.RecurrenceMode.self,
                "from_due, from_completion") ?? .fromDue,
            shortMonths: try fields.optionalWord(
                "short_months", TaskItem.ShortMonths.self, "last_day, skip") ?? .lastDay,
            count: try fields.optionalInt("count", in: 1...50) ?? 3, now: actions.clock.now(),
            prefs: caller.user.preferences
        ).orFailure()
        return .data { writer in
            writer.object { writer in
                writer.array("occurrences") { writer in
                    for instant in occurrences { writer.value(instant.iso8601) }
                }
            }
        }
    }

    /// The years of `due_at`, or none.
    private func start(_ fields: Fields) throws(Failure) -> LocalDate? {
        guard let text = try fields.optionalString("start") else { return nil }
        guard let date = LocalDate(text), (1900...2200).contains(date.year) else {
            throw fields.refuse("start", "must be a date like 2026-10-14, from 1900 to 2200")
        }
        return date
    }

    ///
    private func time(_ fields: Fields) throws(Failure) -> LocalTime? {
        guard let text = try fields.optionalString("anchor_time") else { return nil }
        guard let time = LocalTime(text) else {
            throw fields.refuse("anchor_time", "must be a time like 09:00")
        }
        return time
    }
}
