/// Days of a month that were said: `1st and 15th`, `first monday`, `2nd and last friday`, `last day`.
struct Positions {
    var items: [(ordinal: Int, weekday: Int?)]
    var end: Int

    var hasWeekday: Bool { items.contains { $0.weekday != nil } }

    func rule(_ frequency: Rule.Frequency, interval: Int = 1, months: [Int] = []) -> Rule {
        var rule = Rule(frequency: frequency, interval: interval, months: months)
        for item in items {
            if let weekday = item.weekday {
                rule.weekdays.append(Rule.Weekday(ordinal: item.ordinal, day: weekday))
            } else {
                rule.monthDays.append(item.ordinal)
            }
        }
        return rule
    }
}

/// Recurrence without "every": ordinals of every month, plural weekdays, adverbs, N times a week.
extension Line {
    /// WD list with `,` `/` `&` and; ranges `mon-fri`.
    func weekdayList(_ i: Int) -> (days: [Int], end: Int)? {
        guard let first = weekday(i) else { return nil }
        var days = [first]
        var end = i + 1
        while true {
            if sign(end, "-") || sign(end, "–") || isKey(end, .to, .through, .thru),
                let last = weekday(end + 1)
            {
                var day = days[days.count - 1]
                while day != last {
                    day = (day + 1) % 7
                    days.append(day)
                }
                end += 2
                continue
            }
            var next = end
            if sign(next, ",") || sign(next, "/") || sign(next, "&") { next += 1 }
            if key(next) == .and { next += 1 }
            guard next > end, let day = weekday(next), days.count < 7 else { return (days, end) }
            days.append(day)
            end = next + 1
        }
    }

    /// [the] ORD [day | WD] and …; a weekday counts for the ordinals before it that have none.
    func positions(_ i: Int) -> Positions? {
        var items: [(ordinal: Int, weekday: Int?)] = []
        var isDay: [Bool] = []
        var end = i
        var next = i
        while items.count < 8 {
            if key(next) == .the { next += 1 }
            guard let (value, after) = fromTheEnd(next) ?? ordinal(next), value <= 31 else { break }
            var item: (Int, Int?) = (value, nil)
            end = after
            if unit(after) == .day {
                end = after + 1
                isDay.append(true)
            } else if let weekday = weekday(after), value <= 5 {
                item.1 = weekday
                end = after + 1
                isDay.append(true)
                for k in items.indices.reversed() where !isDay[k] && items[k].ordinal <= 5 {
                    items[k].weekday = weekday
                    isDay[k] = true
                }
            } else {
                isDay.append(false)
            }
            items.append((item.0, item.1))
            guard isKey(end, .and) || sign(end, ",") || sign(end, "&") else { break }
            next = end + 1
            if key(next) == .and { next += 1 }
        }
        // A bare "last" is a day only before "of every month".
        let isOfMonth = key(end) == .of && isKey(end + 1, .every, .each)
        guard !items.isEmpty, isOfMonth || !zip(items, isDay).contains(where: { $0.ordinal < 0 && !$1 })
        else {
            return nil
        }
        return Positions(items: items, end: end)
    }

    /// `2nd to [the] last`.
    private func fromTheEnd(_ i: Int) -> (value: Int, end: Int)? {
        guard let (value, end) = ordinal(i), (2...5).contains(value), key(end) == .to else { return nil }
        let last = key(end + 1) == .the ? end + 2 : end + 1
        return key(last) == .last ? (-value, last + 1) : nil
    }

    /// The month's first or last day: beginning, start, end.
    func edge(_ i: Int) -> Int? {
        switch key(i) {
        case .beginning, .starting: 1
        case .end: -1
        default: nil
        }
    }

    /// (every | each | the) [other | N | Nth] month(s), behind "of".
    func monthly(_ i: Int) -> (interval: Int, end: Int)? {
        guard isKey(i, .every, .each, .the, .a) else { return nil }
        if unit(i + 1) == .month { return (1, i + 2) }
        guard key(i) != .the else { return nil }
        if key(i + 1) == .other, unit(i + 2) == .month { return (2, i + 3) }
        if let (value, end) = ordinal(i + 1) ?? amount(i + 1), value > 0, unit(end) == .month {
            return (value, end + 1)
        }
        return nil
    }

    /// [on] [the] ORD … of every month.
    func ordinalRule(_ i: Int) -> RuleHit? {
        if key(i) == .on, let hit = pluralRule(i) { return hit }
        let next = key(i) == .on ? i + 1 : i
        let word = key(next) == .the ? next + 1 : next
        if let day = edge(word), key(word + 1) == .of, isKey(word + 2, .every, .each),
            let (interval, end) = monthly(word + 2)
        {
            return RuleHit(end: end, rule: Rule(frequency: .monthly, interval: interval, monthDays: [day]))
        }
        guard let positions = positions(next),
            isKey(positions.end, .of, .in) || isKey(positions.end, .every, .each)
        else { return nil }
        let of = isKey(positions.end, .every, .each) ? positions.end : positions.end + 1
        guard isKey(of, .every, .each), let (interval, end) = monthly(of) else { return nil }
        return RuleHit(end: end, rule: positions.rule(.monthly, interval: interval))
    }

