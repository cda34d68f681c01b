// what a task needs to be a quota.

import Recurrence
public import Time

/// the instant at which the unit that contains `now` began.
public func quotaPeriodStart(rrule: String, now: Instant, prefs: Preferences) -> Instant? {
    guard let rule = try? RecurrenceRule(rrule) else { return nil }  // try? : no rule, no period
    return periodStart(of: rule.frequency, now: now, prefs: prefs)
}

func periodStart(of unit: RecurrenceRule.Frequency, now: Instant, prefs: Preferences) -> Instant {
    let today = prefs.zone.date(now)
    let first: LocalDate =
        switch unit {
        case .daily: today
        case .weekly: weekStart(of: today, prefs: prefs)
        case .monthly: today.adding(days: 1 - today.day)
        case .yearly: LocalDate(year: today.year, month: 1, day: 1) ?? today
        }
    return prefs.zone.instant(first, .midnight)
}

extension TaskItem {
    /// T-12, Q-2: makes this a quota: no target, deadline, horizon or anchors, and a rule that is a bare period.
    mutating func becomeQuota(now: Instant, prefs: Preferences) throws(Refusal) {
        guard let rrule else { throw .invalid(.rrule, "A quota needs a period: rrule with FREQ") }
        let rule = try validRule(rrule).get()
        guard rule.isBarePeriod else {
            throw .invalid(.rrule, "A quota's rule is FREQ and INTERVAL, nothing else")
        }
        target = nil
        originalTarget = nil
        targetSource = nil
        deadline = nil
        deadlineAllDay = false
        clearHorizon()
        clearRule()
        self.rrule = rrule
        if progressPeriodStart == nil {
            progressPeriodStart = periodStart(of: rule.frequency, now: now, prefs: prefs)
        }
    }

    /// another unit is anchored at the start of the one that contains now, and so is a period that would be over by
    /// the new rule. The count stays what the person sees.
    mutating func anchorAnew(_ before: TaskItem, _ now: Instant, _ prefs: Preferences) {
        guard let rule = quotaRule else { return }
        if rule.frequency == before.quotaRule?.frequency, let end = quotaPeriodEnd(prefs: prefs), end > now {
            return
        }
        progressPeriodStart = periodStart(of: rule.frequency, now: now, prefs: prefs)
    }

    /// T-12 for what undo makes of an item: what is no quota has no count.
    public var settledAsQuota: TaskItem {
        guard kind != .quota else { return self }
        var settled = self
        settled.ceaseQuota()
        return settled
    }

    /// T-12: a quota that is one no longer: count and day record go.
    mutating func ceaseQuota() {
        progressCurrent = 0
        progressPeriodStart = nil
        quotaDayState = nil
    }

    mutating func clearHorizon() {
        horizon = nil
        segmentConsideredOn = nil
        segmentDeferredOn = nil
    }
}
