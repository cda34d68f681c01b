internal import Time

/// A day that was said.
enum Day: Equatable {
    case on(LocalDate)
    /// A bare weekday: the coming one, strictly after today; as a deadline not before the target (3.4).
    case weekday(Int)

    func date(_ here: Circumstances) -> LocalDate {
        switch self {
        case .on(let date): date
        case .weekday(let weekday): here.coming(weekday, after: here.today)
        }
    }
}

/// A recognised date expression.
struct DateHit {
    /// How it was said decides which guards apply (3.5).
    enum Style {
        /// today, tomorrow, this weekend, in 3 days, march 3rd: stands anywhere.
        case plain
        case weekday
        /// `2/14`: month and day by numbers, no year.
        case slash
        /// the 20th.
        case nth
        /// `in june`: also a name.
        case month
    }

    var end: Int
    var day: Day
    var style = Style.plain
    /// Said together with the date: `in 2 hours`, `tonight`, `eod`.
    var time: Clock?
}

/// Date expressions (3.3, classes day words to calendar), unguarded.
extension Line {
    func date(_ i: Int) -> DateHit? {
        guard starts(i), let hit = anyDate(i) else { return nil }
        return ends(hit.end) || hit.style == .plain && joinedDay(hit.end) != nil ? hit : nil
    }

    private func anyDate(_ i: Int) -> DateHit? {
        let here = self.here
        switch key(i) {
        case .today: return DateHit(end: i + 1, day: .on(here.today))
        case .tomorrow: return DateHit(end: i + 1, day: .on(here.today.adding(days: 1)))
        case .tonight: return DateHit(end: i + 1, day: .on(here.today), time: .part(.night))
        case .eod: return endOf(.day, end: i + 1)
        case .eow: return endOf(.week, end: i + 1)
        case .eom: return endOf(.month, end: i + 1)
        case .eoy: return endOf(.year, end: i + 1)
        case .end: return endOfSpan(i)
        case .next: return next(i)
        case .this, .coming: return this(i)
        case .weekday: return weekdayDate(i)
        case .month: return monthDay(i)
        case .in, .on, .over, .the: return behindPreposition(i)
        case .none, .a, .an, .number, .tens, .ordinal, .couple, .unit, .half: return counted(i)
        default: return nil
        }
    }

    // MARK: Words

    private func next(_ i: Int) -> DateHit? {
        let weekAhead = here.weekBeginning(here.today).adding(days: 7)
        if let weekday = weekday(i + 1), !self[i + 1].lexeme.isPlural {
            let date = weekAhead.adding(days: (weekday - here.weekStart + 7) % 7)
            return DateHit(end: i + 2, day: .on(date))
        }
        if key(i + 1) == .weekend {
            return DateHit(end: i + 2, day: .on(weekAhead.adding(days: (5 - here.weekStart + 7) % 7)))
        }
        let today = here.today
        switch unit(i + 1) {
        case .week:
            let next = key(i + 2) == .on ? i + 3 : i + 2
            if let weekday = weekday(next), !self[next].lexeme.isPlural {
                let date = weekAhead.adding(days: (weekday - here.weekStart + 7) % 7)
                return DateHit(end: next + 1, day: .on(date))
            }
            return DateHit(end: i + 2, day: .on(weekAhead))
        case .month:
            return DateHit(end: i + 2, day: .on(today.adding(days: 1 - today.day).adding(months: 1)))
        case .quarter:
            let first = today.adding(days: 1 - today.day)
            return DateHit(end: i + 2, day: .on(first.adding(months: 3 - (today.month - 1) % 3)))
        case .year:
            return LocalDate(year: today.year + 1, month: 1, day: 1).map { DateHit(end: i + 2, day: .on($0)) }
        default: return nil
        }
    }

    private func this(_ i: Int) -> DateHit? {
        if let weekday = weekday(i + 1), !self[i + 1].lexeme.isPlural {
            let isToday = here.today.weekday == weekday
            return DateHit(
                end: i + 2, day: .on(isToday ? here.today : here.coming(weekday, after: here.today)))
        }
        if key(i + 1) == .weekend { return DateHit(end: i + 2, day: .on(thisWeekend)) }
        return nil
    }

    private var thisWeekend: LocalDate {
        here.today.weekday >= 5 ? here.today : here.coming(5, after: here.today)
    }

    private func weekdayDate(_ i: Int) -> DateHit? {
        guard let weekday = weekday(i), !self[i].lexeme.isPlural else { return nil }
        // wed, feb 11: the date says it all.
        let comma = sign(i + 1, ",") ? i + 2 : i + 1
        if let hit = monthDay(comma) ?? dayMonth(comma) ?? slashDate(comma) {
            return DateHit(end: hit.end, day: hit.day)
        }
        let week = key(i + 1) == .of ? i + 2 : i + 1
        if key(week) == .next, unit(week + 1) == .week {
            let ahead = here.weekBeginning(here.today).adding(days: 7)
            return DateHit(
                end: week + 2, day: .on(ahead.adding(days: (weekday - here.weekStart + 7) % 7)))
        }
        return DateHit(end: i + 1, day: .weekday(weekday), style: .weekday)
    }

    /// `end of [the] day/week/month/year`.
    private func endOfSpan(_ i: Int) -> DateHit? {
        guard key(i + 1) == .of else { return nil }
        let next = isKey(i + 2, .the, .this) ? i + 3 : i + 2
        if let month = month(next) { return endOfMonth(month, at: next) }
        guard let unit = unit(next) else { return nil }
        return endOf(unit, end: next + 1)
    }

