import Time

extension RecurrenceRule {
    /// RRULE text without `RRULE:` and DTSTART; names are read without case.
    ///
    /// - Throws: the first part that is unknown, doubled, out of range or in the wrong company.
    public init(_ text: String) throws(RecurrenceRuleError) {
        // This runs for every recurring task of a list, so it works on slices of one text.
        let text =
            text.utf8.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            ? text.uppercased() : text
        var parts: [(name: Substring, value: Substring)] = []
        for piece in pieces(of: text[...], separator: UInt8(ascii: ";")) {
            guard let equals = piece.utf8.firstIndex(of: UInt8(ascii: "=")) else {
                throw RecurrenceRuleError(part: "", message: "This is not a recurrence rule")
            }
            let name = piece[..<equals]
            let value = piece[piece.utf8.index(after: equals)...]
            guard !value.utf8.isEmpty else {
                throw RecurrenceRuleError(part: "", message: "This is not a recurrence rule")
            }
            guard !parts.contains(where: { $0.name == name }) else {
                throw RecurrenceRuleError(part: String(name), message: "\(name) is there twice")
            }
            parts.append((name, value))
        }
        guard let word = parts.first(where: { $0.name == "FREQ" })?.value else {
            throw RecurrenceRuleError(part: "FREQ", message: "A recurrence rule needs FREQ")
        }
        guard let frequency = Frequency(rawValue: String(word)) else {
            throw RecurrenceRuleError(
                part: "FREQ", message: "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY")
        }
        self.init(frequency: frequency)
        var hour: Int?
        var minute: Int?
        for (name, value) in parts {
            switch name {
            case "FREQ": break
            case "INTERVAL": interval = try number(value, 1...999, name)
            case "BYDAY": byDay = try list(value, name) { Day($0) }
            case "BYMONTHDAY": byMonthDay = try numbers(value, 1...31, negative: true, name)
            case "BYMONTH": byMonth = try numbers(value, 1...12, negative: false, name)
            case "BYSETPOS": bySetPosition = try numbers(value, 1...366, negative: true, name)
            case "BYHOUR": hour = try number(value, 0...23, name)
            case "BYMINUTE": minute = try number(value, 0...59, name)
            case "WKST": weekStart = try one(value, name) { RecurrenceRule.weekday($0) }
            case "COUNT": end = .count(try number(value, 1...1_000_000, name))
            case "UNTIL":
                let until = try one(value, name) { End(until: $0) }
                end = until
            default:
                throw RecurrenceRuleError(
                    part: String(name), message: "\(name) is not a known part of a rule")
            }
        }
        if let hour {
            time = LocalTime(hour: hour, minute: minute ?? 0)
        } else if minute != nil {
            throw RecurrenceRuleError(part: "BYMINUTE", message: "BYMINUTE needs BYHOUR")
        }
        try checkCompany(names: parts.map(\.name))
    }

    /// What RFC 5545 forbids of parts that are right by themselves.
    private func checkCompany(names: [Substring]) throws(RecurrenceRuleError) {
        if names.contains("COUNT"), names.contains("UNTIL") {
            throw RecurrenceRuleError(part: "UNTIL", message: "COUNT and UNTIL exclude each other")
        }
        let hasOrdinal = byDay.contains { $0.ordinal != nil }
        if hasOrdinal, frequency == .daily || frequency == .weekly {
            throw RecurrenceRuleError(
                part: "BYDAY", message: "BYDAY takes a number only in MONTHLY and YEARLY rules")
        }
        if !byMonthDay.isEmpty, frequency == .weekly {
            throw RecurrenceRuleError(part: "BYMONTHDAY", message: "BYMONTHDAY does not go with WEEKLY")
        }
        if !bySetPosition.isEmpty, byDay.isEmpty, byMonthDay.isEmpty, byMonth.isEmpty {
            throw RecurrenceRuleError(part: "BYSETPOS", message: "BYSETPOS needs another BY part")
        }
    }
}

extension RecurrenceRule {
    /// `MO` … `SU`.
    fileprivate static func weekday(_ name: Substring) -> Int? {
        dayNames.firstIndex { $0 == name }
    }
}

