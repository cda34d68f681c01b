public import Time

extension RecurrenceRule {
    /// The rule's first `limit` dates on or after `from`, in order; fewer if the rule ends.
    ///
    /// The dates come from libical; around it, this fills in what the rule leaves to its start, reads days beyond a
    /// month's end as R-9 says, and jumps near `from` in whole intervals, so that a start in 1900 costs nothing.
    /// A rule with COUNT is counted from its start. UNTIL is an instant in some zone: the caller, who knows it, gives
    /// it as `through`.
    ///
    /// - Parameters:
    ///   - start: what INTERVAL, COUNT and a missing day are counted from; no date lies before it (R-4).
    ///   - lastDay: R-9: a day beyond a month's end means its last day; false: it does not exist in that month.
    ///   - through: the last date that counts; nil = none.
    public func dates(
        start: LocalDate, lastDay: Bool, from: LocalDate, limit: Int, through: LocalDate? = nil
    ) -> [LocalDate] {
        let filled = filled(from: start)
        let clamped = lastDay && filled.byMonthDay.contains { $0 > 28 }
        let first = filled.periodStart(containing: start, near: from)
        guard var dates = DateIterator(rule: filled.icalText(clamped: clamped), start: first) else {
            return []
        }
        var positions = clamped ? Positions(filled) : nil
        var left = Int.max
        if case .count(let count) = end { left = count }
        var result: [LocalDate] = []

        /// - Returns: false when nothing further can matter.
        func take(_ date: LocalDate) -> Bool {
            if date < start { return true }
            if let through, date > through { return false }
            left -= 1
            if date >= from { result.append(date) }
            return result.count < limit && left > 0
        }

        guard limit > 0, left > 0 else { return [] }
        while let date = dates.next() {
            if clamped, !filled.hasMonthDay(date) { continue }
            guard positions != nil else {
                if take(date) { continue }
                return result
            }
            for chosen in positions?.add(date) ?? [] where !take(chosen) { return result }
        }
        for chosen in positions?.finish() ?? [] where !take(chosen) { break }
        return result
    }

    /// Whether `date` is one of the rule's dates.
    public func contains(
        _ date: LocalDate, start: LocalDate, lastDay: Bool, through: LocalDate? = nil
    ) -> Bool {
        dates(start: start, lastDay: lastDay, from: date, limit: 1, through: through).first == date
    }

    /// The rule with the day written out that RFC 5545 takes from DTSTART, so that libical may start elsewhere.
    private func filled(from start: LocalDate) -> RecurrenceRule {
        var rule = self
        switch frequency {
        case .daily: break
        case .weekly:
            if byDay.isEmpty { rule.byDay = [Day(weekday: start.weekday)] }
        case .monthly:
            if byDay.isEmpty, byMonthDay.isEmpty { rule.byMonthDay = [start.day] }
        case .yearly:
            if byDay.isEmpty, byMonthDay.isEmpty {
                rule.byMonthDay = [start.day]
                if byMonth.isEmpty { rule.byMonth = [start.month] }
            } else if !byMonthDay.isEmpty, byMonth.isEmpty {
                // RFC 5545: BYMONTHDAY expands the year. libical 3.0 would take the start's month alone.
                rule.byMonth = Array(1...12)
            }
        }
        return rule
    }

    /// The first day of the period (day, week, month, year) that libical starts with: the one of `start`, or one a
    /// whole number of intervals later that is not after `from`. With COUNT there is no jumping.
    private func periodStart(containing start: LocalDate, near from: LocalDate) -> LocalDate {
        var jump = max(start, from)
        if case .count = end { jump = start }
        func whole(_ units: Int) -> Int { units / interval * interval }
        switch frequency {
        case .daily:
            return start.adding(days: whole(jump.daysSince1970 - start.daysSince1970))
        case .weekly:
            func week(_ date: LocalDate) -> LocalDate {
                date.adding(days: -((date.weekday - weekStart + 7) % 7))
            }
            let weeks = (week(jump).daysSince1970 - week(start).daysSince1970) / 7
            return week(start).adding(days: 7 * whole(weeks))
        case .monthly:
            let months = (jump.year - start.year) * 12 + jump.month - start.month
            return start.adding(days: 1 - start.day).adding(months: whole(months))
        case .yearly:
            let year = start.year + whole(jump.year - start.year)
            return LocalDate(year: year, month: 1, day: 1) ?? start
        }
    }

    /// R-9, `last_day`: whether the rule's days of the month name this date.
    private func hasMonthDay(_ date: LocalDate) -> Bool {
        let last = LocalDate.days(inMonth: date.month, of: date.year)
        return byMonthDay.contains { day in
            day > 0 ? min(day, last) == date.day : day + last + 1 == date.day
        }
    }

    /// The rule as libical gets it, without time and end. When days are clamped, it asks for every day that could be
    /// a month's last one, and leaves BYSETPOS to `Positions`.
    private func icalText(clamped: Bool) -> String {
        var parts = ["FREQ=\(frequency.rawValue)", "INTERVAL=\(interval)"]
        parts.append("WKST=\(RecurrenceRule.dayNames[weekStart])")
        func add(_ name: String, _ values: [String]) {
            if !values.isEmpty { parts.append("\(name)=\(values.joined(separator: ","))") }
        }
        var monthDays = byMonthDay
        if clamped, let greatest = byMonthDay.max() {
            monthDays += (28...greatest).filter { !byMonthDay.contains($0) }
        }
        add("BYMONTH", byMonth.sorted().map(String.init))
        add("BYMONTHDAY", monthDays.map(String.init))
        add(
            "BYDAY",
            byDay.map { "\($0.ordinal.map(String.init) ?? "")\(RecurrenceRule.dayNames[$0.weekday])" })
        if !clamped { add("BYSETPOS", bySetPosition.map(String.init)) }
        return parts.joined(separator: ";")
    }
}

/// BYSETPOS over clamped days: collects the dates of one period, then picks.
private struct Positions {
    private let rule: RecurrenceRule
    private var period: Int?
    private var dates: [LocalDate] = []

    init?(_ rule: RecurrenceRule) {
        guard !rule.bySetPosition.isEmpty else { return nil }
        self.rule = rule
    }

    /// Takes the next date; gives the choice of the period before it when that has ended.
    mutating func add(_ date: LocalDate) -> [LocalDate] {
        let own: Int
        switch rule.frequency {
        case .daily, .weekly: own = date.daysSince1970  // days of the month do not go with WEEKLY
        case .monthly: own = date.year * 12 + date.month
        case .yearly: own = date.year
        }
        let chosen = own == period ? [] : finish()
        period = own
        dates.append(date)
        return chosen
    }

    mutating func finish() -> [LocalDate] {
        defer { dates = [] }
        return dates.enumerated().filter { at, _ in
            rule.bySetPosition.contains(at + 1) || rule.bySetPosition.contains(at - dates.count)
        }.map(\.element)
    }
}
