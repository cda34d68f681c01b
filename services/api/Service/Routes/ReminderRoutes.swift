import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A34: the day's reminders by period.
struct ReminderRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/reminders", Route(answer: list))
    }

    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let (zone, prefs) = (caller.zone, caller.user.preferences)
        let now = actions.clock.now()
        let (periods, items, undated, hasAny) = try actions.store.read { snapshot in
            (
                try snapshot.storedPeriods(of: caller.id),
                try snapshot.dayItems(of: caller.id, now: now, zone: zone),
                try snapshot.segmentTasks(of: caller.id), try snapshot.hasReminder(caller.id)
            )
        }
        let day = ReminderDay(of: items, periods: periods.map(\.period), now: now, prefs: prefs)
        return .data(capacity: 1024 + 1400 * items.count) { writer in
            writer.object { writer in
                writer.array("groups") { writer in
                    // The day has a group for each period in the order of A43, then Anytime.
                    for (at, group) in day.groups.enumerated() {
                        let period = at < periods.count ? periods[at] : nil
                        writer.object { write(group, period, zone, to: &$0) }
                    }
                }
                writer.tasks("not_today", day.notToday, zone: zone)
                writer.member("total", day.groups.reduce(0) { $0 + $1.waiting.count })
                writer.member("considered_total", day.groups.reduce(0) { $0 + $1.considered.count })
                writer.member("has_any", hasAny)
                writer.write(segments(of: undated, now: now, prefs: prefs), zone: zone)
            }
        }
    }

    private func write(
        _ group: PeriodItems, _ period: StoredPeriod?, _ zone: Zone, to writer: inout JSONWriter
    ) {
        if let period {
            writer.object("slot") { period.write(to: &$0) }
        } else {
            writer.member("slot", nil as String?)
        }
        writer.tasks("reminders", group.waiting, zone: zone)
        writer.member("count", group.waiting.count)
        writer.member("considered", group.considered.count)
        writer.tasks("considered_items", group.considered, zone: zone)
    }
}
