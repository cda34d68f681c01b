import Testing
import Time

@Suite("X-1, api 1.5 Instants as text")
struct InstantTextTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
        (1_791_921_600, "2026-10-13T20:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
    ])
    func `an instant is always the same text`(_ seconds: Int64, _ text: String) {
        #expect(Instant(seconds: seconds).iso8601 == text)
        #expect(Instant(iso8601: text, zone: nil) == Instant(seconds: seconds))
    }

    @Test(arguments: [
        ("2026-10-14T19:20:00Z", "2026-10-14T19:20:00.000Z"),
        ("2026-10-14T19:20Z", "2026-10-14T19:20:00.000Z"),
        ("2026-10-14 19:20:00z", "2026-10-14T19:20:00.000Z"),
        ("2026-10-14T14:20:00-05:00", "2026-10-14T19:20:00.000Z"),
        ("2026-10-15T01:05:00+0545", "2026-10-14T19:20:00.000Z"),
        ("2026-10-14T19:20:00.999999Z", "2026-10-14T19:20:00.000Z"),
        ("2026-10-14T19:20:00,5Z", "2026-10-14T19:20:00.000Z"),
        ("2026-12-31T23:59:60Z", "2026-12-31T23:59:59.000Z"),
    ])
    func `offsets, fractions and blanks are read`(_ text: String, _ expected: String) {
        #expect(Instant(iso8601: text, zone: nil)?.iso8601 == expected)
    }

    @Test func `without an offset a text is local, and a date is its midnight`() throws {
        let chicago = try zone("America/Chicago")
        #expect(Instant(iso8601: "2026-10-14T14:20", zone: chicago)?.iso8601 == "2026-10-14T19:20:00.000Z")
        #expect(Instant(iso8601: "2026-10-14", zone: chicago)?.iso8601 == "2026-10-14T05:00:00.000Z")
        #expect(Instant(iso8601: "2026-10-14T14:20", zone: nil) == nil)
        #expect(Instant(iso8601: "2026-10-14", zone: nil) == nil)
    }

    @Test(arguments: [
        "", "now", "2026-10-14T", "2026-10-14T25:00Z", "2026-10-14T14:60Z", "2026-02-30T00:00Z",
        "2026-10-14T14:20:00", "2026-10-14T14:20:00.Z", "2026-10-14T14:20:00ZZ", "2026-10-14T14:20:00+24:00",
        "2026-10-14T14:20:00+5", "1791921600", "2026-10-14T1:20:00Z", "20261014T142000Z",
    ])
    func `anything else is no instant`(_ text: String) {
        #expect(Instant(iso8601: text, zone: nil) == nil)
    }
}
