public import Time

extension RecurrenceRule {
    /// The rule's first `limit` dates on or after `from`, in order; fewer if the rule ends.
    ///
    /// Goes period by period (day, week, month, year), from the one of `start` or a whole number of intervals later, so
    /// that a start in 1900 costs nothing. With COUNT it goes from `start`. UNTIL is an instant in some zone: the
    /// caller, who knows it, gives it as `through`.
    ///
    /// - Parameters:
    ///   - start: what INTERVAL, COUNT and a missing day are counted from; no date lies before it.
    ///   - lastDay: R-9: a day beyond a month's end means its last day; false: it does not exist in that month.
    ///   - through: the last date that counts; nil = none.
    public func dates(
        start: LocalDate, lastDay: Bool, from: LocalDate, limit: Int, through: LocalDate? = nil
    ) -> [LocalDate] {
        var left = Int.max
        var walkFrom = max(start, from)
        if case .count(let count) = end {
            left = count
            walkFrom = start
        }
        var result: [LocalDate] = []
        var periods = Periods(filled(from: start), start: start, near: walkFrom, lastDay: lastDay)
        var emptyPeriods = 0
        while result.count < limit, left > 0, emptyPeriods < patience {
            let dates = periods.next()
            emptyPeriods = dates.isEmpty ? emptyPeriods + 1 : 0
            for date in dates where date >= start {
                if let through, date > through { return result }
                guard result.count < limit, left > 0 else { return result }
                left -= 1
                if date >= from { result.append(date) }
            }
            if let through, periods.nextStart > through { return result }
        }
        return result
    }

    /// Whether `date` is one of the rule's dates.
    public func contains(
        _ date: LocalDate, start: LocalDate, lastDay: Bool, through: LocalDate? = nil
    ) -> Bool {
        dates(start: start, lastDay: lastDay, from: date, limit: 1, through: through).first == date
    }

    /// So many periods in a row without a date, and the rule has none (February 30). The calendar repeats after 400
    /// years; a leap day on a given weekday comes after 40 at most, which is 14,610 days.
    private var patience: Int {
        switch frequency {
        case .daily, .weekly: 20_000
        case .monthly: 4_800
        case .yearly: 400
        }
    }

    /// The rule with the day written out that RFC 5545 takes from DTSTART.
    private func filled(from start: LocalDate) -> RecurrenceRule {
        guard byDay.isEmpty, byMonthDay.isEmpty else { return self }
        var rule = self
        switch frequency {
        case .daily: break
        case .weekly: rule.byDay = [Day(weekday: start.weekday)]
        case .monthly: rule.byMonthDay = [start.day]
        case .yearly:
            rule.byMonthDay = [start.day]
            if byMonth.isEmpty { rule.byMonth = [start.month] }
        }
        return rule
    }
}
