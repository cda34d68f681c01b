import Domain
import Testing
import Time

@Suite("X-6 to X-20 Times")
struct TimesTests {
    @Test(arguments: [
        // Golden cases 1 to 8, and the examples of.
        ("America/Chicago", "14:20", 1, "20:00Z"), ("America/Chicago", "14:34:59", 1, "20:00Z"),
        ("America/Chicago", "14:35:00", 1, "21:00Z"), ("America/Chicago", "14:37", 1, "21:00Z"),
        ("America/Chicago", "14:00", 2, "21:00Z"), ("Asia/Kolkata", "14:20", 1, "09:30Z"),
        ("Asia/Kathmandu", "2026-10-15 00:55", 1, "2026-10-14 20:15Z"),
        ("America/Chicago", "2026-03-08 01:20", 1, "2026-03-08 08:00Z"),
        ("America/Chicago", "2026-11-01 06:20Z", 1, "2026-11-01 07:00Z"),
        ("America/Chicago", "2026-11-01 05:40Z", 1, "2026-11-01 07:00Z"),
        ("America/New_York", "2026-03-08 06:50Z", 1, "2026-03-08 08:00Z"),
        ("America/New_York", "2026-11-01 05:50Z", 1, "2026-11-01 07:00Z"),
    ])
    func `X-13 an hour from now is rounded to a local hour`(
        _ name: String, _ now: String, _ hours: Int, _ expected: String
    ) {
        #expect(inHours(at(now, name), hours, zone: zone(name)) == at(expected))
    }

    @Test(arguments: [
        ("America/Chicago", "15:20", "15:00"), ("America/Chicago", "15:34:59", "15:00"),
        ("America/Chicago", "15:35", "16:00"), ("America/Chicago", "23:35", "2026-10-15 00:00"),
        ("Asia/Kolkata", "15:20", "15:00"), ("America/Chicago", "15:00", "15:00"),
        // Lord Howe: 02:00 does not exist on that day, the hour begins at 02:30; and 01:30 comes twice.
        ("Australia/Lord_Howe", "2026-10-04 02:33", "2026-10-04 02:30"),
        ("Australia/Lord_Howe", "2026-04-04 15:03Z", "2026-04-04 14:00Z"),
    ])
    func `X-12 below minute 35 down, else up`(_ name: String, _ t: String, _ expected: String) {
        #expect(roundHour(at(t, name), zone: zone(name)) == at(expected, name))
    }

    @Test(arguments: [
        // Golden cases 13 and 14, and X-14.
        ("12:00:00", "16:00"), ("10:00", "12:00"), ("21:00", "10-15 07:00"), ("06:59:59", "07:00"),
        ("20:30", "10-15 07:00"), ("10-31 21:00", "11-01 07:00"),
    ])
    func `X-14 the next period is strictly after`(_ now: String, _ expected: String) {
        #expect(nextPeriod(after: at(now), periods: periods, prefs: prefs()) == at(expected))
    }

    @Test func `X-14 without periods it is the next morning`() {
        #expect(nextPeriod(after: at("10:00"), periods: [], prefs: prefs()) == at("10-15 09:00"))
    }

    @Test(arguments: [("20:30:00", "10-15 20:30"), ("20:29:59", "20:30"), ("00:10", "20:30")])
    func `Golden 15, X-15 a period's next start is strictly after`(_ now: String, _ expected: String) {
        #expect(nextStart(of: evening, after: at(now), zone: zone()) == at(expected))
    }

    @Test func `X-4 X-5 a period in a gap opens after it, and one in a fold once`() {
        let half = Period(id: Period.ID(rawValue: 9), label: "Night", start: time("02:30"))
        #expect(nextStart(of: half, after: at("2026-03-08 00:00"), zone: zone()) == at("2026-03-08 08:30Z"))
        let fold = Period(id: Period.ID(rawValue: 9), label: "Night", start: time("01:30"))
        #expect(nextStart(of: fold, after: at("2026-11-01 00:00"), zone: zone()) == at("2026-11-01 06:30Z"))
        #expect(nextStart(of: fold, after: at("2026-11-01 06:30Z"), zone: zone()) == at("2026-11-02 07:30Z"))
        // Santiago: midnight of that Sunday does not exist; its 00:10 is 01:10.
        let midnight = Period(id: Period.ID(rawValue: 9), label: "Night", start: time("00:10"))
        let santiago = zone("America/Santiago")
        let saturday = at("2026-09-05 12:00", "America/Santiago")
        #expect(nextStart(of: midnight, after: saturday, zone: santiago) == at("2026-09-06 04:10Z"))
    }

    @Test(arguments: [
        // Golden cases 16 and 17, and X-16.
        ("2026-03-07 20:00", "2026-03-08 14:00Z"), ("10-17 00:30", "10-18 09:00"),
        ("2026-10-31 20:00", "2026-11-01 15:00Z"), ("23:59:59", "10-15 09:00"),
    ])
    func `X-16 tomorrow is the next date's morning`(_ now: String, _ expected: String) {
        #expect(tomorrow(at(now), prefs: prefs()) == at(expected))
    }

    @Test(arguments: [
        ("08:59:59", "09:00"), ("09:00", "10-15 09:00"), ("2026-03-07 09:00", "2026-03-08 14:00Z"),
    ])
    func `X-11 the next morning is strictly after`(_ now: String, _ expected: String) {
        #expect(nextMorning(after: at(now), prefs: prefs()) == at(expected))
    }

