// from a rule to instants.

public import Recurrence
public import Time

/// A rule with all that it is counted from.
public struct Schedule: Hashable, Sendable {
    public var rule: RecurrenceRule
    /// INTERVAL, COUNT and a missing day are counted from here; no occurrence lies before it.
    public var start: LocalDate
    /// the local time of every occurrence.
    public var time: LocalTime
    ///
    public var shortMonths: TaskItem.ShortMonths
    /// the owner's present zone.
    public var zone: Zone

    public init(
        rule: RecurrenceRule, start: LocalDate, time: LocalTime, shortMonths: TaskItem.ShortMonths = .lastDay,
        zone: Zone
    ) {
        self.rule = rule
        self.start = start
        self.time = time
        self.shortMonths = shortMonths
        self.zone = zone
    }

    /// the earliest occurrence strictly after `t`; nil if the rule has ended.
    public func next(after t: Instant) -> Instant? { next(after: t, limit: 1).first }

    /// the next `limit` occurrences strictly after `t`, in order.
    public func next(after t: Instant, limit: Int) -> [Instant] {
        // From the day before: across a gap at midnight, yesterday's occurrence lies in today. Of the two days
        // up to t's own, neither may be after t, so two more are asked for.
        let dates = rule.dates(
            start: start, lastDay: shortMonths == .lastDay, from: zone.date(t).adding(days: -1),
            limit: limit + 2,
            through: lastDate)
        var instants: [Instant] = []
        for date in dates where instants.count < limit {
            let instant = zone.instant(date, time)
            if instant > t { instants.append(instant) }
        }
        return instants
    }

    /// M-3: whether a date is an occurrence.
    public func occurs(on date: LocalDate) -> Bool {
        rule.contains(date, start: start, lastDay: shortMonths == .lastDay, through: lastDate)
    }

    /// INTERVAL units of FREQ after the local date of the completion; nil if that is past the rule's end.
    public func next(afterCompletion completed: Instant, completions: Int) -> Instant? {
        if case .count(let count) = rule.end, completions >= count { return nil }
        let date = zone.date(completed)
        let next =
            switch rule.frequency {
            case .daily: date.adding(days: rule.interval)
            case .weekly: date.adding(days: 7 * rule.interval)
            case .monthly: date.adding(months: rule.interval)
            case .yearly: date.adding(months: 12 * rule.interval)
            }
        if let lastDate, next > lastDate { return nil }
        return zone.instant(next, time)
    }

    /// The last date that UNTIL allows.
    var lastDate: LocalDate? {
        switch rule.end {
        case nil, .count: nil
        case .date(let date): date
        case .local(let until): time <= until.time ? until.date : until.date.adding(days: -1)
        case .instant(let until):
            zone.instant(zone.date(until), time) <= until
                ? zone.date(until) : zone.date(until).adding(days: -1)
        }
    }
}

extension TaskItem {
    /// The schedule of a recurring item; nil for one-offs, quotas, and a stored text that is no rule.
    public func schedule(zone: Zone) -> Schedule? {
        // try? : the text was checked when it was written
        guard kind != .quota, let rrule, let rule = try? RecurrenceRule(rrule) else { return nil }
        let time =
            anchorTime ?? rule.time ?? (originalTarget ?? target).map { zone.local($0).time } ?? .midnight
        return Schedule(
            rule: rule, start: ruleStart ?? Schedule.startOfImports, time: time, shortMonths: shortMonths,
            zone: zone)
    }

    /// the target after the present occurrence is done with; nil if that was the last.
    func nextTarget(now: Instant, zone: Zone) -> Instant? {
        guard let schedule = schedule(zone: zone) else { return nil }
        switch recurrenceMode {
        case .fromDue:
            let today = zone.date(now)
            if kind == .reminder, schedule.occurs(on: today) {
                // it was today's occurrence that was considered, wherever the target stands (M-5).
                return schedule.next(after: zone.day(today).upperBound.adding(seconds: -1))
            }
            return schedule.next(after: max(target ?? now, now))
        case .fromCompletion: return schedule.next(afterCompletion: now, completions: completionCount + 1)
        }
    }
}

extension Schedule {
    /// what a rule without a recorded start counts from.
    static let startOfImports = LocalDate(year: 2020, month: 1, day: 1) ?? LocalDate(daysSince1970: 18_262)
}

/// the first occurrence after the present target; nil for one-offs and `from_completion`.
public func nextOccurrence(of task: TaskItem, zone: Zone) -> Instant? {
    guard task.recurrenceMode == .fromDue, let target = task.target else { return nil }
    return task.schedule(zone: zone)?.next(after: target)
}
