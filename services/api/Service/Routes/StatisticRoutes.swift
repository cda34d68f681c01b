import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A67, A68: what was done.
struct StatisticRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/stats", Route(answer: statistics))
        routes.add("GET", "/api/completions", Route(answer: completions))
    }

    /// A67: with both dates the days, else the sums.
    private func statistics(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let start = try request.date("start")
        let end = try request.date("end")
        guard let start, let end else { return try summary(caller) }
        guard start <= end else { throw Failure.invalid("start is after end", ["start": "after end"]) }
        let days = try actions.store.read { try $0.statistics(of: caller.id, start...end) }
        return .data { writer in
            writer.object { writer in
                writer.array("stats") { writer in
                    for day in days { writer.object { day.write(to: &$0, user: caller.id) } }
                }
            }
        }
    }

    private func summary(_ caller: Caller) throws -> HTTPResponse {
        let today = caller.zone.date(actions.clock.now())
        return try actions.store.read { snapshot in
            let day = try snapshot.statistics(of: caller.id, today...today).first
            let week = try snapshot.statisticSum(of: caller.id, from: today.adding(days: -6))
            let month = try snapshot.statisticSum(of: caller.id, from: today.adding(days: -29))
            let all = try snapshot.statisticSum(of: caller.id, from: nil)
            return .data { writer in
                writer.object { writer in
                    writer.key("today")
                    if let day {
                        writer.object { day.write(to: &$0, user: caller.id) }
                    } else {
                        writer.null()
                    }
                    writer.object("week") { week.write(to: &$0) }
                    writer.object("month") { month.write(to: &$0) }
                    writer.object("all_time") { all.write(to: &$0) }
                }
            }
        }
    }

    /// A68.
    private func completions(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        var filter = CompletionFilter()
        filter.task = try request.integer("task_id", atLeast: 1).map {
            TaskItem.ID(rawValue: Int64($0))
        }
        if let date = try request.date("date") {
            let start = Instant(seconds: Int64(date.daysSince1970) * 86_400)  // a day of UTC
            filter.spans.append(start..<start.adding(seconds: 86_400))
        }
        let since = try request.instant("since", zone: caller.zone)
        let until = try request.instant("until", zone: caller.zone)
        guard (since == nil) == (until == nil) else {
            throw Failure.invalid("since and until go together", ["since": "without until, or the reverse"])
        }
        if let since, let until { filter.spans.append(since..<max(since, until)) }
        let found = try actions.store.read { try $0.completions(of: caller.id, filter, limit: 1000) }
        return .data(capacity: 256 + found.count * 320) { writer in
            writer.object { writer in
                writer.array("completions") { writer in
                    for completion in found { writer.object { completion.write(to: &$0) } }
                }
                writer.member("count", found.count)
            }
        }
    }
}

extension DailyStatistic {
    /// 2.17. The day is its own id, as a number: 20261014.
    func write(to writer: inout JSONWriter, user: UserID) {
        writer.member("id", date.year * 10_000 + date.month * 100 + date.day)
        writer.member("user_id", user.rawValue)
        writer.member("date", date.description)
        counts.write(to: &writer)
    }
}

extension Statistic {
    func write(to writer: inout JSONWriter) {
        writer.member("completions", completions)
        writer.member("tasks_created", tasksCreated)
        writer.member("snoozes", snoozes)
    }
}

extension ListedCompletion {
    /// 2.15.
    func write(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("task_id", task.rawValue)
        writer.member("user_id", user.rawValue)
        writer.member("completed_at", completedAt.iso8601)
        writer.member("due_at_was", targetWas?.iso8601)
        writer.member("due_at_next", targetNext?.iso8601)
        writer.member("task_title", title)
        writer.member("project_id", project.rawValue)
        writer.member("is_reminder", isReminder)
        writer.member("is_tracked", isTracked)
        writer.member("progress_target", progressTarget)
    }
}

extension Request {
    /// A query's `YYYY-MM-DD`.
    func date(_ name: String) throws(Failure) -> LocalDate? {
        guard let text = http.query[name] else { return nil }
        guard let date = LocalDate(text) else {
            throw .invalid("\(name) must be a date like 2026-10-14", [name: "not a date"])
        }
        return date
    }

    /// A query's date and time. A `+` that was not encoded has become a blank.
    func instant(_ name: String, zone: Zone) throws(Failure) -> Instant? {
        guard let text = http.query[name] else { return nil }
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        let mended = parts.count == 2 && text.utf8.count > 16 ? parts.joined(separator: "+") : text
        guard let instant = Instant(iso8601: text, zone: zone) ?? Instant(iso8601: mended, zone: zone) else {
            throw .invalid(
                "\(name) must be a date and time like 2026-10-14T15:00:00Z", [name: "not a date and time"])
        }
        return instant
    }
}