    /// [on] mondays and thursdays, on weekdays, weekends.
    func pluralRule(_ i: Int) -> RuleHit? {
        let hasOn = key(i) == .on
        let next = hasOn ? i + 1 : i
        var found: (days: [Int], end: Int)?
        if key(next) == .weekdays {
            found = ([0, 1, 2, 3, 4], next + 1)
        } else if key(next) == .weekends {
            found = ([5, 6], next + 1)
        } else if self[next].lexeme.isPlural {
            found = weekdayList(next)
        }
        guard let found else { return nil }
        let isBesideTime = clock(found.end) != nil || part(found.end) != nil || key(found.end) == .at
        guard hasOn || isBesideTime || isClauseEnd(found.end) else { return nil }
        if self[next].isCapital, self[found.end].isCapital { return nil }
        return RuleHit(end: found.end, rule: .weekly(found.days))
    }

    /// daily … annually at the end of a clause or before a time; before a noun they are adjectives (3.5).
    func adverbRule(_ i: Int) -> RuleHit? {
        if let hit = placedAdverb(i) { return hit }
        guard
            isClauseEnd(i + 1) || clock(i + 1) != nil || part(i + 1) != nil
                || isKey(i + 1, .starting, .until, .beginning),
            i > 0 || count > 1, let adverb = Adverb(rawValue: self[i].lexeme.value)
        else { return nil }
        let end = i + 1
        switch adverb {
        case .daily: return RuleHit(end: end, rule: Rule(frequency: .daily), single: .day)
        case .nightly: return RuleHit(end: end, rule: Rule(frequency: .daily), part: .night)
        case .weekly: return RuleHit(end: end, rule: Rule(frequency: .weekly), single: .week)
        case .fortnightly: return RuleHit(end: end, rule: Rule(frequency: .weekly, interval: 2))
        case .monthly: return RuleHit(end: end, rule: Rule(frequency: .monthly), single: .month)
        case .yearly: return RuleHit(end: end, rule: Rule(frequency: .yearly), single: .year)
        case .quarterly:
            var rule = Rule(frequency: .monthly, interval: 3)
            rule.isQuarterly = true
            return RuleHit(end: end, rule: rule)
        }
    }

    /// weekly on wednesdays, monthly on the 4th, yearly on december 25th.
    private func placedAdverb(_ i: Int) -> RuleHit? {
        guard isKey(i + 1, .on, .in) else { return nil }
        let unit: Unit
        switch Adverb(rawValue: self[i].lexeme.value) {
        case .weekly: unit = .week
        case .monthly: unit = .month
        case .yearly: unit = .year
        default: return nil
        }
        guard let hit = unitBody(unit, interval: 1, at: i + 1), hit.end > i + 1 else { return nil }
        return hit
    }

    /// once | twice | N times | Nx  a | per | / | every  day | week | month | year.
    func timesRule(_ i: Int) -> RuleHit? {
        guard let (count, next) = occasions(i) else { return nil }
        let per = isKey(next, .a, .an, .per, .each, .every) || sign(next, "/") ? next + 1 : next
        guard per > next, let unit = unit(per), let rule = Line.rule(count, unit) else { return nil }
        if count == 1, isKey(per + 1, .on, .in), let hit = unitBody(unit, interval: 1, at: per + 1),
            hit.end > per + 1
        {
            return hit
        }
        return RuleHit(end: per + 1, rule: rule, times: (count, unit))
    }

    private func occasions(_ i: Int) -> (count: Int, end: Int)? {
        if key(i) == .once { return (1, i + 1) }
        if key(i) == .twice { return (2, i + 1) }
        guard let (value, end) = amount(i) else { return nil }
        if key(end) == .times || key(end) == .time && value == 1 || key(end) == .x && ends(end + 1)
            || key(end) == .x && sign(end + 1, "/")
        {
            return (value, end + 1)
        }
        return nil
    }

    /// N times in a unit, as a rule (3.4); nil where no rule comes near.
    private static func rule(_ count: Int, _ unit: Unit) -> Rule? {
        switch unit {
        case .day: return Rule(frequency: .daily)
        case .week:
            let days = [[0], [1, 3], [0, 2, 4], [0, 1, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4, 5]]
            return count <= days.count ? .weekly(days[count - 1]) : Rule(frequency: .daily)
        case .month:
            let days = [[1], [1, 15], [1, 11, 21], [1, 8, 15, 22]]
            guard count <= days.count else { return nil }
            return Rule(frequency: .monthly, monthDays: days[count - 1])
        case .year:
            guard count >= 1, count <= 12, 12 % count == 0 else { return nil }
            return count == 1 ? Rule(frequency: .yearly) : Rule(frequency: .monthly, interval: 12 / count)
        case .minute, .hour, .quarter: return nil
        }
    }
}
