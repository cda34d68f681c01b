import Domain
import Time

/// U-12: what an entry of the undo history says, made once, when the action happens, in the acting user's zone.
enum Descriptions {
    /// The title in quotes, cut to 20 characters with "...".
    static func quoted(_ title: String) -> String { quotedTitle(title) }

    static func created(_ task: TaskItem) -> String { "Created \(quoted(task.title))" }
    static func completed(_ task: TaskItem) -> String {
        task.kind == .reminder ? "Considered \(quoted(task.title))" : "Completed \(quoted(task.title))"
    }
    /// A bulk action's: a single item is named, more are counted.
    static func completed(_ tasks: [TaskItem]) -> String {
        if tasks.count == 1 { return completed(tasks[0]) }
        let areReminders = !tasks.isEmpty && tasks.allSatisfy { $0.kind == .reminder }
        return areReminders ? "Considered \(tasks.count) reminders" : "Completed \(tasks.count) tasks"
    }
    static func confirmed(_ task: TaskItem) -> String { "Confirmed \(quoted(task.title))" }
    static func readAgain(_ task: TaskItem) -> String { "Read \(quoted(task.title)) again" }
    static func deleted(_ tasks: [TaskItem]) -> String {
        tasks.count == 1 ? deleted(tasks[0]) : "Deleted \(tasks.count) tasks"
    }

    /// A bulk snooze: until when, or how far.
    static func snoozed(_ tasks: [TaskItem], by move: BulkMove, now: Instant, zone: Zone) -> String {
        if tasks.count == 1 { return snoozed(tasks[0], now: now, zone: zone) }
        switch move {
        case .until(let instant):
            return "Snoozed \(tasks.count) tasks until \(untilText(instant, now: now, zone: zone))"
        case .deltaMinutes(let minutes):
            let direction = minutes < 0 ? "earlier" : "later"
            return "Moved \(tasks.count) tasks \(durationText(minutes: abs(minutes))) \(direction)"
        }
    }

    static func reopened(_ task: TaskItem) -> String { "Reopened \(quoted(task.title))" }
    static func skipped(_ task: TaskItem) -> String { "Skipped \(quoted(task.title))" }
    static func deleted(_ task: TaskItem) -> String { "Deleted \(quoted(task.title))" }
    static func restored(_ task: TaskItem) -> String { "Restored \(quoted(task.title))" }

    /// L-6.
    static func unlabelled(_ tasks: [TaskItem], label: String) -> String {
        let what = tasks.count == 1 ? quoted(tasks[0].title) : "\(tasks.count) tasks"
        return "Removed the label \(quoted(label)) from \(what)"
    }

    static func snoozed(_ task: TaskItem, now: Instant, zone: Zone) -> String {
        guard let target = task.target else { return "Snoozed \(quoted(task.title))" }
        return "Snoozed \(quoted(task.title)) to \(untilText(target, now: now, zone: zone))"
    }

    /// One field is named with its new value where that says more; several are named.
    static func edited(_ before: TaskItem, _ after: TaskItem, now: Instant, zone: Zone) -> String {
        let title = quoted(before.title)
        let words = words(before, after, now: now, zone: zone)
        if words.map(\.field) == ["title"] { return "Renamed \(title) to \(quoted(after.title))" }
        var named: [String] = []
        for word in words where !named.contains(word.text) { named.append(word.text) }
        return named.isEmpty ? "Edited \(title)" : "Edited \(title): \(named.joined(separator: ", "))"
    }

    /// A bulk edit: a single item as by itself; of more, what changed of any, with its value where it is the same in all.
    static func edited(
        _ items: [(before: TaskItem, after: TaskItem)], by move: BulkMove?, now: Instant, zone: Zone
    ) -> String {
        if items.count == 1 { return edited(items[0].before, items[0].after, now: now, zone: zone) }
        if let move,
            items.allSatisfy({ $0.after.fields(changedFrom: $0.before).allSatisfy(\.belongsToSnooze) })
        {
            return snoozed(items.map(\.after), by: move, now: now, zone: zone)
        }
        var counts: [String: Int] = [:]
        var all: [(field: String, text: String)] = []
        for item in items {
            var own: Set<String> = []
            for word in words(item.before, item.after, now: now, zone: zone)
            where own.insert(word.text).inserted {
                if counts[word.text] == nil { all.append(word) }
                counts[word.text, default: 0] += 1
            }
        }
        var named: [String] = []
        for word in all {
            let name = counts[word.text] == items.count ? word.text : word.field
            if !named.contains(name) { named.append(name) }
        }
        let what = "Edited \(items.count) tasks"
        return named.isEmpty ? what : "\(what): \(named.joined(separator: ", "))"
    }

    /// What a changed field is called, alone and with its new value.
    private static func words(
        _ before: TaskItem, _ after: TaskItem, now: Instant, zone: Zone
    ) -> [(field: String, text: String)] {
        after.fields(changedFrom: before).compactMap { field in
            switch field {
            case .title: ("title", "title")
            case .target:
                (
                    "target",
                    after.target.map { "target \(untilText($0, now: now, zone: zone))" } ?? "no target"
                )
            case .deadline:
                (
                    "deadline",
                    after.deadline.map { "deadline \(untilText($0, now: now, zone: zone))" } ?? "no deadline"
                )
            case .priority: ("priority", "priority \(priorityName(after.priority))")
            case .project: ("project", "project")
            case .notes: ("notes", "notes")
            case .labels: ("labels", "labels")
            case .rrule: ("repeat", after.rrule == nil ? "no repeat" : "repeat")
            case .repeatInterval: ("notification interval", "notification interval")
            case .horizon: ("horizon", "horizon")
            case .isReminder, .isTracked, .progressTarget: ("kind", "kind")
            default: nil
            }
        }
    }

    // M-15 to M-17

    static func considered(_ count: Int, in period: Period) -> String {
        "Considered \(count) in \(period.label)"
    }

    static func moved(_ period: Period, to start: LocalTime) -> String {
        "Moved \(quoted(period.label)) to \(clockText(start))"
    }
    static func removed(_ period: Period) -> String { "Removed \(quoted(period.label))" }

    // G-5 to G-8

    static func acted(_ action: SegmentAction, on tasks: [TaskItem]) -> String {
        let verb =
            switch action {
            case .consider: "Considered"
            case .defer: "Deferred"
            case .putBack: "Put back"
            }
        return tasks.count == 1 ? "\(verb) \(quoted(tasks[0].title))" : "\(verb) \(tasks.count) tasks"
    }
    static func deferredAll(_ count: Int, in segment: TaskItem.Horizon) -> String {
        "Deferred \(count) in \(segment.label)"
    }

    static func priorityName(_ priority: TaskItem.Priority) -> String {
        switch priority {
        case .unset: "Unset"
        case .low: "Low"
        case .medium: "Medium"
        case .high: "High"
        case .urgent: "Urgent"
        }
    }
}
