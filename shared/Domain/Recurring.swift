// a rule comes to a task, changes, or goes.

public import Recurrence
public import Time

/// the rule in a text, or a refusal that names the part.
public func validRule(_ text: String) -> Result<RecurrenceRule, Refusal> {
    do throws(RecurrenceRuleError) {
        return .success(try RecurrenceRule(text))
    } catch {
        return .failure(.invalid(.rrule, error.message))
    }
}

/// the next occurrences of a rule that no task has yet, at most 50.
///
/// - Parameters:
///   - start: nil: by R-4, as for a rule without a target.
///   - anchorTime: nil: the rule's own time, else the morning.
public func previewOccurrences(
    rrule: String, start: LocalDate?, anchorTime: LocalTime?, mode: TaskItem.RecurrenceMode,
    shortMonths: TaskItem.ShortMonths = .lastDay, count: Int, now: Instant, prefs: Preferences
) -> Result<[Instant], Refusal> {
    validRule(rrule).map { rule in
        let time = anchorTime ?? rule.time ?? prefs.morningTime
        var schedule = Schedule(
            rule: rule, start: prefs.zone.date(now), time: time, shortMonths: shortMonths, zone: prefs.zone)
        schedule.start = start ?? ruleStart(of: schedule, now: now)
        // A start ahead is itself the first occurrence that can come.
        let after = max(now, prefs.zone.instant(schedule.start, .midnight).adding(seconds: -1))
        guard mode == .fromCompletion else { return schedule.next(after: after, limit: min(count, 50)) }
        var instants: [Instant] = []
        var completed = now
        while instants.count < min(count, 50),
            let next = schedule.next(afterCompletion: completed, completions: instants.count)
        {
            instants.append(next)
            completed = next
        }
        return instants
    }
}

/// where a rule counts from that came without a target.
func ruleStart(of schedule: Schedule, now: Instant) -> LocalDate {
    var everyOne = schedule
    everyOne.start = schedule.zone.date(now)
    guard schedule.rule.interval > 1 else { return everyOne.start }
    everyOne.rule.interval = 1
    return everyOne.next(after: now).map(schedule.zone.date) ?? everyOne.start
}

extension TaskItem {
    /// takes a rule, with anchors, start and target; never a snooze.
    ///
    /// - Parameter given: the target that was sent with the rule, which need not match it.
    mutating func adopt(
        rule: RecurrenceRule, text: String, given: Instant?, now: Instant, prefs: Preferences
    ) throws(Refusal) {
        let zone = prefs.zone
        /// Anchors are whole minutes.
        func minute(of t: Instant) -> LocalTime? {
            LocalTime(secondOfDay: zone.local(t).time.minuteOfDay * 60)
        }
        let presentTime = anchorTime ?? (originalTarget ?? target).flatMap(minute)
        let time = rule.time ?? given.flatMap(minute) ?? presentTime ?? prefs.morningTime
        var schedule = Schedule(
            rule: rule, start: zone.date(now), time: time, shortMonths: shortMonths, zone: zone)
        schedule.start = given.map(zone.date) ?? Domain.ruleStart(of: schedule, now: now)

        let isLate = isOverTarget(at: now)
        rrule = text
        ruleStart = schedule.start
        anchorTime = time
        anchorWeekday = rule.frequency == .weekly && rule.byDay.count == 1 ? rule.byDay[0].weekday : nil
        anchorDayOfMonth = rule.byMonthDay.count == 1 && rule.byMonthDay[0] > 0 ? rule.byMonthDay[0] : nil

        if given == nil, isLate {
            // it stays over target. T-8: a target that was neither given nor computed is no original one.
            originalTarget = nil
            return
        }
        guard let new = given ?? schedule.next(after: now) else {
            throw .invalid(.rrule, "The rule has no occurrence after now")
        }
        target = new
        originalTarget = new
        targetSource = .user
    }

    /// recurring → one-off. The target stays; T-8: what was its original one is forgotten.
    mutating func dropRule() {
        clearRule()
        originalTarget = nil
    }

    mutating func clearRule() {
        rrule = nil
        recurrenceMode = .fromDue
        ruleStart = nil
        anchorTime = nil
        anchorWeekday = nil
        anchorDayOfMonth = nil
    }
}
