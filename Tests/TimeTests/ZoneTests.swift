import Testing
import Time

/// A zone by a name that the machine must know.
func zone(_ name: String) throws -> Zone {
    try #require(Zone(name), "the zone database lacks \(name)")
}

/// `2026-03-08 02:30`, read as a wall clock's time.
func wall(_ text: String) throws -> LocalDateTime {
    let parts = text.split(separator: " ")
    return LocalDateTime(try #require(LocalDate(parts[0])), try #require(LocalTime(parts[1])))
}

@Suite("X-1, X-4, X-5, X-7 Zones")
struct ZoneTests {
    struct Case {
        var zone: String
        var local: String
        /// UTC, from Python's zoneinfo over the same database (`fold=0`).
        var utc: String

        init(_ zone: String, _ local: String, _ utc: String) {
            self.zone = zone
            self.local = local
            self.utc = utc
        }
    }

    @Test(arguments: [
        // Golden cases 9 to 12.
        Case("America/Chicago", "2026-03-08 02:30", "2026-03-08T08:30:00Z"),
        Case("America/Chicago", "2026-11-01 01:30", "2026-11-01T06:30:00Z"),
        Case("Europe/Berlin", "2026-03-29 02:30", "2026-03-29T01:30:00Z"),
        Case("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-03T15:45:00Z"),
        // New York: the last moments before, inside and after both changes.
        Case("America/New_York", "2026-03-08 01:59", "2026-03-08T06:59:00Z"),
        Case("America/New_York", "2026-03-08 02:00", "2026-03-08T07:00:00Z"),
        Case("America/New_York", "2026-03-08 02:59", "2026-03-08T07:59:00Z"),
        Case("America/New_York", "2026-03-08 03:00", "2026-03-08T07:00:00Z"),
        Case("America/New_York", "2026-11-01 00:59", "2026-11-01T04:59:00Z"),
        Case("America/New_York", "2026-11-01 01:00", "2026-11-01T05:00:00Z"),
        Case("America/New_York", "2026-11-01 01:59", "2026-11-01T05:59:00Z"),
        Case("America/New_York", "2026-11-01 02:00", "2026-11-01T07:00:00Z"),
        // Lord Howe goes back by half an hour at 02:00.
        Case("Australia/Lord_Howe", "2026-04-05 01:30", "2026-04-04T14:30:00Z"),
        Case("Australia/Lord_Howe", "2026-04-05 01:59", "2026-04-04T14:59:00Z"),
        Case("Australia/Lord_Howe", "2026-04-05 02:00", "2026-04-04T15:30:00Z"),
        // Santiago and Gaza change at midnight or beside it: a day begins at 01:00, or has two midnights.
        Case("America/Santiago", "2026-09-06 00:00", "2026-09-06T04:00:00Z"),
        Case("America/Santiago", "2026-04-04 23:30", "2026-04-05T02:30:00Z"),
        Case("America/Santiago", "2026-04-05 00:00", "2026-04-05T04:00:00Z"),
        Case("Asia/Kathmandu", "2026-06-01 00:55", "2026-05-31T19:10:00Z"),
        // A day that did not exist: it is moved forward by its own length.
        Case("Pacific/Apia", "2011-12-30 12:00", "2011-12-30T22:00:00Z"),
        Case("Pacific/Apia", "2011-12-31 12:00", "2011-12-30T22:00:00Z"),
    ])
    func `a local time is an instant: a gap moves forward, a fold is its first`(_ row: Case) throws {
        let instant = try zone(row.zone).instant(try wall(row.local))
        #expect(instant == Instant(iso8601: row.utc, zone: nil))
    }

    @Test(arguments: [
        "America/New_York", "America/Chicago", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Santiago",
        "Africa/Casablanca", "Asia/Gaza", "Africa/Cairo", "Europe/Dublin", "Pacific/Chatham", "UTC",
    ])
    func `around every change of two years, the definition holds`(_ name: String) throws {
        let zone = try zone(name)
        let start = try #require(Instant(iso8601: "2026-01-01T00:00:00Z", zone: nil))
        for hours in 0..<(2 * 366 * 24) {
            let at = start.adding(minutes: 60 * hours)
            guard zone.offset(at: at) != zone.offset(at: at.adding(minutes: 60)) else { continue }
            for minutes in stride(from: -180, through: 180, by: 5) {
                // A wall clock that was never set, around the change.
                let local = zone.local(at.adding(minutes: minutes))
                check(local, near: at, in: zone)
                let skipped = LocalDateTime(
                    local.date, try #require(LocalTime(secondOfDay: (local.time.secondOfDay + 1800) % 86_400))
                )
                check(skipped, near: at, in: zone)
            }
        }
    }

    /// Walks over every minute of the days around and asks what the clock shows: the first minute that shows `local`,
    /// or, if it is skipped, what it would have shown had the clock not been set.
    private func check(_ local: LocalDateTime, near: Instant, in zone: Zone) {
        var expected: Instant?
        var before: Instant?
        for minutes in -2_000...2_000 {
            let at = near.adding(minutes: minutes)
            let shown = zone.local(at)
            if shown == local {
                expected = at
                break
            }
            if shown < local { before = at }
            if shown > local, minutes > -2_000, before == at.adding(minutes: -1) {
                // Skipped between two minutes: count on from the clock before the change.
                expected = before.map { before in
                    var count = before
                    var clock = zone.local(before)
                    while clock < local {
                        count = count.adding(minutes: 1)
                        clock = next(clock)
                    }
                    return count
                }
                break
            }
        }
        #expect(zone.instant(local) == expected, "\(local.date) \(local.time) in \(zone.name)")
    }

    private func next(_ clock: LocalDateTime) -> LocalDateTime {
        LocalTime(secondOfDay: clock.time.secondOfDay + 60).map { LocalDateTime(clock.date, $0) }
            ?? LocalDateTime(clock.date.adding(days: 1), .midnight)
    }

    @Test(arguments: [
        ("America/New_York", "2026-03-08", 23), ("America/New_York", "2026-11-01", 25),
        ("America/New_York", "2026-10-14", 24), ("America/Santiago", "2026-09-06", 23),
        ("America/Santiago", "2026-04-04", 25), ("Asia/Kathmandu", "2026-03-29", 24),
    ])
    func `a local day lasts 23 to 25 hours`(_ name: String, _ date: String, _ hours: Int64) throws {
        let day = try zone(name).day(try #require(LocalDate(date)))
        #expect(day.upperBound.seconds(since: day.lowerBound) == hours * 3600)
    }

    @Test func `Lord Howe's days are half an hour off`() throws {
        let zone = try zone("Australia/Lord_Howe")
        let short = zone.day(try #require(LocalDate("2026-10-04")))
        let long = zone.day(try #require(LocalDate("2026-04-05")))
        #expect(short.upperBound.seconds(since: short.lowerBound) == 47 * 1800)
        #expect(long.upperBound.seconds(since: long.lowerBound) == 49 * 1800)
    }

    @Test(arguments: [
        "", "Mars/Olympus", "GMT+3", "EST", "America", "../etc/passwd", "America/Chicago ", "UTC\u{0}",
        "America/Chicago\u{0}",
    ])
    func `a name that the database lacks is no zone`(_ name: String) {
        #expect(Zone(name) == nil)
    }

    @Test func `the machine has a zone database`() throws {
        // A static build loses it silently (docs/design.md): then this is 0.
        #expect(try zone("Asia/Kathmandu").offset(at: Instant(seconds: 0)) == 5 * 3600 + 1800)
        #expect(try zone("Asia/Kathmandu").offset(at: Instant(seconds: 1_790_000_000)) == 5 * 3600 + 2700)
    }
}
