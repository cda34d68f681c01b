import Domain
import Testing
import Time

@Suite("X-1, X-2, X-17, X-18, M-2 Zones, preferences, periods")
struct ZoneChangeTests {
    let now = at("12:00")

    func moved(_ item: TaskItem, to name: String = "Europe/Berlin") -> TaskItem {
        changingZone(item, from: zone(), now: now, prefs: prefs(name))
    }

    func daily(_ target: String) throws -> TaskItem {
        try created(now: at("2026-10-01 12:00")) {
            $0.rrule = "FREQ=DAILY"
            $0.target = at(target)
        }
    }

    @Test func `X-17 a scheduled occurrence ahead keeps its local time`() throws {
        // Golden case 120.
        let result = moved(try daily("10-15 09:00"))
        #expect(result.target == at("2026-10-15 07:00Z"))
        #expect(result.originalTarget == result.target)
        #expect(!result.isSnoozed)
    }

    @Test func `X-17 what is over target, snoozed or a one-off keeps its instant`() throws {
        let late = try daily("10-14 09:00")
        #expect(moved(late) == late)
        let snoozed = try snoozedTask(try daily("10-14 09:00"), .until(at("17:00")), now: now).task
        #expect(moved(snoozed) == snoozed)
        let oneOff = task(target: at("10-15 09:00"), deadline: at("10-20 18:00"))
        #expect(moved(oneOff) == oneOff)
    }

    @Test func `X-17 an all-day deadline keeps its date, and its automatic target follows`() throws {
        let item = try created(now: now) { $0.deadline = .date(date("2026-10-20")) }
        let result = moved(item)
        #expect(result.deadline == at("2026-10-20 23:59", "Europe/Berlin"))
        #expect(result.target == at("2026-10-17 09:00", "Europe/Berlin"))
        #expect(result.originalTarget == result.target)
        let timed = try created(now: now) { $0.deadline = .instant(at("10-20 18:00")) }
        #expect(moved(timed).deadline == at("10-20 18:00"))
        // 18:00 in Chicago is 01:00 on the 21st in Berlin: four days before is the 17th.
        #expect(moved(timed).target == at("2026-10-17 09:00", "Europe/Berlin"))
    }

    @Test func `X-18 a new morning moves automatic targets that are ahead, and nothing else`() throws {
        var early = prefs()
        early.morningTime = time("06:30")
        let automatic = try created(now: now) { $0.deadline = .date(date("2026-10-20")) }
        #expect(recomputingAutomaticTarget(automatic, now: now, prefs: early).target == at("10-17 06:30"))
        let passed = at("10-18 12:00")
        #expect(recomputingAutomaticTarget(automatic, now: passed, prefs: early) == automatic)
        let own = task(target: at("10-17 09:00"), deadline: at("10-20 18:00"))
        #expect(recomputingAutomaticTarget(own, now: now, prefs: early) == own)
    }

    @Test func `X-1 a task recurs in its owner's zone`() throws {
        // Completed from Tokyo or from Chicago: the owner's preferences decide.
        let item = try daily("10-14 09:00")
        let result = try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false,
            now: at("2026-10-14 23:00Z"),
            prefs: prefs()
        ).get()
        #expect(result.nextTarget == at("10-15 09:00"))
    }

    @Test(arguments: [
        // Golden case 68.
        ("08:59", "Early morning"), ("09:00", "Morning"), ("06:00", nil), ("23:00", "Evening"),
    ])
    func `M-2 a reminder's period has the latest start up to its time`(_ anchor: String, _ label: String?) {
        var item = reminder()
        item.anchorTime = time(anchor)
        #expect(period(of: item, periods: periods.reversed(), zone: zone())?.label == label)
    }

    @Test func `M-2 without a time it is Anytime, else its target's`() {
        var item = task()
        item.isReminder = true
        #expect(period(of: item, periods: periods, zone: zone()) == nil)
        item.target = at("12:15")
        #expect(period(of: item, periods: periods, zone: zone()) == midday)
    }

    @Test func `X-2 the defaults`() {
        var prefs = prefs()
        #expect(prefs.weekStart == .sunday)
        #expect(prefs.morningTime == time("09:00"))
        #expect(prefs.wakeTime == time("07:00"))
        #expect(prefs.sleepTime == time("22:00"))
        #expect(prefs.defaultSnoozeOption == "60")
        #expect(prefs.bulkSnoozeOption == "next_period")
        prefs.bulkSnoozeDefault = "default_option"
        #expect(prefs.bulkSnoozeOption == "60")
    }
}
