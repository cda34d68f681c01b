public import Time

/// A recurrence rule as text: checked against the subset of docs/spec/enrich.md, 1.3, and put in canonical order.
public struct RuleText: Hashable, Sendable {
    private var frequency: String
    private var interval = 1
    private var months: [Int] = []
    private var monthDays: [Int] = []
    private var weekdays: [String] = []
    private var hours: [Int] = []
    private var minutes: [Int] = []

    /// The day to fill in where a rule lacks one.
    public struct Anchor: Sendable {
        /// The target's date.
        public var date: LocalDate?
        /// 0 Monday … 6 Sunday.
        public var weekStart: Int

        public init(date: LocalDate?, weekStart: Int) {
            self.date = date
            self.weekStart = weekStart
        }
    }

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// - Parameters:
    ///   - isReminder: BYHOUR and BYMINUTE are for reminders only.
    /// - Returns: nil for a rule outside the subset.
    public init?(_ text: String, isReminder: Bool, anchor: Anchor) {
        var text = Substring(text.uppercased())
        if text.hasPrefix("RRULE:") { text = text.dropFirst(6) }
        var parts: [String: Substring] = [:]
        for part in text.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !pair[1].isEmpty,
                parts.updateValue(pair[1], forKey: String(pair[0])) == nil
            else { return nil }
        }
        guard let frequency = parts.removeValue(forKey: "FREQ").map(String.init),
            ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(frequency)
        else { return nil }
        self.frequency = frequency
        for (name, value) in parts {
            guard take(name, value, isReminder: isReminder) else { return nil }
        }
        complete(anchor)
    }

    private mutating func take(_ name: String, _ value: Substring, isReminder: Bool) -> Bool {
        switch name {
        case "INTERVAL":
            guard let number = Int(value), (1...999).contains(number) else { return false }
            interval = number
        case "BYMONTH": return RuleText.numbers(value, in: 1...12, into: &months)
        case "BYMONTHDAY":
            return RuleText.numbers(value, in: -31...31, into: &monthDays) && !monthDays.contains(0)
        case "BYHOUR": return isReminder && RuleText.numbers(value, in: 0...23, into: &hours)
        case "BYMINUTE": return isReminder && RuleText.numbers(value, in: 0...59, into: &minutes)
        case "BYDAY":
            weekdays = value.split(separator: ",").map(String.init)
            return !weekdays.isEmpty && weekdays.count <= 35 && weekdays.allSatisfy(isDay)
        // The first day of the week changes nothing without it: it says what is the rule already.
        case "WKST": return RuleText.names.contains(String(value))
        default: return false
        }
        return true
    }

    private func isDay(_ text: String) -> Bool {
        guard RuleText.names.contains(String(text.suffix(2))) else { return false }
        let ordinal = text.dropLast(2)
        if ordinal.isEmpty { return true }
        guard frequency == "MONTHLY" || frequency == "YEARLY", let number = Int(ordinal) else { return false }
        return number != 0 && abs(number) <= (frequency == "MONTHLY" ? 5 : 53)
    }

    private static func numbers(_ text: Substring, in range: ClosedRange<Int>, into numbers: inout [Int])
        -> Bool
    {
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Int(word), range.contains(number) else { return false }
            if !numbers.contains(number) { numbers.append(number) }
        }
        return !numbers.isEmpty
    }

    /// WEEKLY needs a weekday, MONTHLY a weekday or a day of the month: from the target, else the week's or month's first.
    private mutating func complete(_ anchor: Anchor) {
        if frequency == "WEEKLY", weekdays.isEmpty {
            weekdays = [RuleText.names[anchor.date?.weekday ?? anchor.weekStart]]
        }
        if frequency == "MONTHLY", weekdays.isEmpty, monthDays.isEmpty {
            monthDays = [anchor.date?.day ?? 1]
        }
    }

    /// The first time of day that the rule names; nil when it names none.
    public var time: LocalTime? { hours.first.flatMap { LocalTime(hour: $0, minute: minutes.first ?? 0) } }

    /// In the order FREQ, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, BYHOUR, BYMINUTE; an interval of one is left out.
    ///
    /// - Parameter time: replaces the rule's own.
    public func canonical(at time: LocalTime? = nil) -> String {
        var parts = ["FREQ=\(frequency)"]
        if interval > 1 { parts.append("INTERVAL=\(interval)") }
        if !months.isEmpty { parts.append("BYMONTH=\(RuleText.list(months.sorted()))") }
        if !monthDays.isEmpty {
            // From the end of the month after those from its beginning.
            let sorted = monthDays.sorted { ($0 < 0 ? 100 + $0 : $0) < ($1 < 0 ? 100 + $1 : $1) }
            parts.append("BYMONTHDAY=\(RuleText.list(sorted))")
        }
        if !weekdays.isEmpty { parts.append("BYDAY=\(sortedDays.joined(separator: ","))") }
        if let time { parts.append("BYHOUR=\(time.hour);BYMINUTE=\(time.minute)") }
        return parts.joined(separator: ";")
    }

    private var sortedDays: [String] {
        var seen: Set<String> = []
        let order = { (day: String) in RuleText.names.firstIndex(of: String(day.suffix(2))) ?? 0 }
        let unique = weekdays.filter { seen.insert($0).inserted }
        return unique.contains { $0.count > 2 } ? unique : unique.sorted { order($0) < order($1) }
    }

    private static func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }
}
