// D: deadlines, and the targets that the server derives from them.

public import Time

/// A deadline as a client gives it.
public enum DeadlineInput: Hashable, Sendable {
    case instant(Instant)
    /// D-1: a date without a time is 23:59 of that local date.
    case date(LocalDate)

    /// The instant that is stored.
    public func resolved(zone: Zone) -> Instant {
        switch self {
        case .instant(let instant): instant
        case .date(let date): zone.instant(date, LocalTime(hour: 23, minute: 59) ?? .midnight)
        }
    }

    var isAllDay: Bool { if case .date = self { true } else { false } }
}

/// D-5, D-6: the latest morning that is at least three full calendar days before the deadline; when that is no longer
/// ahead, the next morning, or an hour from now, or the deadline itself, whichever is the first before the deadline.
public func automaticTarget(deadline: Instant, now: Instant, prefs: Preferences) -> Instant {
    guard deadline > now else { return deadline }
    let local = prefs.zone.local(deadline)
    let days = local.time >= prefs.morningTime ? 3 : 4
    let usual = morning(of: local.date.adding(days: -days), prefs: prefs)
    if usual > now { return usual }
    let near = [nextMorning(after: now, prefs: prefs), inHours(now, 1, zone: prefs.zone)]
    return near.first { $0 < deadline } ?? deadline
}

/// D-10, D-11: where a snooze to `asked` ends. A deadline that is ahead stops it; one that has passed does not.
func stopped(_ asked: Instant, deadline: Instant?, now: Instant) -> (target: Instant, atDeadline: Bool) {
    guard let deadline, deadline > now, asked > deadline else { return (asked, false) }
    return (deadline, true)
}

extension TaskItem {
    /// D-4: gives a task with a deadline and no target its automatic one; others stay as they are. For restore and
    /// undo, which may leave a deadline alone.
    public func withTargetForDeadline(now: Instant, prefs: Preferences) -> TaskItem {
        guard let deadline, target == nil, kind == .task, !isRecurring else { return self }
        var task = self
        task.setAutomaticTarget(deadline: deadline, now: now, prefs: prefs)
        return task
    }

    /// D-4, D-9: the computed target is the original one; it is no snooze.
    mutating func setAutomaticTarget(deadline: Instant, now: Instant, prefs: Preferences) {
        let automatic = automaticTarget(deadline: deadline, now: now, prefs: prefs)
        target = automatic
        originalTarget = automatic
        targetSource = .auto
    }
}
