/// A time of day on a wall clock, to the second; `HH:MM` on the wire.
public struct LocalTime: Hashable, Comparable, Sendable {
    /// Seconds since local midnight as the clock shows them, 0 to 86,399.
    public let secondOfDay: Int

    /// - Parameter secondOfDay: 0 to 86,399; nil outside.
    public init?(secondOfDay: Int) {
        guard (0..<86_400).contains(secondOfDay) else { return nil }
        self.secondOfDay = secondOfDay
    }

    /// - Parameters: hour 0 to 23, minute 0 to 59, second 0 to 59; nil outside.
    public init?(hour: Int, minute: Int, second: Int = 0) {
        guard (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else {
            return nil
        }
        secondOfDay = hour * 3600 + minute * 60 + second
    }

    /// exactly `([01]\d|2[0-3]):[0-5]\d`; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        func digit(_ at: Int) -> Int? { (48...57).contains(bytes[at]) ? Int(bytes[at] - 48) : nil }
        guard let a = digit(0), let b = digit(1), let c = digit(3), let d = digit(4) else { return nil }
        self.init(hour: a * 10 + b, minute: c * 10 + d)
    }

    public static let midnight = LocalTime(unchecked: 0)

    private init(unchecked: Int) { secondOfDay = unchecked }

    public var hour: Int { secondOfDay / 3600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }
    /// Minutes since local midnight, 0 to 1,439; seconds dropped.
    public var minuteOfDay: Int { secondOfDay / 60 }

    public static func < (a: LocalTime, b: LocalTime) -> Bool { a.secondOfDay < b.secondOfDay }
}

extension LocalTime: CustomStringConvertible {
    /// `HH:MM`.
    public var description: String { String(decoding: digits, as: UTF8.self) }

    var digits: [UInt8] {
        var text: [UInt8] = []
        text.append(number: hour, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(number: minute, width: 2)
        return text
    }
}
