/// A recognised rule.
struct RuleHit {
    var end: Int
    var rule: Rule
    var part: PartOfDay?
    /// every!: counted from completion.
    var isFromCompletion = false
    /// `3 times a week`: as a quota.
    var times: (count: Int, unit: Unit)?
    /// `every day`: a quota of one, if it is to be one.
    var single: Unit?
}

/// Recurrence (3.3), anchored on every, each, ev; the forms without them are in `RecurrenceForms`.
extension Line {
    func recurrence(_ i: Int) -> RuleHit? {
        guard starts(i) else { return nil }
        let hit: RuleHit? =
            switch key(i) {
            case .every, .each, .ev: every(i)
            case .on, .the, .ordinal, .last, .tens, .end, .beginning, .starting: ordinalRule(i)
            case .weekday, .weekdays, .weekends: pluralRule(i)
            case .adverb: adverbRule(i)
            case .once, .twice, .couple, .a, .number: timesRule(i)
            case .none where self[i].kind == .number: timesRule(i) ?? ordinalRule(i)
            default: nil
            }
        guard var hit, ends(hit.end) else { return nil }
        if hit.part == nil, let part = barePart(hit.end) {
            hit.part = part.part
            hit.end = part.end
        }
        return hit
    }

    private func every(_ i: Int) -> RuleHit? {
        var next = i + 1
        let isFromCompletion = sign(next, "!") && isGlued(next)
        if isFromCompletion { next += 1 }
        guard var hit = everyBody(next) else { return nil }
        hit.isFromCompletion = isFromCompletion
        return hit
    }

    private func everyBody(_ i: Int) -> RuleHit? {
        if key(i) == .other { return otherBody(i + 1) }
        if let hit = monthRule(i) ?? ordinalBody(i) { return hit }
        if let (days, end) = weekdayList(i) { return RuleHit(end: end, rule: .weekly(days)) }
        switch key(i) {
        case .workday, .weekdays: return RuleHit(end: i + 1, rule: .workdays)
        case .business where unit(i + 1) == .day: return RuleHit(end: i + 2, rule: .workdays)
        case .weekend, .weekends: return RuleHit(end: i + 1, rule: .weekly([5, 6]))
        default: break
        }
        if self[i].lower == "weekday" { return RuleHit(end: i + 1, rule: .workdays) }
        if let part = barePart(i) {
            return RuleHit(end: part.end, rule: Rule(frequency: .daily), part: part.part)
        }
        if let unit = unit(i) { return unitBody(unit, interval: 1, at: i + 1) }
        if let (count, end) = amount(i), let unit = unit(end) {
            return unitBody(unit, interval: count, at: end + 1)
        }
        if let (count, end) = amount(i), count > 1, let (days, next) = daysOfWeek(end) {
            return RuleHit(end: next, rule: .weekly(days, interval: count))
        }
        return nil
    }

    /// WD list, weekend(s), weekday(s).
    private func daysOfWeek(_ i: Int) -> (days: [Int], end: Int)? {
        let next = key(i) == .the ? i + 1 : i
        if isKey(next, .weekend, .weekends) { return ([5, 6], next + 1) }
        if key(next) == .weekdays { return ([0, 1, 2, 3, 4], next + 1) }
        return weekdayList(next)
    }

    /// every other day, week on …, thursday, morning.
    private func otherBody(_ i: Int) -> RuleHit? {
        if let unit = unit(i) { return unitBody(unit, interval: 2, at: i + 1) }
        if let (days, end) = daysOfWeek(i) { return RuleHit(end: end, rule: .weekly(days, interval: 2)) }
        if let part = barePart(i) {
            return RuleHit(end: part.end, rule: Rule(frequency: .daily, interval: 2), part: part.part)
        }
        return nil
    }

    /// every MON D, every D MON, every MON: each year.
    private func monthRule(_ i: Int) -> RuleHit? {
        if let month = month(i) {
            let day = key(i + 1) == .on && unit(i + 2) == .day ? i + 3 : i + 1
            if let (days, end) = monthDays(day, of: month) {
                return RuleHit(end: end, rule: Rule(frequency: .yearly, monthDays: days, months: [month]))
            }
            return RuleHit(end: i + 1, rule: Rule(frequency: .yearly, monthDays: [1], months: [month]))
        }
        guard let (day, end) = dayOfMonth(i) else { return nil }
        let next = key(end) == .of ? end + 1 : end
        guard let month = month(next), isRealDay(month, day) else { return nil }
        return RuleHit(end: next + 1, rule: Rule(frequency: .yearly, monthDays: [day], months: [month]))
    }

