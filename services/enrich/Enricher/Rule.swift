internal import Time

/// A recurrence rule of the subset (1.3).
struct Rule: Equatable {
    enum Frequency: String {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    struct Weekday: Hashable {
        /// 0: every one; 1 … 5 the Nth; -1 the last of the month.
        var ordinal = 0
        /// 0 Monday … 6 Sunday.
        var day: Int
    }

    var frequency: Frequency
    /// 1 to 999.
    var interval = 1
    var weekdays: [Weekday] = []
    /// 1 to 31, -1 the last.
    var monthDays: [Int] = []
    var months: [Int] = []
    /// Every quarter: its first occurrence is the beginning of the next one.
    var isQuarterly = false

    static func weekly(_ days: [Int], interval: Int = 1) -> Rule {
        Rule(frequency: .weekly, interval: interval, weekdays: Set(days).sorted().map { Weekday(day: $0) })
    }

    static let workdays = Rule.weekly([0, 1, 2, 3, 4])

    /// Fills in the day that was not said: from the start, else by 3.4.
    mutating func complete(start: LocalDate?, _ here: Circumstances) {
        switch frequency {
        case .daily: break
        case .weekly:
            if weekdays.isEmpty { weekdays = [Weekday(day: start?.weekday ?? here.weekStart)] }
        case .monthly:
            if weekdays.isEmpty, monthDays.isEmpty { monthDays = [start?.day ?? 1] }
        case .yearly:
            let base = start ?? here.today
            if months.isEmpty, weekdays.isEmpty, monthDays.isEmpty {
                months = [base.month]
                monthDays = [base.day]
            } else if weekdays.isEmpty, monthDays.isEmpty {
                monthDays = [1]
            }
        }
    }

    /// Whether a date fits the rule, its interval aside.
    func fits(_ date: LocalDate) -> Bool {
        if !months.isEmpty, !months.contains(date.month) { return false }
        let length = LocalDate.days(inMonth: date.month, of: date.year)
        if !monthDays.isEmpty {
            guard monthDays.contains(where: { $0 > 0 ? $0 == date.day : length + 1 + $0 == date.day }) else {
                return false
            }
        }
        guard !weekdays.isEmpty else { return true }
        return weekdays.contains { weekday in
            guard weekday.day == date.weekday else { return false }
            if weekday.ordinal == 0 { return true }
            return weekday.ordinal > 0
                ? (date.day - 1) / 7 + 1 == weekday.ordinal : (length - date.day) / 7 + 1 == -weekday.ordinal
        }
    }

    /// The first day from `start` on that fits, with its time after now. The interval counts from it.
    ///
    /// - Returns: nil when eight years (to the next leap day and over a century) have none.
    func first(from start: LocalDate, at time: LocalTime, _ here: Circumstances) -> LocalDate? {
        var date = max(start, here.today)
        if date == here.today, time <= here.now.time { date = date.adding(days: 1) }
        if isQuarterly, start == here.today {
            let beginning = here.today.adding(days: 1 - here.today.day)
            date = beginning.adding(months: 3 - (beginning.month - 1) % 3)
        }
        for _ in 0..<2_930 {
            if fits(date) { return date }
            date = date.adding(days: 1)
        }
        return nil
    }

    /// In the canonical order of 1.3.
    ///
    /// - Parameter time: for reminders, BYHOUR and BYMINUTE.
    func text(at time: LocalTime? = nil) -> String {
        var parts = ["FREQ=\(frequency.rawValue)"]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if !months.isEmpty { parts.append("BYMONTH=\(list(months.sorted()))") }
        if !monthDays.isEmpty {
            let sorted = Set(monthDays).sorted { ($0 < 0 ? 100 + $0 : $0) < ($1 < 0 ? 100 + $1 : $1) }
            parts.append("BYMONTHDAY=\(list(sorted))")
        }
        if !weekdays.isEmpty {
            let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
            let texts = weekdays.map { ($0.ordinal == 0 ? "" : "\($0.ordinal)") + names[$0.day] }
            parts.append("BYDAY=\(texts.joined(separator: ","))")
        }
        if let time { parts.append("BYHOUR=\(time.hour);BYMINUTE=\(time.minute)") }
        return parts.joined(separator: ";")
    }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
}