/// Split, the empty pieces too; cheaper on UTF-8 than on characters.
private func pieces(of text: Substring, separator: UInt8) -> [Substring] {
    var pieces: [Substring] = []
    var start = text.startIndex
    while let end = text.utf8[start...].firstIndex(of: separator) {
        pieces.append(text[start..<end])
        start = text.utf8.index(after: end)
    }
    pieces.append(text[start...])
    return pieces
}

extension RecurrenceRule.Day {
    /// `MO`, `2TU`, `-1FR`; ordinals 1 to 53.
    fileprivate init?(_ text: Substring) {
        guard let weekday = RecurrenceRule.weekday(text.suffix(2)) else { return nil }
        let prefix = text.dropLast(2)
        if prefix.isEmpty {
            self.init(weekday: weekday)
        } else {
            guard let ordinal = wholeNumber(prefix), (1...53).contains(abs(ordinal)) else { return nil }
            self.init(ordinal: ordinal, weekday: weekday)
        }
    }
}

extension RecurrenceRule.End {
    /// `20261231`, `20261231T180000` or `20261231T180000Z`.
    fileprivate init?(until text: Substring) {
        let bytes = Array(text.utf8)
        func digits(_ range: Range<Int>) -> Substring? {
            guard range.upperBound <= bytes.count,
                bytes[range].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { return nil }
            return Substring(decoding: bytes[range], as: UTF8.self)
        }
        func number(_ range: Range<Int>) -> Int? { digits(range).flatMap { Int($0) } }
        guard let year = number(0..<4), let month = number(4..<6), let day = number(6..<8),
            let date = LocalDate(year: year, month: month, day: day)
        else { return nil }
        if bytes.count == 8 {
            self = .date(date)
            return
        }
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), let hour = number(9..<11),
            let minute = number(11..<13), let second = number(13..<15),
            let time = LocalTime(hour: hour, minute: minute, second: min(second, 59))
        else { return nil }
        switch bytes.count {
        case 15: self = .local(LocalDateTime(date, time))
        case 16 where bytes[15] == UInt8(ascii: "Z"):
            let seconds = Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay)
            self = .instant(Instant(seconds: seconds))
        default: return nil
        }
    }
}

private func wholeNumber(_ text: some StringProtocol) -> Int? {
    // Int("+5") is 5, as RFC 5545 has it; more than nine digits are no value of any part.
    text.utf8.count <= 9 ? Int(text) : nil
}

private func invalid(_ name: Substring, _ value: Substring) -> RecurrenceRuleError {
    RecurrenceRuleError(part: String(name), message: "\(name) cannot be \(value.prefix(40))")
}

private func one<Value>(
    _ value: Substring, _ name: Substring, _ read: (Substring) -> Value?
) throws(RecurrenceRuleError) -> Value {
    guard let result = read(value) else { throw invalid(name, value) }
    return result
}

private func number(
    _ value: Substring, _ range: ClosedRange<Int>, _ name: Substring
) throws(RecurrenceRuleError) -> Int {
    guard let result = wholeNumber(value), range.contains(result) else { throw invalid(name, value) }
    return result
}

/// A list without repetitions, at most 60 long: more values than any part has sensible ones.
private func list<Value: Hashable>(
    _ value: Substring, _ name: Substring, _ read: (Substring) -> Value?
) throws(RecurrenceRuleError) -> [Value] {
    var values: [Value] = []
    for piece in pieces(of: value, separator: UInt8(ascii: ",")) {
        guard let next = read(piece), values.count < 60 else { throw invalid(name, value) }
        if !values.contains(next) { values.append(next) }
    }
    return values
}

private func numbers(
    _ value: Substring, _ range: ClosedRange<Int>, negative: Bool, _ name: Substring
) throws(RecurrenceRuleError) -> [Int] {
    try list(value, name) { piece in
        guard let number = wholeNumber(piece), range.contains(negative ? abs(number) : number) else {
            return nil
        }
        return number
    }
}
