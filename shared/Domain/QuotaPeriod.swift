// where a quota's periods begin and end, and what happens there.

import Recurrence
public import Time

extension TaskItem {
    /// the period of a quota. nil for what is none, and for a stored text that is no rule.
    var quotaRule: RecurrenceRule? {
        guard kind == .quota, let rrule else { return nil }
        return try? RecurrenceRule(rrule)  // try? : the text was checked when it was written
    }

    /// the instant at which a quota's present period ends; nil for what is no quota.
    ///
    /// - Parameter prefs: the owner's.
    public func quotaPeriodEnd(prefs: Preferences) -> Instant? {
        guard let rule = quotaRule, let progressPeriodStart else { return nil }
        return periodEnd(from: progressPeriodStart, rule, prefs: prefs)
    }

    /// the count as anything shows it and decides by it: 0 once the period has ended, rolled over or not.
    public func effectiveCount(at now: Instant, prefs: Preferences) -> Int {
        if let end = quotaPeriodEnd(prefs: prefs), end <= now { return 0 }
        return progressCurrent
    }

    /// The item as it is shown.
    public func shown(at now: Instant, prefs: Preferences) -> TaskItem {
        guard kind == .quota else { return self }
        var shown = self
        shown.progressCurrent = effectiveCount(at: now, prefs: prefs)
        return shown
    }
}

/// `interval` units after an aligned start. Q-8: one that is not aligned ends at the next boundary of its unit.
func periodEnd(from start: Instant, _ rule: RecurrenceRule, prefs: Preferences) -> Instant {
    let aligned = periodStart(of: rule.frequency, now: start, prefs: prefs)
    let units = aligned == start ? rule.interval : 1
    let first = prefs.zone.date(aligned)
    let next =
        switch rule.frequency {
        case .daily: first.adding(days: units)
        case .weekly: first.adding(days: 7 * units)
        case .monthly: first.adding(months: units)
        case .yearly: first.adding(months: 12 * units)
        }
    return prefs.zone.instant(next, .midnight)
}

/// Progress that was really applied, and when.
public struct LoggedProgress: Hashable, Sendable {
    public var at: Instant
    public var delta: Int

    public init(at: Instant, delta: Int) {
        self.at = at
        self.delta = delta
    }
}

/// a period that is over.
public struct EndedQuotaPeriod: Hashable, Sendable {
    public var start: Instant
    public var end: Instant
    public var logged: Int
    public var target: Int

    public var isMet: Bool { logged >= target }
}

/// What a rollover comes to; without ended periods the quota is as it was.
public struct RolledOver: Hashable, Sendable {
    public var quota: TaskItem
    /// Oldest first.
    public var ended: [EndedQuotaPeriod] = []
}

/// closes the periods of a quota that have ended by now.
///
/// The first gets the count and the further ones get nothing, but for progress that was logged at or after a boundary:
/// that belongs to the period in which it was logged.
///
/// - Parameters:
///   - progress: what was logged since the period began, in any order; earlier entries are passed over.
///   - prefs: the owner's.
public func rollOver(
    _ quota: TaskItem, progress: [LoggedProgress], now: Instant, prefs: Preferences
) -> RolledOver {
    var result = RolledOver(quota: quota)
    guard let rule = quota.quotaRule else { return result }
    guard var start = quota.progressPeriodStart else {
        // seen for the first time.
        result.quota.progressPeriodStart = periodStart(of: rule.frequency, now: now, prefs: prefs)
        return result
    }
    var end = periodEnd(from: start, rule, prefs: prefs)
    guard end <= now else { return result }
    func logged(from first: Instant, until last: Instant?) -> Int {
        progress.filter { entry in first <= entry.at && last.map { entry.at < $0 } ?? true }
            .reduce(0) { $0 + $1.delta }
    }
    var count = max(0, quota.progressCurrent - logged(from: end, until: nil))
    while end <= now {
        let period = EndedQuotaPeriod(start: start, end: end, logged: count, target: quota.progressTarget)
        result.ended.append(period)
        if period.isMet { result.quota.countCompletion(at: end) }
        start = end
        end = periodEnd(from: start, rule, prefs: prefs)
        count = max(0, logged(from: start, until: end))
    }
    result.quota.progressCurrent = count
    result.quota.progressPeriodStart = start
    return result
}

/// local dates from today to the last day of the period, both included; nil for a daily quota.
public func daysLeft(of quota: TaskItem, now: Instant, prefs: Preferences) -> Int? {
    guard let rule = quota.quotaRule, rule.frequency != .daily,
        var end = quota.quotaPeriodEnd(prefs: prefs)
    else { return nil }
    while end <= now { end = periodEnd(from: end, rule, prefs: prefs) }
    return prefs.zone.date(end).daysSince1970 - prefs.zone.date(now).daysSince1970
}
