// M-1, M-3 to M-7: whether a reminder waits today, and in which order.

public import Time

extension TaskItem {
    /// M-5: whether a reminder was considered on a local date of its owner.
    public func isConsidered(on date: LocalDate, zone: Zone) -> Bool {
        guard kind == .reminder, deletedAt == nil, let last = lastCompletedAt else { return false }
        return zone.date(last) == date
    }

    /// M-3: whether a reminder waits on a local date of its owner. What was missed before is gone (M-4).
    public func isWaiting(on date: LocalDate, zone: Zone) -> Bool {
        guard kind == .reminder, isOpen, !isConsidered(on: date, zone: zone) else { return false }
        let isDue = target.map { zone.date($0) <= date }
        guard isRecurring else { return isDue ?? true }
        switch recurrenceMode {
        // the rule says whether today is an occurrence; the target is bookkeeping.
        case .fromDue: return schedule(zone: zone)?.occurs(on: date) ?? false
        case .fromCompletion: return isDue ?? false
        }
    }
}

/// M-7: higher priority first, then time of day, then title without case, then id.
public func orderedReminders(_ reminders: [TaskItem], zone: Zone) -> [TaskItem] {
    let keys = reminders.map { (time: timeOfDay(of: $0, zone: zone), title: $0.title.lowercased()) }
    return reminders.indices.sorted { i, j in
        let (a, b) = (reminders[i], reminders[j])
        if a.priority != b.priority { return a.priority > b.priority }
        if keys[i].time != keys[j].time {
            guard let time = keys[i].time, let other = keys[j].time else { return keys[j].time == nil }
            return time < other
        }
        return keys[i].title == keys[j].title ? a.id < b.id : keys[i].title < keys[j].title
    }.map { reminders[$0] }
}
