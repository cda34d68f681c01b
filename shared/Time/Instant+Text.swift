extension Instant {
    /// `YYYY-MM-DDTHH:MM:SS.000Z`: one instant is always the same bytes (api 1.5, clients A.1).
    public var iso8601: String {
        let utc = LocalDateTime(secondsSince1970: seconds)
        // By hand: an answer is full of these, and interpolation took most of the time of writing it.
        var text = utc.date.digits
        text.append(UInt8(ascii: "T"))
        text += utc.time.digits
        text.append(UInt8(ascii: ":"))
        text.append(number: utc.time.second, width: 2)
        text += Self.endOfText
        return String(decoding: text, as: UTF8.self)
    }

    private static let endOfText = Array(".000Z".utf8)

    /// ISO 8601 date and time: `T` (or a blank) between, seconds and fraction optional, `Z` or an offset
    /// `±HH[:]MM`. A fraction is cut.
    ///
    /// - Parameter zone: where a text without an offset is local (api D23); a date alone is its midnight there.
    /// - Returns: nil if it does not parse, or if the date or time does not exist.
    public init?(iso8601 text: String, zone: Zone?) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 10, let date = LocalDate(String(decoding: bytes[0..<10], as: UTF8.self)) else {
            return nil
        }
        if bytes.count == 10 {
            guard let zone else { return nil }
            self = zone.instant(date, .midnight)
            return
        }
        guard
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " ")
        else { return nil }
        var scanner = DigitScanner(bytes: bytes, at: 11)
        guard let hour = scanner.two(), scanner.take(":"), let minute = scanner.two() else { return nil }
        var second = 0
        if scanner.take(":") {
            guard let value = scanner.two() else { return nil }
            second = value == 60 ? 59 : value
            if scanner.take(".") || scanner.take(",") {
                guard scanner.skipDigits() > 0 else { return nil }
            }
        }
        guard let time = LocalTime(hour: hour, minute: minute, second: second) else { return nil }
        let local = LocalDateTime(date, time)
        if scanner.atEnd {
            guard let zone else { return nil }
            self = zone.instant(local)
            return
        }
        guard let offset = scanner.offset(), scanner.atEnd else { return nil }
        self = Instant(seconds: local.secondsSince1970 - Int64(offset))
    }
}

/// Reads the fixed-width digits of a date.
private struct DigitScanner {
    let bytes: [UInt8]
    var at: Int

    var atEnd: Bool { at == bytes.count }

    mutating func take(_ character: Character) -> Bool {
        guard at < bytes.count, bytes[at] == character.asciiValue else { return false }
        at += 1
        return true
    }

    mutating func two() -> Int? {
        guard at + 2 <= bytes.count, (48...57).contains(bytes[at]), (48...57).contains(bytes[at + 1]) else {
            return nil
        }
        defer { at += 2 }
        return Int(bytes[at] - 48) * 10 + Int(bytes[at + 1] - 48)
    }

    mutating func skipDigits() -> Int {
        let start = at
        while at < bytes.count, (48...57).contains(bytes[at]) { at += 1 }
        return at - start
    }

    /// `Z` or `±HH[:]MM` in seconds east.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign = take("+") ? 1 : take("-") ? -1 : 0
        guard sign != 0, let hours = two(), hours < 24 else { return nil }
        _ = take(":")
        guard let minutes = two(), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
