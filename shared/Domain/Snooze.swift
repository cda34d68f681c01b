// S-1 to S-3, D-10, D-11, D-13, T-8: one task, moved.

public import Time

/// What a snooze asks for.
public enum SnoozeRequest: Hashable, Sendable {
    case until(Instant)
    /// An option of S-3: `"60"`, `next_period`, `period:<id>`, `tomorrow`.
    case option(String)
    /// Added to the task's own target; may be negative. In a sweep: option "k" (S-10).
    case deltaMinutes(Int)
}

/// A snooze's result; the task as it was if it did not move.
public struct Snoozed: Hashable, Sendable {
    public var task: TaskItem
    /// D-10, D-13.
    public var stoppedAtDeadline: Bool
}

/// An option of S-3, read.
enum SnoozeOption {
    /// 1 to 1,440.
    case minutes(Int)
    case nextPeriod
    case period(Period.ID)
    case tomorrow

    init?(_ text: String) {
        switch text {
        case "tomorrow": self = .tomorrow
        case "next_period": self = .nextPeriod
        default:
            if text.hasPrefix("period:"), let id = Int64(text.dropFirst("period:".count)) {
                self = .period(Period.ID(rawValue: id))
            } else if text.utf8.count <= 4, text.utf8.allSatisfy({ (48...57).contains($0) }),
                let minutes = Int(text), (1...1440).contains(minutes)
            {
                self = .minutes(minutes)
            } else {
                return nil
            }
        }
    }

    /// The instant counted from now: for what is over target or undated, and for a sweep.
    func fromNow(_ now: Instant, periods: [Period], prefs: Preferences) throws(Refusal) -> Instant {
        switch self {
        case .minutes(let minutes) where minutes >= 60: inMinutes(now, minutes, zone: prefs.zone)
        case .minutes(let minutes): now.adding(minutes: minutes)
        case .nextPeriod: Domain.nextPeriod(after: now, periods: periods, prefs: prefs)
        case .period(let id): nextStart(of: try find(id, in: periods), after: now, zone: prefs.zone)
        case .tomorrow: Domain.tomorrow(now, prefs: prefs)
        }
    }

    /// The instant for a task whose own target is still ahead.
    func fromTarget(
        _ target: Instant, now: Instant, periods: [Period], prefs: Preferences
    ) throws(Refusal) -> Instant {
        switch self {
        case .minutes(let minutes): target.adding(minutes: minutes)
        case .nextPeriod: Domain.nextPeriod(after: target, periods: periods, prefs: prefs)
        case .period, .tomorrow: try fromNow(now, periods: periods, prefs: prefs)
        }
    }

    private func find(_ id: Period.ID, in periods: [Period]) throws(Refusal) -> Period {
        guard let period = periods.first(where: { $0.id == id }) else {
            throw Refusal("There is no such reminder period", field: "option")
        }
        return period
    }
}

/// Whether a text is an option that a preference can hold: minutes 1 to 1,440, `tomorrow`, `next_period`.
public func isValidSnoozeOption(_ text: String) -> Bool {
    switch SnoozeOption(text) {
    case nil, .period: false
    default: true
    }
}

func readOption(_ text: String) throws(Refusal) -> SnoozeOption {
    guard let option = SnoozeOption(text) else {
        throw Refusal("There is no such snooze option", field: "option")
    }
    return option
}

/// S-1, S-2: moves a task's target, never past a deadline that is ahead.
///
/// - Parameters:
///   - periods: the owner's.
///   - prefs: the owner's.
public func snooze(
    _ task: TaskItem, _ request: SnoozeRequest, periods: [Period], now: Instant, prefs: Preferences
) -> Result<Snoozed, Refusal> {
    Result { () throws(Refusal) in
        try task.checkCanBeSnoozed()
        guard let asked = try asked(task, request, periods: periods, now: now, prefs: prefs) else {
            return Snoozed(task: task, stoppedAtDeadline: false)
        }
        return snoozed(task, to: asked, now: now)
    }
}

/// S-3; nil: an undated task, asked to move by so many minutes.
private func asked(
    _ task: TaskItem, _ request: SnoozeRequest, periods: [Period], now: Instant, prefs: Preferences
) throws(Refusal) -> Instant? {
    switch request {
    case .until(let instant): return instant
    case .deltaMinutes(let minutes): return task.target?.adding(minutes: minutes)
    case .option(let text):
        let option = try readOption(text)
        if let target = task.target, target > now {
            return try option.fromTarget(target, now: now, periods: periods, prefs: prefs)
        }
        return try option.fromNow(now, periods: periods, prefs: prefs)
    }
}

/// T-8, D-10, D-13: the task with its target at `asked`, or at its deadline; as it was if it is there already.
func snoozed(_ task: TaskItem, to asked: Instant, now: Instant) -> Snoozed {
    let stop = stopped(asked, deadline: task.deadline, now: now)
    var result = Snoozed(task: task, stoppedAtDeadline: stop.atDeadline)
    if task.target == nil {
        result.task.setFirstTarget(stop.target)
        result.task.leaveEnrichment()
    } else if task.target != stop.target {
        result.task.setSnoozed(to: stop.target)
    }
    return result
}

extension TaskItem {
    /// S-1.
    func checkCanBeSnoozed() throws(Refusal) {
        guard deletedAt == nil else { throw .inTrash }
        guard isOpen else { throw .alreadyDone }
        switch kind {
        case .task: break
        case .reminder: throw Refusal("A reminder cannot be snoozed")
        case .quota: throw Refusal("A quota cannot be snoozed")
        }
    }
}
