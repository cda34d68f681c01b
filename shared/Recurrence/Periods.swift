import Time

/// The days, weeks, months or years of a rule, and the dates in each: the table of RFC 5545, section 3.3.10, read as
/// "which days of this period does the rule name?".
struct Periods {
    private let rule: RecurrenceRule
    private let lastDay: Bool
    /// The first day of the period that `next` gives.
    private(set) var nextStart: LocalDate

    /// - Parameters:
    ///   - rule: with at least one part that names days, unless it is daily.
    ///   - start: the first period contains it.
    ///   - near: the periods before this date are passed over.
    init(_ rule: RecurrenceRule, start: LocalDate, near: LocalDate, lastDay: Bool) {
        self.rule = rule
        self.lastDay = lastDay
        func whole(_ units: Int) -> Int { units / rule.interval * rule.interval }
        switch rule.frequency {
        case .daily: nextStart = start.adding(days: whole(near.daysSince1970 - start.daysSince1970))
        case .weekly:
            func week(_ date: LocalDate) -> LocalDate {
                date.adding(days: -((date.weekday - rule.weekStart + 7) % 7))
            }
            let days = week(near).daysSince1970 - week(start).daysSince1970
            nextStart = week(start).adding(days: 7 * whole(days / 7))
        case .monthly:
            let months = (near.year - start.year) * 12 + near.month - start.month
            nextStart = start.adding(days: 1 - start.day).adding(months: whole(months))
        case .yearly:
            let january = start.adding(days: 1 - start.day).adding(months: 1 - start.month)
            nextStart = january.adding(months: 12 * whole(near.year - start.year))
        }
    }

    /// The dates of the next period, in order; none if it has none.
    mutating func next() -> [LocalDate] {
        let first = nextStart
        let dates: [LocalDate]
        switch rule.frequency {
        case .daily:
            nextStart = first.adding(days: rule.interval)
            dates = isNamed(first) ? [first] : []
        case .weekly:
            nextStart = first.adding(days: 7 * rule.interval)
            dates = (0..<7).map(first.adding(days:)).filter(isNamed)
        case .monthly:
            nextStart = first.adding(months: rule.interval)
            dates = datesOfMonth(first, ordinalsFrom: first, through: nil)
        case .yearly:
            nextStart = first.adding(months: 12 * rule.interval)
            dates = datesOfYear(first)
        }
        return chosen(dates)
    }

    /// DAILY and WEEKLY: every part is a condition.
    private func isNamed(_ date: LocalDate) -> Bool {
        if !rule.byDay.isEmpty, !rule.byDay.contains(where: { $0.weekday == date.weekday }) { return false }
        if !rule.byMonth.isEmpty, !rule.byMonth.contains(date.month) { return false }
        if rule.byMonthDay.isEmpty { return true }
        let length = LocalDate.days(inMonth: date.month, of: date.year)
        return rule.byMonthDay.contains { dayOfMonth($0, length: length) == date.day }
    }

    private func datesOfYear(_ january: LocalDate) -> [LocalDate] {
        // RFC 5545: without BYMONTH an ordinal counts in the year, with it in each month.
        let inYear = rule.byMonth.isEmpty
        let december31 = january.adding(months: 12).adding(days: -1)
        return (0..<12).flatMap { index in
            let first = january.adding(months: index)
            return datesOfMonth(
                first, ordinalsFrom: inYear ? january : first, through: inYear ? december31 : nil)
        }
    }

    /// - Parameters:
    ///   - ordinalsFrom: the first day of what the ordinals of BYDAY count in.
    ///   - through: its last day; nil: the month's.
    private func datesOfMonth(_ first: LocalDate, ordinalsFrom: LocalDate, through: LocalDate?) -> [LocalDate]
    {
        let month = first.month
        if !rule.byMonth.isEmpty, !rule.byMonth.contains(month) { return [] }
        let length = LocalDate.days(inMonth: month, of: first.year)
        let last = through ?? first.adding(days: length - 1)
        let days: [Int]
        if rule.byMonthDay.isEmpty {
            days = Array(1...length)
        } else {
            days = Set(rule.byMonthDay.compactMap { dayOfMonth($0, length: length) }).sorted()
        }
        let dates = days.map { first.adding(days: $0 - 1) }
        guard !rule.byDay.isEmpty else { return dates }
        return dates.filter { date in
            let ordinal = (date.daysSince1970 - ordinalsFrom.daysSince1970) / 7 + 1
            let fromEnd = -((last.daysSince1970 - date.daysSince1970) / 7 + 1)
            return rule.byDay.contains { day in
                day.weekday == date.weekday
                    && (day.ordinal == nil || day.ordinal == ordinal || day.ordinal == fromEnd)
            }
        }
    }

    /// the day of a month that a value of BYMONTHDAY means; nil: the month has none such.
    private func dayOfMonth(_ value: Int, length: Int) -> Int? {
        if value < 0 { return value + length >= 0 ? value + length + 1 : nil }
        if value > length { return lastDay ? length : nil }
        return value
    }

    /// BYSETPOS.
    private func chosen(_ dates: [LocalDate]) -> [LocalDate] {
        if rule.bySetPosition.isEmpty { return dates }
        return dates.enumerated().filter { at, _ in
            rule.bySetPosition.contains(at + 1) || rule.bySetPosition.contains(at - dates.count)
        }.map(\.element)
    }
}
