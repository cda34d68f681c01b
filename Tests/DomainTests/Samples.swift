import Domain
import Testing
import Time

/// The clock of the specification's examples: Chicago, preferences at their defaults, the five default periods (M-10),
/// Wednesday 2026-10-14.
func zone(_ name: String = "America/Chicago") -> Zone {
    guard let zone = Zone(name) else { preconditionFailure("the zone database lacks \(name)") }
    return zone
}

func prefs(_ name: String = "America/Chicago") -> Preferences { Preferences(zone: zone(name)) }

func time(_ text: String) -> LocalTime {
    guard let time = LocalTime(text) else { preconditionFailure("\(text) is no time") }
    return time
}

func date(_ text: String) -> LocalDate {
    guard let date = LocalDate(text) else { preconditionFailure("\(text) is no date") }
    return date
}

/// `14:20` and `14:34:59` on the 14th, `10-15 09:00`, `2026-03-08 01:20`, or UTC: `2026-03-08 07:20Z`.
func at(_ text: String, _ name: String = "America/Chicago") -> Instant {
    let parts = text.split(separator: " ")
    let day = parts.count == 1 ? "2026-10-14" : parts[0].count == 5 ? "2026-\(parts[0])" : String(parts[0])
    guard let instant = Instant(iso8601: "\(day)T\(parts[parts.count - 1])", zone: zone(name)) else {
        preconditionFailure("\(text) is no instant")
    }
    return instant
}

let earlyMorning = Period(id: Period.ID(rawValue: 1), label: "Early morning", start: time("07:00"))
let morningPeriod = Period(id: Period.ID(rawValue: 2), label: "Morning", start: time("09:00"))
let midday = Period(id: Period.ID(rawValue: 3), label: "Midday", start: time("12:00"))
let afternoon = Period(id: Period.ID(rawValue: 4), label: "Afternoon", start: time("16:00"))
let evening = Period(id: Period.ID(rawValue: 5), label: "Evening", start: time("20:30"))
let periods = [earlyMorning, morningPeriod, midday, afternoon, evening]

let inbox = ProjectID(rawValue: 1)
let owner = UserID(rawValue: 1)

/// An open task of long ago.
func task(
    _ id: Int64 = 1, _ priority: TaskItem.Priority = .unset, target: Instant? = nil, deadline: Instant? = nil
) -> TaskItem {
    var task = TaskItem(
        id: TaskItem.ID(rawValue: id), owner: owner, project: inbox, title: "Task \(id)",
        createdAt: at("2026-09-01 12:00"))
    task.priority = priority
    task.target = target
    task.originalTarget = target
    task.targetSource = target == nil ? nil : .user
    task.deadline = deadline
    return task
}

/// What `create` makes of a draft, at `now`.
func created(
    now: Instant, zone: String = "America/Chicago", _ change: (inout TaskDraft) -> Void
) throws(Refusal) -> TaskItem {
    var draft = TaskDraft(title: "Call the plumber", project: inbox)
    change(&draft)
    return try create(
        draft, id: TaskItem.ID(rawValue: 1), owner: owner, periods: periods, defaultPeriod: nil, now: now,
        prefs: prefs(zone)
    ).get()
}

/// What `edit` makes of a task, at `now`.
func edited(
    _ task: TaskItem, now: Instant, zone: String = "America/Chicago", _ change: (inout TaskPatch) -> Void
) throws(Refusal) -> Edited {
    var patch = TaskPatch()
    change(&patch)
    return try edit(task, patch, now: now, prefs: prefs(zone)).get()
}

func snoozedTask(_ task: TaskItem, _ request: SnoozeRequest, now: Instant) throws(Refusal) -> Snoozed {
    try snooze(task, request, periods: periods, now: now, prefs: prefs()).get()
}

func swept(
    _ batch: [TaskItem], included: [TaskItem] = [], _ request: SnoozeRequest = .option("60"), now: Instant
) throws(Refusal) -> SweepResult {
    try sweep(batch, included: included, request, periods: periods, now: now, prefs: prefs()).get()
}
