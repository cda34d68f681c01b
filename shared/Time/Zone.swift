import FoundationEssentials
import FoundationInternationalization

/// An IANA time zone known to this machine. The only place where instants become local times and back.
public struct Zone: Hashable, Sendable {
    /// The IANA name, `America/Chicago`.
    public let name: String
    private let zone: TimeZone

    /// - Returns: nil for a name that the zone database does not have. There is no default for a zone, ever.
    public init?(_ name: String) {
        // Foundation also takes abbreviations and "GMT+3", and reads a name to its first NUL; a zone here is an IANA name
        // or UTC.
        guard name == "UTC" || name.contains("/"), !name.utf8.contains(0),
            let zone = TimeZone(identifier: name)
        else { return nil }
        // A statically linked program loses ICU's zones unless something names them (docs/design.md).
        _ = Date.FormatStyle.self
        self.name = name
        self.zone = zone
    }

    public static func == (a: Zone, b: Zone) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Seconds east of Greenwich at `instant`.
    public func offset(at instant: Instant) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds)))
    }

    /// What a wall clock in the zone shows at `instant`.
    public func local(_ instant: Instant) -> LocalDateTime {
        LocalDateTime(secondsSince1970: instant.seconds + Int64(offset(at: instant)))
    }

    /// the instant at which a wall clock shows `local`. A skipped time moves forward by the length of
    /// the gap; a time that comes twice means its first occurrence.
    public func instant(_ local: LocalDateTime) -> Instant {
        let wall = local.secondsSince1970
        // The offsets in force well before and well after; zones change by at most a day at a time.
        let before = offset(at: Instant(seconds: wall - 93_600))
        let after = offset(at: Instant(seconds: wall + 93_600))
        // The larger offset gives the earlier instant: try it first, so that a fold means its first occurrence.
        for offset in [max(before, after), min(before, after)] {
            let candidate = Instant(seconds: wall - Int64(offset))
            if self.offset(at: candidate) == offset { return candidate }
        }
        // A gap, read with the offset in force before it, which moves the clock forward by the gap; or two
        // changes within two days, where the offset at the candidate itself decides.
        let candidate = Instant(seconds: wall - Int64(before))
        let own = Instant(seconds: wall - Int64(offset(at: candidate)))
        return offset(at: own) == offset(at: candidate) ? own : candidate
    }

    public func instant(_ date: LocalDate, _ time: LocalTime) -> Instant {
        instant(LocalDateTime(date, time))
    }

    /// The local date of `instant`.
    public func date(_ instant: Instant) -> LocalDate { local(instant).date }

    /// The local day [00:00, next 00:00) of a date; 23 to 25 hours long.
    public func day(_ date: LocalDate) -> Range<Instant> {
        instant(date, .midnight)..<instant(date.adding(days: 1), .midnight)
    }
}

/// What a wall clock shows: a date and a time of day, without a zone.
public struct LocalDateTime: Hashable, Comparable, Sendable {
    public let date: LocalDate
    public let time: LocalTime

    public init(_ date: LocalDate, _ time: LocalTime) {
        self.date = date
        self.time = time
    }

    /// Seconds since 1970-01-01T00:00:00 on the wall clock, were every day 86,400 s long.
    init(secondsSince1970: Int64) {
        var days = secondsSince1970 / 86_400
        var rest = secondsSince1970 % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        date = LocalDate(daysSince1970: Int(days))
        time = LocalTime(secondOfDay: Int(rest)) ?? .midnight  // 0 ≤ rest < 86,400 by construction
    }

    var secondsSince1970: Int64 { Int64(date.daysSince1970) * 86_400 + Int64(time.secondOfDay) }

    public static func < (a: LocalDateTime, b: LocalDateTime) -> Bool {
        (a.date, a.time) < (b.date, b.time)
    }
}
