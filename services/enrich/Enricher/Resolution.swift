internal import Interfaces
internal import Time

/// From what was said to dates and times (3.4).
extension Reading {
    /// The time of day beside a date; nil when none was said.
    ///
    /// - Parameter date: nil: the day is open.
    func time(_ clock: Clock?, part: PartOfDay?, on date: LocalDate?) -> LocalTime? {
        switch clock {
        case .exact(let time): return time
        case .open(let hour, let minute): return open(hour, minute, part: part, on: date)
        case .part(let part): return part.time(here)
        case nil: return part?.time(here)
        }
    }

    /// N o'clock without am and pm: a part of the day decides, then the topic, then what is ahead and awake.
    private func open(_ hour: Int, _ minute: Int, part: PartOfDay?, on date: LocalDate?) -> LocalTime {
        let early = Circumstances.clock(hour % 12, minute)
        let late = Circumstances.clock(hour % 12 + 12, minute)
        if let part { return part.isAfternoon ? late : early }
        if let topicIsAfternoon { return topicIsAfternoon ? late : early }
        if date == nil || date == here.today, rule == nil {
            for candidate in [early, late] where candidate > here.now.time {
                if candidate >= here.wake, candidate <= here.sleep { return candidate }
            }
        }
        if hour == 12 { return late }
        return hour <= 6 ? late : early
    }

    /// Date and time of the target; the date alone when no time was said.
    func target() -> (date: LocalDate, time: LocalTime?)? {
        if let rule { return firstOccurrence(rule) }
        let start = ruleStart
        let day = day ?? start?.day ?? nil
        let date = day?.date(here)
        guard let time = time(clock ?? start?.clock ?? nil, part: part, on: date) else {
            return date.map { ($0, nil) }
        }
        if let zone = clockZone { return foreign(date, time, zone) }
        return (date ?? soonest(time), time)
    }

    /// Today if the time is later than now, else tomorrow.
    private func soonest(_ time: LocalTime) -> LocalDate {
        time > here.now.time ? here.today : here.today.adding(days: 1)
    }

    private func firstOccurrence(_ hit: RuleHit) -> (date: LocalDate, time: LocalTime?)? {
        var rule = hit.rule
        let start = (ruleStart?.day ?? nil)?.date(here) ?? day?.date(here)
        rule.complete(start: start, here)
        let time = time(
            clock ?? ruleStart?.clock ?? nil, part: part ?? hit.part, on: start ?? here.today.adding(days: 1))
        guard let date = rule.first(from: start ?? here.today, at: time ?? here.morning, here) else {
            return nil
        }
        return (date, time)
    }

    /// The rule with the day that was not said filled in.
    func completeRule() -> Rule? {
        guard var rule = rule?.rule else { return nil }
        rule.complete(start: (ruleStart?.day ?? nil)?.date(here) ?? day?.date(here), here)
        return rule
    }

    /// A time of another zone, in the user's; the date moves if needed.
    private func foreign(_ date: LocalDate?, _ time: LocalTime, _ zone: Int) -> (
        date: LocalDate, time: LocalTime?
    ) {
        let local = local(date ?? here.today, time, zone)
        if date == nil, local <= here.now { return converted(local.date.adding(days: 1), local.time) }
        return converted(local.date, local.time)
    }

    private func converted(_ date: LocalDate, _ time: LocalTime) -> (date: LocalDate, time: LocalTime?) {
        (date, time)
    }

    private func local(_ date: LocalDate, _ time: LocalTime, _ zone: Int) -> LocalDateTime {
        let utc = Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay) - Int64(zone) * 60
        if let own = here.zone { return own.local(Instant(seconds: utc)) }
        let shifted = utc + Int64(here.offsetMinutes) * 60
        let days = shifted >= 0 ? shifted / 86_400 : (shifted - 86_399) / 86_400
        let rest = LocalTime(secondOfDay: Int(shifted - days * 86_400)) ?? .midnight  // 0 ≤ rest < 86,400
        return LocalDateTime(LocalDate(daysSince1970: Int(days)), rest)
    }

    /// The deadline, seen from the target: a weekday lies on or after it; a time alone is on its day (3.4).
    func deadlineMoment(target: LocalDate?) -> (date: LocalDate, time: LocalTime?)? {
        guard let deadline else { return nil }
        var date: LocalDate?
        switch deadline.day {
        case .weekday(let weekday):
            let after = target.map { max($0.adding(days: -1), here.today) } ?? here.today
            date = here.coming(weekday, after: after)
        case .on(let day): date = day
        case nil: date = nil
        }
        let time = time(deadline.clock, part: nil, on: date ?? target)
        if let said = date {
            guard deadline.isBefore, time == nil else { return (said, time) }
            return (max(said.adding(days: -1), here.today), nil)
        }
        guard let time else { return nil }
        return (target ?? soonest(time), time)
    }
}
