import Domain
import Testing
import Time

/// An open reminder; `rule` without a time takes it from `anchor`.
func thought(
    _ id: Int64 = 1, _ priority: TaskItem.Priority = .unset, rule: String? = nil, anchor: String? = nil,
    start: String = "2026-09-01", target: Instant? = nil, title: String? = nil
) -> TaskItem {
    var reminder = task(id, priority, target: target)
    reminder.isReminder = true
    reminder.rrule = rule
    reminder.anchorTime = anchor.map { time($0) }
    reminder.ruleStart = rule == nil ? nil : date(start)
    if let title { reminder.title = title }
    return reminder
}

@Suite("M-2, M-8, M-10, M-11, M-18 The periods of a day")
struct PeriodTests {
    @Test(
        "Golden 68, M-2: a reminder's period has the latest start up to its time",
        arguments: [
            ("08:59", "Early morning"), ("09:00", "Morning"), ("06:00", nil), ("06:59", nil),
            ("23:59", "Evening"), ("20:29", "Afternoon"), ("00:00", nil),
        ] as [(String, String?)])
    func belonging(_ anchor: String, _ label: String?) {
        let item = thought(rule: "FREQ=DAILY", anchor: anchor)
        #expect(period(of: item, periods: periods.reversed(), zone: zone())?.label == label)
    }

    @Test func `M-2: without an anchor the target's local time counts, and without both it is Anytime`() {
        #expect(period(of: thought(target: at("12:30")), periods: periods, zone: zone()) == midday)
        #expect(timeOfDay(of: thought(), zone: zone()) == nil)
        #expect(period(of: thought(), periods: periods, zone: zone()) == nil)
        #expect(period(of: thought(target: at("12:30")), periods: [], zone: zone()) == nil)
    }

    @Test func `M-2, X-4, X-5: clocks that go forward and back move no reminder to another period`() {
        let item = thought(rule: "FREQ=DAILY", anchor: "01:30", target: at("2026-11-01 06:30Z"))
        let night = Period(id: Period.ID(rawValue: 9), label: "Night", start: time("01:30"))
        #expect(period(of: item, periods: [night], zone: zone()) == night)
        // 02:30 does not exist on 2026-03-08; the target is 03:30, the anchor is still what places the reminder.
        let gap = thought(rule: "FREQ=DAILY", anchor: "02:30", target: at("2026-03-08 02:30"))
        let three = Period(id: Period.ID(rawValue: 10), label: "Three", start: time("03:00"))
        #expect(period(of: gap, periods: [night, three], zone: zone()) == night)
    }

    @Test(
        "M-11: the current period started last; before the first start it is the first",
        arguments: [
            ("06:10", "Early morning"), ("12:00", "Midday"), ("11:59:59", "Morning"),
            ("00:30", "Early morning"),
            ("23:59", "Evening"),
        ])
    func current(_ now: String, _ label: String) {
        #expect(currentPeriod(of: periods.shuffled(), now: at(now), zone: zone())?.label == label)
    }

    @Test func `M-11: a period has started from its start on, by the local clock`() {
        #expect(!midday.isStarted(at: at("11:59:59"), zone: zone()))
        #expect(midday.isStarted(at: at("12:00"), zone: zone()))
        // The hour that comes twice: 01:30 CST is later than a start at 01:15, and so is 01:30 CDT before it.
        let night = Period(id: Period.ID(rawValue: 9), label: "Night", start: time("01:15"))
        #expect(!night.isStarted(at: at("2026-11-01 06:14Z"), zone: zone()))
        #expect(night.isStarted(at: at("2026-11-01 06:15Z"), zone: zone()))
        #expect(currentPeriod(of: [], now: at("12:00"), zone: zone()) == nil)
    }

    @Test func `M-8: the default period is the chosen one while it exists, else the day's first`() {
        var mine = prefs()
        #expect(defaultPeriod(of: periods.reversed(), prefs: mine) == earlyMorning)
        mine.defaultPeriod = evening.id
        #expect(defaultPeriod(of: periods, prefs: mine) == evening)
        #expect(defaultPeriod(of: [midday, afternoon], prefs: mine) == midday)
        #expect(defaultPeriod(of: [], prefs: mine) == nil)
    }

    @Test(
        "M-8, M-17: the nearest start within the day, of two the earlier",
        arguments: [
            ("08:00", "Early morning"), ("08:01", "Morning"), ("10:30", "Morning"), ("10:31", "Midday"),
            ("00:00", "Early morning"), ("23:59", "Evening"),
        ])
    func nearest(_ wanted: String, _ label: String) {
        #expect(nearestPeriod(to: time(wanted), among: periods.shuffled())?.label == label)
        #expect(nearestPeriod(to: time(wanted), among: []) == nil)
    }

    @Test func `M-10: a name has 1 to 100 characters behind its spaces`() throws {
        #expect(try validPeriodLabel("  Lunch \n").get() == "Lunch")
        #expect(try validPeriodLabel(String(repeating: "ä", count: 100)).get().count == 100)
        for text in ["", " \t ", String(repeating: "x", count: 101), "a\u{0}b"] {
            #expect(throws: Refusal.self) { try validPeriodLabel(text).get() }
        }
    }

    @Test func `M-10: two periods never start together, and the last one stays`() {
        #expect(throws: Refusal.self) {
            try checkPeriodStart(time("09:00"), of: nil, periods: periods).get()
        }
        #expect(throws: Refusal.self) {
            try checkPeriodStart(time("09:00"), of: midday.id, periods: periods).get()
        }
        #expect(throws: Never.self) {
            try checkPeriodStart(time("09:00"), of: morningPeriod.id, periods: periods).get()
        }
        #expect(throws: Never.self) { try checkPeriodStart(time("09:01"), of: nil, periods: periods).get() }
        #expect(throws: Refusal.self) { try checkRemoval(of: midday, periods: [midday]).get() }
        #expect(throws: Never.self) { try checkRemoval(of: midday, periods: periods).get() }
        #expect(Period.limits == 1...24)
    }

    @Test func `M-18: the header is the time and what is left`() {
        let half = Period(id: Period.ID(rawValue: 9), label: "x", start: time("08:30"))
        #expect(periodHeader(half, left: 12) == "8:30 am · 12 left")
        #expect(periodHeader(half, left: 0) == "8:30 am")
        #expect(periodHeader(evening, left: 1) == "8:30 pm · 1 left")
    }
}
