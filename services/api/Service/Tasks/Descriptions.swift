import Domain
import Time

/// U-12: what an entry of the undo history says, made once, when the action happens, in the acting user's zone.
enum Descriptions {
    /// The title in quotes, cut to 20 characters with "...".
    static func quoted(_ title: String) -> String {
        title.count > 20 ? "\"\(title.prefix(20))...\"" : "\"\(title)\""
    }

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
        var words: [String] = []
        for field in after.fields(changedFrom: before) {
            switch field {
            case .title: words.append("title")
            case .target:
                words.append(
                    after.target.map { "target \(untilText($0, now: now, zone: zone))" } ?? "no target")
            case .deadline:
                words.append(
                    after.deadline.map { "deadline \(untilText($0, now: now, zone: zone))" } ?? "no deadline")
            case .priority: words.append("priority \(priorityName(after.priority))")
            case .project: words.append("project")
            case .notes: words.append("notes")
            case .labels: words.append("labels")
            case .rrule: words.append(after.rrule == nil ? "no repeat" : "repeat")
            case .repeatInterval: words.append("notification interval")
            case .horizon: words.append("horizon")
            case .isReminder, .isTracked, .progressTarget: words.append("kind")
            default: continue
            }
        }
        if words == ["title"] { return "Renamed \(title) to \(quoted(after.title))" }
        var named: [String] = []
        for word in words where !named.contains(word) { named.append(word) }
        return named.isEmpty ? "Edited \(title)" : "Edited \(title): \(named.joined(separator: ", "))"
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