    /// `end of june [2027]`: its last day, not before today.
    private func endOfMonth(_ month: Int, at i: Int) -> DateHit? {
        let said = year(i + 1)
        for year in (said ?? here.today.year)...(said ?? here.today.year + 1) {
            let last = LocalDate(year: year, month: month, day: LocalDate.days(inMonth: month, of: year))
            if let last, last >= here.today {
                return DateHit(end: said == nil ? i + 1 : i + 2, day: .on(last))
            }
        }
        return nil
    }

    private func endOf(_ unit: Unit, end: Int) -> DateHit? {
        let today = here.today
        switch unit {
        case .day: return DateHit(end: end, day: .on(today), time: .exact(Circumstances.clock(17, 0)))
        case .week:
            return DateHit(end: end, day: .on(today.weekday == 4 ? today : here.coming(4, after: today)))
        case .month:
            let last = LocalDate.days(inMonth: today.month, of: today.year)
            return DateHit(end: end, day: .on(today.adding(days: last - today.day)))
        case .year:
            return LocalDate(year: today.year, month: 12, day: 31).map { DateHit(end: end, day: .on($0)) }
        default: return nil
        }
    }

    // MARK: Behind in, on, over, the

    private func behindPreposition(_ i: Int) -> DateHit? {
        switch key(i) {
        case .in: return inMonth(i) ?? offset(i)
        case .on, .over:
            let next = isKey(i + 1, .the, .this) ? i + 2 : i + 1
            if key(next) == .weekend { return DateHit(end: next + 1, day: .on(thisWeekend)) }
            return nil
        case .the:
            if unit(i + 1) == .day { return dayAfterTomorrow(i + 1) }
            if key(i + 1) == .end { return endOfSpan(i + 1) }
            return dayMonth(i + 1) ?? nth(i)
        default: return nil
        }
    }

    private func dayAfterTomorrow(_ i: Int) -> DateHit? {
        guard unit(i) == .day, key(i + 1) == .after, key(i + 2) == .tomorrow else { return nil }
        return DateHit(end: i + 3, day: .on(here.today.adding(days: 2)))
    }

    /// `the Nth`: the next one that exists.
    private func nth(_ i: Int) -> DateHit? {
        guard let (day, end) = ordinal(i + 1), day > 0, key(i + 2) != .ordinal || end > i + 2 else {
            return nil
        }
        var month = here.today.adding(days: 1 - here.today.day)
        for _ in 0..<12 {
            if let date = LocalDate(year: month.year, month: month.month, day: day), date >= here.today {
                return DateHit(end: end, day: .on(date), style: .nth)
            }
            month = month.adding(months: 1)
        }
        return nil
    }

    /// `in june [2027]`: its first day from today on; this month is the coming year's.
    private func inMonth(_ i: Int) -> DateHit? {
        guard let month = month(i + 1) else { return nil }
        if let year = year(i + 2), let date = LocalDate(year: year, month: month, day: 1) {
            return DateHit(end: i + 3, day: .on(date))
        }
        guard let date = upcoming(month, 1) else { return nil }
        return DateHit(end: i + 2, day: .on(date), style: .month)
    }

    /// `in N units`, `in half an hour`.
    private func offset(_ i: Int) -> DateHit? {
        if key(i + 1) == .half, isKey(i + 2, .a, .an), unit(i + 3) == .hour {
            return later(30, .minute, from: nil, end: i + 4)
        }
        guard let (value, end) = amount(i + 1), let unit = unit(end) else { return nil }
        return later(value, unit, from: nil, end: end + 1)
    }

    // MARK: Counted

    /// What begins with a number: dates by numbers, `3 days from friday`, `a week from today`, `day after tomorrow`.
    private func counted(_ i: Int) -> DateHit? {
        if let hit = dayAfterTomorrow(i) { return hit }
        if self[i].kind == .number || key(i) == .ordinal || key(i) == .tens {
            if let hit = isoDate(i) ?? dottedDate(i) ?? slashDate(i) ?? dayMonth(i) { return hit }
        }
        guard let (value, end) = amount(i), let unit = unit(end), isKey(end + 1, .from) else { return nil }
        switch key(end + 2) {
        case .today, .now: return later(value, unit, from: nil, end: end + 3)
        case .tomorrow: return later(value, unit, from: here.today.adding(days: 1), end: end + 3)
        case .weekday where !self[end + 2].lexeme.isPlural:
            return later(
                value, unit, from: here.coming(self[end + 2].lexeme.value, after: here.today), end: end + 3)
        default: return nil
        }
    }

    /// Minutes and hours are exact; from days on there is a date only. Months clamp to the last day (3.4).
    func later(_ value: Int, _ unit: Unit, from date: LocalDate?, end: Int) -> DateHit? {
        let start = date ?? here.today
        switch unit {
        case .minute, .hour:
            guard date == nil else { return nil }
            let minutes = here.now.time.minuteOfDay + value * (unit.minutes ?? 1)
            return DateHit(
                end: end, day: .on(start.adding(days: minutes / 1440)),
                time: .exact(Circumstances.clock(minutes % 1440 / 60, minutes % 60)))
        case .day: return DateHit(end: end, day: .on(start.adding(days: value)))
        case .week: return DateHit(end: end, day: .on(start.adding(days: value * 7)))
        case .month: return DateHit(end: end, day: .on(start.adding(months: value)))
        case .quarter: return DateHit(end: end, day: .on(start.adding(months: value * 3)))
        case .year:
            guard value <= 100 else { return nil }
            return DateHit(end: end, day: .on(start.adding(months: value * 12)))
        }
    }
}
