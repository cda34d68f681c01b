// R-19: a rule in words.

public import Recurrence
public import Time

/// R-19: the item's rule in words, with its time; nil without a rule, and for a stored text that is no rule.
public func recurrenceText(of task: TaskItem, zone: Zone) -> String? {
    // try? : the text was checked when it was written
    guard let rrule = task.rrule, let rule = try? RecurrenceRule(rrule) else { return nil }
    let start = task.ruleStart ?? task.target.map(zone.date)
    return recurrenceText(rule, start: start, time: task.anchorTime)
}

/// R-19: `Every 2 weeks on Wed at 9:00 AM`.
///
/// - Parameter start: names the day that the rule leaves out (R-4); nil: it is left out.
public func recurrenceText(_ rule: RecurrenceRule, start: LocalDate?, time: LocalTime?) -> String {
    let weekdays = (0...4).map { RecurrenceRule.Day(weekday: $0) }
    var text: String
    if rule.frequency == .weekly, rule.interval == 1, Set(rule.byDay) == Set(weekdays) {
        text = "Weekdays"
    } else {
        text = rule.every
        if let days = rule.daysText(start: start) { text += " on \(days)" }
    }
    if let time { text += " at \(clockText(time))" }
    return text
}

extension RecurrenceRule {
    /// `Daily`, `Every 2 days`.
    fileprivate var every: String {
        let (one, many) =
            switch frequency {
            case .daily: ("Daily", "days")
            case .weekly: ("Weekly", "weeks")
            case .monthly: ("Monthly", "months")
            case .yearly: ("Yearly", "years")
            }
        return interval == 1 ? one : "Every \(interval) \(many)"
    }

    /// What comes after "on".
    fileprivate func daysText(start: LocalDate?) -> String? {
        let months = byMonth.sorted().map { monthNames[$0 - 1] }
        switch frequency {
        case .daily: return byDay.isEmpty ? nil : joined(sortedDays)
        case .weekly:
            if byDay.isEmpty { return start.map { weekdayNames[$0.weekday] } }
            return joined(sortedDays)
        case .monthly: return monthDaysText(start: start).map { $0 + inMonths(months) }
        case .yearly:
            if byDay.isEmpty, let day = byMonthDay.first ?? start?.day, byMonthDay.count < 2, day > 0 {
                let named =
                    months.isEmpty && byMonthDay.isEmpty ? start.map { [monthNames[$0.month - 1]] } : months
                if let named, !named.isEmpty { return joined(named.map { "\($0) \(day)" }) }
            }
            return monthDaysText(start: start).map { $0 + inMonths(months) }
        }
    }

    private func inMonths(_ months: [String]) -> String { months.isEmpty ? "" : " of \(joined(months))" }

    private var sortedDays: [String] {
        byDay.map(\.weekday).sorted().map { weekdayNames[$0] }
    }

    /// `the 31st`, `the last day`, `the last Fri`, `the 1st and 15th`.
    private func monthDaysText(start: LocalDate?) -> String? {
        if !byDay.isEmpty {
            if bySetPosition.count == 1 {
                return "the \(ordinalText(bySetPosition[0])) \(joined(sortedDays, by: "or"))"
            }
            let days = byDay.map { day in
                (day.ordinal.map { "the \(ordinalText($0)) " } ?? "every ") + weekdayNames[day.weekday]
            }
            return joined(days)
        }
        guard !byMonthDay.isEmpty else { return start.map { "the \(ordinalText($0.day))" } }
        let days = byMonthDay.sorted { ($0 < 0 ? 100 + $0 : $0) < ($1 < 0 ? 100 + $1 : $1) }
        return "the " + joined(days.map { $0 < 0 ? "\(ordinalText($0)) day" : ordinalText($0) })
    }
}

/// `1st`, `22nd`, `13th`; -1 `last`, -2 `2nd last`.
private func ordinalText(_ number: Int) -> String {
    if number == -1 { return "last" }
    let n = abs(number)
    let ending =
        switch (n % 100, n % 10) {
        case (11...13, _): "th"
        case (_, 1): "st"
        case (_, 2): "nd"
        case (_, 3): "rd"
        default: "th"
        }
    return "\(n)\(ending)\(number < 0 ? " last" : "")"
}

private func joined(_ parts: [String], by word: String) -> String {
    guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
    return parts.dropLast().joined(separator: ", ") + " \(word) \(last)"
}
