import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A34: the day's reminders and quota reminders by period.
struct ReminderRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/reminders", Route(answer: list))
    }

    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let (zone, prefs) = (caller.zone, caller.user.preferences)
        let now = actions.clock.now()
        let (periods, items, undated, hasAny, colors) = try actions.store.read { snapshot in
            (
                try snapshot.storedPeriods(of: caller.id),
                try snapshot.dayItems(of: caller.id, now: now, zone: zone),
                try snapshot.segmentTasks(of: caller.id), try snapshot.hasReminder(caller.id),
                try snapshot.labelColors(of: caller.id)
            )
        }
        let day = ReminderDay(of: items, periods: periods.map(\.period), now: now, prefs: prefs)
        return .data(capacity: 1024 + 1400 * items.count) { writer in
            writer.object { writer in
                writer.array("groups") { writer in
                    // The day has a group for each period in the order of A43, then Anytime.
                    for (at, group) in day.groups.enumerated() {
                        let period = at < periods.count ? periods[at] : nil
                        writer.object { write(group, period, zone, colors, to: &$0) }
                    }
                }
                writer.tasks("not_today", day.notToday, zone: zone)
                writer.member("total", day.groups.reduce(0) { $0 + $1.waiting.count })
                writer.member("considered_total", day.groups.reduce(0) { $0 + $1.considered.count })
                writer.member("prompts_total", day.groups.reduce(0) { $0 + $1.waitingPrompts.count })
                writer.member(
                    "prompts_considered_total",
                    day.groups.reduce(0) { $0 + $1.prompts.count - $1.waitingPrompts.count })
                writer.member("has_any", hasAny)
                writer.write(segments(of: undated, now: now, prefs: prefs), zone: zone)
            }
        }
    }

    private func write(
        _ group: PeriodItems, _ period: StoredPeriod?, _ zone: Zone, _ colors: [String: String],
        to writer: inout JSONWriter
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
        writer.array("prompts") { writer in
            for prompt in group.prompts { writer.object { prompt.write(to: &$0, colors: colors) } }
        }
        writer.member("prompts_waiting", group.waitingPrompts.count)
        writer.member("prompts_considered", group.prompts.count - group.waitingPrompts.count)
    }
}

extension QuotaPrompt {
    /// The members of api 2.7, inside an object that is open.
    ///
    /// - Parameter colors: of labels (L-7).
    func write(to writer: inout JSONWriter, colors: [String: String]) {
        writer.member("prompt_key", key.description)
        writer.member("task_id", task.rawValue)
        writer.member("number", number)
        if numbers.isEmpty {
            writer.member("numbers", nil as String?)
        } else {
            writer.array("numbers") { writer in for number in numbers { writer.value(number) } }
        }
        writer.member("slot_id", period?.rawValue)
        writer.member("title", title)
        writer.member("current", current)
        writer.member("target", target)
        writer.member("period", unitName)
        writer.member("stripe_color", stripeColor(of: stripeLabel, colors: colors))
        writer.member("has_notes", hasNotes)
        writer.member("considered", considered)
        writer.member("done", done)
    }
}

extension Snapshot {
    /// `label_config`: the colours of labels by their names in lower case.
    fileprivate func labelColors(of user: UserID) throws -> [String: String] {
        // try? : what is stored was checked when it was written
        guard let text = try preference("label_config", of: user),
            let entries = (try? JSONValue(parsing: Array(text.utf8)))?.array
        else { return [:] }
        return Dictionary(
            entries.compactMap { entry in
                guard let name = entry["name"]?.string, let color = entry["color"]?.string else { return nil }
                return (name.lowercased(), color)
            }, uniquingKeysWith: { first, _ in first })
    }
}