    @Test(arguments: [
        // Golden cases 18 and 19.
        ("07:00", "22:00", "06:59", false), ("07:00", "22:00", "07:00", true),
        ("07:00", "22:00", "21:59", true),
        ("07:00", "22:00", "22:00", false), ("07:00", "02:00", "23:00", true),
        ("07:00", "02:00", "01:59", true),
        ("07:00", "02:00", "02:00", false), ("07:00", "02:00", "06:59", false),
        ("07:00", "02:00", "07:00", true),
        ("07:00", "07:00", "03:00", true), ("07:00", "07:00", "07:00", true),
    ])
    func `X-9 awake`(_ wake: String, _ sleep: String, _ now: String, _ expected: Bool) {
        #expect(isAwake(time(now), wake: time(wake), sleep: time(sleep)) == expected)
        var prefs = prefs()
        prefs.wakeTime = time(wake)
        prefs.sleepTime = time(sleep)
        #expect(isAwake(at: at(now), prefs: prefs) == expected)
    }

    @Test(arguments: [("07:00", "22:00", 900), ("07:00", "02:00", 1140), ("07:00", "07:00", 1440)])
    func `X-10 the waking window`(_ wake: String, _ sleep: String, _ minutes: Int) {
        var prefs = prefs()
        prefs.wakeTime = time(wake)
        prefs.sleepTime = time(sleep)
        #expect(wakingWindow(prefs) == minutes)
    }

    @Test func `X-8 weeks begin on Sunday or Monday`() {
        var prefs = prefs()
        #expect(weekStart(of: date("2026-10-14"), prefs: prefs) == date("2026-10-11"))
        #expect(weekStart(of: date("2026-10-11"), prefs: prefs) == date("2026-10-11"))
        prefs.weekStart = .monday
        #expect(weekStart(of: date("2026-10-14"), prefs: prefs) == date("2026-10-12"))
        #expect(weekStart(of: date("2026-10-18"), prefs: prefs) == date("2026-10-12"))
    }

    @Test(arguments: [
        // Golden case 20.
        ("15:00", "3:00 PM"), ("10-15 09:00", "tomorrow 9:00 AM"), ("10-17 09:00", "Sat 9:00 AM"),
        ("10-20 09:00", "Tue 9:00 AM"), ("10-21 09:00", "Oct 21 9:00 AM"), ("10-13 09:00", "Oct 13 9:00 AM"),
        ("09:00", "9:00 AM"), ("10-15 00:05", "tomorrow 12:05 AM"), ("2027-01-15 12:00", "Jan 15 12:00 PM"),
    ])
    func `X-20 until`(_ t: String, _ expected: String) {
        #expect(untilText(at(t), now: at("14:20"), zone: zone()) == expected)
    }

    @Test func `X-7 days are local dates, not multiples of a day`() {
        // Ten past midnight is tomorrow for somebody who looks at five to.
        #expect(untilText(at("10-15 00:10"), now: at("23:55"), zone: zone()) == "tomorrow 12:10 AM")
        // 23 hours later, across the clock change.
        #expect(
            untilText(at("2026-03-09 00:30"), now: at("2026-03-08 00:10"), zone: zone())
                == "tomorrow 12:30 AM")
    }

    @Test(arguments: [
        ("10-14 17:00", "5:00 PM", false), ("10-15 09:00", "Tomorrow 9:00 AM", false),
        ("10-17 09:00", "Sat 9:00 AM", false), ("10-20 09:00", "Tue 9:00 AM", false),
        ("10-28 09:00", "Oct 28 9:00 AM", false), ("10-21 09:00", "Oct 21 9:00 AM", false),
        ("10-14 09:00", "9:00 AM", false), ("10-13 09:00", "Yesterday 9:00 AM", true),
        ("10-10 09:00", "Sat 9:00 AM", true), ("10-08 09:00", "Thu 9:00 AM", true),
        ("10-07 09:00", "Oct 7 9:00 AM", true),
    ])
    func `T-13 the label of a target`(_ target: String, _ text: String, _ stacked: Bool) {
        let label = targetLabel(at(target), now: at("14:20"), zone: zone())
        #expect(label.text == text)
        #expect(label.isStacked == stacked)
    }

    @Test(arguments: [
        // Golden case 26.
        ("10-11 23:50", "10-14 00:10", "3d"), ("10-13 23:59", "10-14 00:00", "1d"),
        ("10-14 00:00", "10-14 23:59", nil), ("10-15 09:00", "10-14 12:00", nil),
    ])
    func `T-14 the age of a target counts local dates`(_ target: String, _ now: String, _ expected: String?) {
        #expect(targetAge(at(target), now: at(now), zone: zone()) == expected)
    }

    @Test func `N-4 a cut counts code points`() {
        #expect(cut(String(repeating: "a", count: 200)) == String(repeating: "a", count: 200))
        #expect(cut(String(repeating: "a", count: 201)) == String(repeating: "a", count: 199) + "…")
        // A family of seven code points counts as seven.
        #expect(cut(String(repeating: "👨‍👩‍👧‍👦", count: 30)).unicodeScalars.count == 200)
    }
}
