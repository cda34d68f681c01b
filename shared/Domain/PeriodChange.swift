// M-16, M-17: what a period takes along when its start changes or when it goes.

import Recurrence
public import Time

/// A reminder before and after its period's change.
public struct CarriedReminder: Hashable, Sendable {
    public var before: TaskItem
    public var after: TaskItem
}

/// M-16: the reminders that another start of their period carries along. Those of other periods stay.
///
/// - Parameters:
///   - reminders: the user's open ones.
///   - periods: his, with `period` as it was.
public func carried(
    by period: Period, to start: LocalTime, reminders: [TaskItem], periods: [Period], zone: Zone
) -> [CarriedReminder] {
    let later = periods.map { other in
        var other = other
        if other.id == period.id { other.start = start }
        return other
    }
    return reminders.compactMap { reminder in
        guard reminder.kind == .reminder, reminder.isOpen,
            let time = timeOfDay(of: reminder, zone: zone),
            Domain.period(at: time, periods: periods)?.id == period.id
        else { return nil }
        if time != period.start, Domain.period(at: time, periods: later)?.id == period.id { return nil }
        return reminder.carried(to: start, zone: zone)
    }
}

/// M-17: the reminders of a period that goes, each at the start of the remaining period nearest to its own time.
///
/// - Parameter reminders: the user's. Those that are done keep what they had; those in the trash are carried along, so
///   that they have a period when they come back.
public func carried(
    byRemoving period: Period, reminders: [TaskItem], periods: [Period], zone: Zone
) -> [CarriedReminder] {
    let remaining = periods.filter { $0.id != period.id }
    return reminders.compactMap { reminder in
        guard reminder.kind == .reminder, !reminder.done,
            let time = timeOfDay(of: reminder, zone: zone),
            Domain.period(at: time, periods: periods)?.id == period.id,
            let new = nearestPeriod(to: time, among: remaining)
        else { return nil }
        return reminder.carried(to: new.start, zone: zone)
    }
}

/// M-10, M-17: the last period stays.
public func checkRemoval(of period: Period, periods: [Period]) -> Result<Void, Refusal> {
    periods.contains { $0.id != period.id }
        ? .success(()) : .failure(Refusal("The last period cannot be removed"))
}

extension TaskItem {
    fileprivate func carried(to time: LocalTime, zone: Zone) -> CarriedReminder {
        CarriedReminder(before: self, after: moved(toTimeOfDay: time, zone: zone))
    }

    /// M-16: the same days at another time: the rule says the new time and keeps its days, the target keeps its date.
    func moved(toTimeOfDay time: LocalTime, zone: Zone) -> TaskItem {
        var moved = self
        if let rrule, let schedule = schedule(zone: zone) {
            moved.rrule = ruleText(rrule, at: time, schedule: schedule)
            moved.anchorTime = time
        }
        if let target {
            moved.target = zone.instant(zone.date(target), time)
            if originalTarget == target { moved.originalTarget = moved.target }
        }
        return moved
    }
}

/// A rule's text with another time of day, the other parts as they were.
///
/// An UNTIL with a time would cut the last day off when the new time is behind it, or let one more in; it becomes the
/// date that it meant.
func ruleText(_ text: String, at time: LocalTime, schedule: Schedule) -> String {
    var until: LocalDate?
    switch schedule.rule.end {
    case .local, .instant: until = schedule.lastDate
    case nil, .count, .date: until = nil
    }
    var parts: [String] = []
    for part in text.split(separator: ";") {
        let name = part.prefix { $0 != "=" }.uppercased()
        if name == "BYHOUR" || name == "BYMINUTE" { continue }
        if name == "UNTIL", let until {
            parts.append("UNTIL=" + until.description.filter { $0 != "-" })
        } else {
            parts.append(String(part))
        }
    }
    return (parts + ["BYHOUR=\(time.hour)", "BYMINUTE=\(time.minute)"]).joined(separator: ";")
}
