import FoundationEssentials
import Recurrence
import Testing
import Time

@Suite("R-4, R-9 The dates of a rule")
struct DatesTests {
    struct Case {
        var rule: String
        var start: String
        var lastDay = true
        var from: String?
        var expected: String
    }

    @Test(arguments: [
        // R-4 and its example.
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", start: "2026-09-02",
            expected: "2026-09-02 2026-09-16 2026-09-30"),
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", start: "2026-09-09", from: "2026-09-10",
            expected: "2026-09-23 2026-10-07"),
        Case(rule: "FREQ=WEEKLY", start: "2026-10-14", expected: "2026-10-14 2026-10-21"),
        Case(rule: "FREQ=MONTHLY", start: "2026-10-14", expected: "2026-10-14 2026-11-14"),
        Case(rule: "FREQ=YEARLY", start: "2026-10-14", expected: "2026-10-14 2027-10-14"),
        Case(
            rule: "FREQ=DAILY;INTERVAL=3", start: "2026-10-14", expected: "2026-10-14 2026-10-17 2026-10-20"),
        //
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=31", start: "2026-01-31",
            expected: "2026-01-31 2026-02-28 2026-03-31 2026-04-30"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=30", start: "2026-01-30",
            expected: "2026-01-30 2026-02-28 2026-03-30 2026-04-30"),
        Case(
            rule: "FREQ=MONTHLY", start: "2026-01-31", expected: "2026-01-31 2026-02-28 2026-03-31"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=31", start: "2026-01-31", lastDay: false,
            expected:
                "2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31 2027-01-31"),
        Case(
            rule: "FREQ=MONTHLY;BYDAY=-1FR", start: "2026-01-30",
            expected: "2026-01-30 2026-02-27 2026-03-27"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-1", start: "2026-01-31",
            expected: "2026-01-31 2026-02-28 2026-03-31"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=-3", start: "2026-01-01",
            expected: "2026-01-29 2026-02-26 2026-03-29"),
        Case(
            rule: "FREQ=YEARLY", start: "2024-02-29",
            expected: "2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29"),
        Case(rule: "FREQ=YEARLY", start: "2024-02-29", lastDay: false, expected: "2024-02-29 2028-02-29"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=29,30,31;BYSETPOS=1", start: "2026-01-01",
            expected: "2026-01-29 2026-02-28 2026-03-29"),
        // RFC 5545: a day of the month expands the whole year.
        Case(
            rule: "FREQ=YEARLY;BYMONTHDAY=15", start: "2026-01-20",
            expected: "2026-02-15 2026-03-15 2026-04-15"),
        // Weeks begin on WKST, else on Monday.
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU", start: "2026-10-13",
            expected: "2026-10-13 2026-10-18 2026-10-27 2026-11-01"),
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", start: "2026-10-13",
            expected: "2026-10-13 2026-10-25 2026-10-27 2026-11-08"),
        // ends.
        Case(
            rule: "FREQ=DAILY;COUNT=3", start: "2026-10-14", expected: "2026-10-14 2026-10-15 2026-10-16 end"),
        Case(rule: "FREQ=DAILY;COUNT=3", start: "2026-10-14", from: "2026-10-16", expected: "2026-10-16 end"),
        Case(rule: "FREQ=DAILY;COUNT=3", start: "2026-10-14", from: "2026-10-17", expected: "end"),
        // Nothing before the start.
        Case(
            rule: "FREQ=WEEKLY;BYDAY=MO", start: "2026-10-14", from: "2020-01-01",
            expected: "2026-10-19 2026-10-26"),
        // No such day, ever.
        Case(
            rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", start: "2026-01-01", lastDay: false, expected: "end"),
    ])
    func `the rule's examples`(_ row: Case) throws {
        var expected = row.expected.split(separator: " ").map(String.init)
        var limit = expected.count
        if expected.last == "end" {
            expected.removeLast()
            limit += 5
        }
        let start = try #require(LocalDate(row.start))
        let dates = try RecurrenceRule(row.rule).dates(
            start: start, lastDay: row.lastDay, from: row.from.map { try #require(LocalDate($0)) } ?? start,
            limit: limit)
        #expect(dates.map(\.description) == expected)
    }

    @Test func `UNTIL is the caller's, who knows the zone`() throws {
        let start = try #require(LocalDate("2026-10-14"))
        let dates = try RecurrenceRule("FREQ=DAILY").dates(
            start: start, lastDay: true, from: start, limit: 10, through: start.adding(days: 2))
        #expect(dates.map(\.daysSince1970) == [0, 1, 2].map { start.daysSince1970 + $0 })
    }

    @Test func `dateutil and the definition give the same dates`() throws {
        let vectors = "judges/recurrence/vectors.txt"
        let path = #filePath.replacing("RecurrenceTests/DatesTests.swift", with: vectors)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
        #expect(lines.count >= 600)
        for line in lines {
            let part = line.split(separator: " | ", omittingEmptySubsequences: false).map(String.init)
            let rule = try RecurrenceRule(part[0])
            var through: LocalDate?
            if case .date(let until) = rule.end { through = until }
            let dates = rule.dates(
                start: try #require(LocalDate(part[1])), lastDay: part[2] == "last_day",
                from: try #require(LocalDate(part[3])), limit: 8, through: through)
            #expect(dates.map(\.description).joined(separator: " ") == part[4], "\(line)")
        }
    }

    @Test(arguments: [
        "FREQ=DAILY", "FREQ=DAILY;INTERVAL=7", "FREQ=WEEKLY;BYDAY=TU", "FREQ=MONTHLY;INTERVAL=5",
        "FREQ=YEARLY",
        "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY;INTERVAL=3;BYDAY=-1MO;BYMONTH=3",
    ])
    func `an old start gives the same dates as walking there`(_ text: String) throws {
        let rule = try RecurrenceRule(text)
        let start = try #require(LocalDate("1990-01-30"))
        let from = try #require(LocalDate("2026-10-14"))
        let walked = rule.dates(
            start: start, lastDay: true, from: start, limit: 14_000, through: from.adding(months: 12 * 70)
        ).filter { $0 >= from }
        let jumped = rule.dates(start: start, lastDay: true, from: from, limit: 20)
        #expect(jumped == Array(walked.prefix(20)))
    }

    @Test(arguments: [
        // By Python's calendar.
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2016-03-01", "2044-02-29"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA", "2072-03-01", "2076-02-29"),
        ("FREQ=DAILY;BYMONTHDAY=-1", "2026-02-01", "2026-02-28"),
        ("FREQ=WEEKLY;INTERVAL=3;BYDAY=SU", "2025-10-20", "2025-10-26"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=1", "2026-10-17", "2026-10-19"),
    ])
    func `dates that an engine may miss`(
        _ rule: String, _ start: String, _ expected: String
    ) throws {
        let start = try #require(LocalDate(start))
        let dates = try RecurrenceRule(rule).dates(start: start, lastDay: false, from: start, limit: 1)
        #expect(dates.map(\.description) == [expected])
    }
}
