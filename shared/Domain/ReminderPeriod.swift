// M-2, M-10, M-11, M-18: the periods of a day, and where a reminder belongs.

public import Time

/// M-2: the local time that places a reminder in the day; nil: it has none.
public func timeOfDay(of reminder: TaskItem, zone: Zone) -> LocalTime? {
    reminder.anchorTime ?? reminder.target.map { zone.local($0).time }
}

/// M-2: the period with the latest start at or before a time of day; nil: Anytime.
public func period(at time: LocalTime, periods: [Period]) -> Period? {
    periods.filter { $0.start <= time }.max { $0.start < $1.start }
}

/// M-2: the period with the latest start at or before the reminder's time of day; nil: Anytime.
public func period(of reminder: TaskItem, periods: [Period], zone: Zone) -> Period? {
    timeOfDay(of: reminder, zone: zone).flatMap { period(at: $0, periods: periods) }
}

/// M-8, Q-21: the user's default period if it exists, else the first one of the day; nil: he has none.
public func defaultPeriod(of periods: [Period], prefs: Preferences) -> Period? {
    periods.first { $0.id == prefs.defaultPeriod } ?? periods.min { $0.start < $1.start }
}

/// M-8, M-17: the period whose start is nearest to a time within the day; of two the earlier.
public func nearestPeriod(to time: LocalTime, among periods: [Period]) -> Period? {
    periods.min { a, b in
        func distance(_ period: Period) -> Int { abs(period.start.secondOfDay - time.secondOfDay) }
        return (distance(a), a.start) < (distance(b), b.start)
    }
}

extension Period {
    /// M-10: how many a user may have.
    public static let limits = 1...24

    /// M-11.
    public func isStarted(at now: Instant, zone: Zone) -> Bool { start <= zone.local(now).time }
}

/// M-11: the period that started last today; before the first start the first one; nil: there is none.
public func currentPeriod(of periods: [Period], now: Instant, zone: Zone) -> Period? {
    period(at: zone.local(now).time, periods: periods) ?? periods.min { $0.start < $1.start }
}

/// M-10: a period's name, trimmed, 1 to 100 code points.
public func validPeriodLabel(_ text: String) -> Result<String, Refusal> {
    let label = trimmed(text)
    guard !label.unicodeScalars.contains(where: isInvisibleControl) else {
        return .failure(Refusal("The name has control characters", field: "label"))
    }
    guard (1...100).contains(label.unicodeScalars.count) else {
        return .failure(Refusal("A period's name has 1 to 100 characters", field: "label"))
    }
    return .success(label)
}

/// M-10: refuses a start that another period has.
///
/// - Parameter id: the period that is to start then; nil: a new one.
public func checkPeriodStart(_ start: LocalTime, of id: Period.ID?, periods: [Period]) -> Result<
    Void, Refusal
> {
    guard let other = periods.first(where: { $0.start == start && $0.id != id }) else { return .success(()) }
    return .failure(Refusal("\(other.label) starts at \(clockText(start)) already", field: "start_time"))
}

/// M-18: `8:30 am · 12 left`, or the time alone when nothing is left.
public func periodHeader(_ period: Period, left: Int) -> String {
    let time = clockText(period.start).lowercased()
    return left > 0 ? "\(time) · \(left) left" : time
}