    /// `20`, `20th and 30th`: days that the month has.
    private func monthDays(_ i: Int, of month: Int) -> (days: [Int], end: Int)? {
        guard let (first, firstEnd) = dayOfMonth(i), isRealDay(month, first) else { return nil }
        var days = [first]
        var end = firstEnd
        while isKey(end, .and) || sign(end, ","), days.count < 8, let (day, next) = dayOfMonth(end + 1),
            isRealDay(month, day), isClauseEnd(next) || isKey(next, .and, .at)
        {
            days.append(day)
            end = next
        }
        return (days, end)
    }

    /// every 4th day, every last friday of the month, every fourth thursday in november, every 31st.
    private func ordinalBody(_ i: Int) -> RuleHit? {
        if let (value, end) = ordinal(i), value > 1, let unit = unit(end), key(end + 1) != .of {
            return unitBody(unit, interval: value, at: end + 1)
        }
        guard let positions = positions(i) else { return nil }
        let end = positions.end
        if isKey(end, .in, .of), let month = month(end + 1) {
            return RuleHit(end: end + 2, rule: positions.rule(.yearly, months: [month]))
        }
        if key(end) == .of, let (interval, next) = monthly(end + 1) {
            return RuleHit(end: next, rule: positions.rule(.monthly, interval: interval))
        }
        guard
            isClauseEnd(end) || clock(end) != nil || part(end) != nil || isKey(end, .starting, .at, .until)
                || positions.hasWeekday
        else { return nil }
        return RuleHit(end: end, rule: positions.rule(.monthly))
    }

    /// What may follow a unit: week on …, month on …, year in …, day except weekends.
    func unitBody(_ unit: Unit, interval: Int, at end: Int) -> RuleHit? {
        let single = interval == 1 ? unit : nil
        switch unit {
        case .minute, .hour: return nil
        case .day:
            if interval == 1, key(end) == .except, let (days, next) = exceptions(end + 1) {
                return RuleHit(end: next, rule: .weekly((0...6).filter { !days.contains($0) }))
            }
            return RuleHit(end: end, rule: Rule(frequency: .daily, interval: interval), single: single)
        case .week:
            if key(end) == .on, let (days, next) = daysOfWeek(end + 1) {
                return RuleHit(end: next, rule: .weekly(days, interval: interval))
            }
            return RuleHit(end: end, rule: Rule(frequency: .weekly, interval: interval), single: single)
        case .month:
            if key(end) == .on, let positions = positions(end + 1) {
                return RuleHit(end: positions.end, rule: positions.rule(.monthly, interval: interval))
            }
            if key(end) == .on, let (days, next) = weekdayList(end + 1) {
                let weekdays = days.sorted().map { Rule.Weekday(day: $0) }
                return RuleHit(
                    end: next, rule: Rule(frequency: .monthly, interval: interval, weekdays: weekdays))
            }
            if key(end) == .at, key(end + 1) == .the, let day = edge(end + 2), isClauseEnd(end + 3) {
                return RuleHit(
                    end: end + 3, rule: Rule(frequency: .monthly, interval: interval, monthDays: [day]))
            }
            return RuleHit(end: end, rule: Rule(frequency: .monthly, interval: interval), single: single)
        case .quarter:
            var rule = Rule(frequency: .monthly, interval: 3 * interval)
            rule.isQuarterly = true
            return rule.interval <= 999 ? RuleHit(end: end, rule: rule) : nil
        case .year: return yearBody(interval, single, at: end)
        }
    }

    private func yearBody(_ interval: Int, _ single: Unit?, at end: Int) -> RuleHit? {
        if isKey(end, .in, .on) {
            if let hit = monthRule(end + 1) {
                var hit = hit
                hit.rule.interval = interval
                return hit
            }
            if let positions = positions(end + 1), isKey(positions.end, .in, .of),
                let month = month(positions.end + 1)
            {
                return RuleHit(
                    end: positions.end + 2, rule: positions.rule(.yearly, interval: interval, months: [month])
                )
            }
        }
        return RuleHit(end: end, rule: Rule(frequency: .yearly, interval: interval), single: single)
    }

    private func exceptions(_ i: Int) -> (days: [Int], end: Int)? {
        if isKey(i, .weekend, .weekends) { return ([5, 6], i + 1) }
        return weekdayList(i)
    }

    /// A day that some year has.
    private func isRealDay(_ month: Int, _ day: Int) -> Bool { upcoming(month, day) != nil }
}
