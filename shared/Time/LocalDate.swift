/// A date of the proleptic Gregorian calendar, without a zone; `YYYY-MM-DD` on the wire.
public struct LocalDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let daysSince1970: Int

    public init(daysSince1970: Int) {
        self.daysSince1970 = daysSince1970
    }

    /// - Returns: nil for a date that does not exist (month 13, June 31).
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...LocalDate.days(inMonth: month, of: year)).contains(day) else {
            return nil
        }
        daysSince1970 = LocalDate.days(year: year, month: month, day: day)
    }

    /// `YYYY-MM-DD`; nil for anything else, and for dates that do not exist.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == 45, bytes[7] == 45 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for at in range {
                guard (48...57).contains(bytes[at]) else { return nil }
                value = value * 10 + Int(bytes[at] - 48)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    public var year: Int { civil.year }
    /// 1 to 12.
    public var month: Int { civil.month }
    /// 1 to 31.
    public var day: Int { civil.day }

    /// 0 = Monday … 6 = Sunday, as `anchor_dow` on the wire.
    public var weekday: Int {
        let shifted = (daysSince1970 + 3) % 7
        return shifted < 0 ? shifted + 7 : shifted
    }

    public func adding(days: Int) -> LocalDate {
        LocalDate(daysSince1970: daysSince1970 + days)
    }

    /// A calendar step; a day beyond the month's end becomes its last day.
    public func adding(months: Int) -> LocalDate {
        let (year, month, day) = civil
        let index = year * 12 + (month - 1) + months
        let newYear = index >= 0 ? index / 12 : -((11 - index) / 12)
        let newMonth = index - newYear * 12 + 1
        let last = LocalDate.days(inMonth: newMonth, of: newYear)
        return LocalDate(
            daysSince1970: LocalDate.days(year: newYear, month: newMonth, day: min(day, last)))
    }

    /// Days in a month, 28 to 31.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static func < (a: LocalDate, b: LocalDate) -> Bool { a.daysSince1970 < b.daysSince1970 }

    // Days from civil and back: the era method, years begin in March so that the leap day is last.

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension LocalDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    public var description: String {
        String(decoding: digits, as: UTF8.self)
    }

    var digits: [UInt8] {
        let (year, month, day) = civil
        var text: [UInt8] = []
        text.reserveCapacity(24)  // for what Instant.iso8601 puts behind it
        text.append(number: year, width: 4)
        text.append(UInt8(ascii: "-"))
        text.append(number: month, width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(number: day, width: 2)
        return text
    }
}
