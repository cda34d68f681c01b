import Domain
import TestSupport
import Testing
import Time

@Suite("Q: periods of quotas")
struct QuotaPeriodTests {
    @Test(arguments: [
        ("FREQ=DAILY", "10-14 00:00", "10-15 00:00"), ("FREQ=WEEKLY", "10-11 00:00", "10-18 00:00"),
        ("FREQ=MONTHLY", "10-01 00:00", "11-01 00:00"), ("FREQ=YEARLY", "01-01 00:00", "2027-01-01 00:00"),
        ("FREQ=DAILY;INTERVAL=3", "10-14 00:00", "10-17 00:00"),
        ("FREQ=WEEKLY;INTERVAL=2", "10-11 00:00", "10-25 00:00"),
        ("FREQ=MONTHLY;INTERVAL=5", "10-01 00:00", "2027-03-01 00:00"),
    ])
    func `Q-2, Q-3: a new quota is anchored at its unit and ends k units later`(
        _ rule: String, _ start: String, _ end: String
    ) throws {
        let quota = try created(now: at("10:00")) { draft in
            draft.rrule = rule
            draft.isTracked = true
        }
        #expect(quota.progressPeriodStart == at(start))
        #expect(quota.quotaPeriodEnd(prefs: prefs()) == at(end))
    }

    @Test func `Q-1, T-12: what is no quota has no period`() {
        #expect(task().quotaPeriodEnd(prefs: prefs()) == nil)
        #expect(daysLeft(of: task(), now: at("10:00"), prefs: prefs()) == nil)
    }

    @Test func `Golden 76, Q-6, Q-9: the count goes to the week that ended, what comes is the new week's`()
        throws
    {
        let before = quota("FREQ=WEEKLY", 3, 2, start: at("10-11 00:00"))
        let late = at("10-17 23:59:59")
        #expect(rollOver(before, progress: [], now: late, prefs: prefs()).ended == [])
        #expect(before.effectiveCount(at: late, prefs: prefs()) == 2)
        let now = at("10-18 00:00:02")
        let rolled = rollOver(before, progress: [], now: now, prefs: prefs())
        #expect(rolled.ended.map(\.start) == [at("10-11 00:00")])
        #expect(rolled.ended.map(\.end) == [at("10-18 00:00")])
        #expect(rolled.ended.map(\.logged) == [2])
        #expect(rolled.ended.map(\.target) == [3])
        #expect(rolled.ended.map(\.isMet) == [false])
        #expect(rolled.quota.completionCount == 0)
        let after = try logged(1, rolled.quota, now: now)
        #expect(after.progressCurrent == 1)
        #expect(after.progressPeriodStart == at("10-18 00:00"))
    }

    @Test func `Q-5: the count reads 0 from the boundary on, before anybody has closed the period`() {
        let weekly = quota("FREQ=WEEKLY", 3, 2, start: at("10-11 00:00"))
        #expect(weekly.shown(at: at("10-17 23:59:59"), prefs: prefs()).progressCurrent == 2)
        #expect(weekly.shown(at: at("10-18 00:00"), prefs: prefs()).progressCurrent == 0)
        #expect(task().shown(at: at("10:00"), prefs: prefs()) == task())
    }

    @Test func `Q-6: a met period is a completion at its end`() {
        let rolled = rollOver(
            quota("FREQ=WEEKLY", 3, 4, start: at("10-11 00:00")), progress: [], now: at("10-18 09:00"),
            prefs: prefs())
        #expect(rolled.ended.map(\.isMet) == [true])
        #expect(rolled.quota.completionCount == 1)
        #expect(rolled.quota.firstCompletedAt == at("10-18 00:00"))
        #expect(rolled.quota.lastCompletedAt == at("10-18 00:00"))
        #expect(rolled.quota.isOpen)
    }

    @Test func `Q-9: the week in which clocks go back has 169 hours`() throws {
        let start = at("11-01 00:00")
        let end = try #require(quota("FREQ=WEEKLY", 3, start: start).quotaPeriodEnd(prefs: prefs()))
        #expect(end.seconds(since: start) == 169 * 3600)
    }

    @Test
    func `Golden 77, Q-8: a week that begins on another day ends at the next boundary, then it is aligned`() {
        let weekly = quota("FREQ=WEEKLY", 3, 1, start: at("10-12 00:00"))
        #expect(weekly.quotaPeriodEnd(prefs: mondays()) == at("10-19 00:00"))
        #expect(weekly.quotaPeriodEnd(prefs: prefs()) == at("10-18 00:00"))
        let rolled = rollOver(weekly, progress: [], now: at("10-18 00:00"), prefs: prefs())
        #expect(rolled.ended.map(\.end) == [at("10-18 00:00")])
        #expect(rolled.quota.quotaPeriodEnd(prefs: prefs()) == at("10-25 00:00"))
    }

    @Test
    func `Q-8: with an interval the short period ends at the next single boundary, the next runs k units`() {
        let rolled = rollOver(
            quota("FREQ=WEEKLY;INTERVAL=2", 3, start: at("10-12 00:00")), progress: [],
            now: at("10-20 00:00"),
            prefs: prefs())
        #expect(rolled.ended.map(\.end) == [at("10-18 00:00")])
        #expect(rolled.quota.quotaPeriodEnd(prefs: prefs()) == at("11-01 00:00"))
    }

    @Test func `Q-8, X-17: after a move to another zone the day ends at its midnight`() {
        let daily = quota("FREQ=DAILY", 2, 1, start: at("10-14 00:00"))
        let berlin = prefs("Europe/Berlin")
        // Midnight of Chicago is 07:00 in Berlin.
        #expect(daily.quotaPeriodEnd(prefs: berlin) == at("10-15 00:00", "Europe/Berlin"))
        let rolled = rollOver(daily, progress: [], now: at("10-15 00:00", "Europe/Berlin"), prefs: berlin)
        #expect(rolled.quota.quotaPeriodEnd(prefs: berlin) == at("10-16 00:00", "Europe/Berlin"))
    }

    @Test func `Golden 78, Q-7: the first missed day gets the count, each further one 0`() {
        let rolled = rollOver(
            quota("FREQ=DAILY", 2, 2, start: at("10-12 00:00")), progress: [], now: at("10-15 10:00"),
            prefs: prefs())
        #expect(rolled.ended.map(\.start) == [at("10-12 00:00"), at("10-13 00:00"), at("10-14 00:00")])
        #expect(rolled.ended.map(\.logged) == [2, 0, 0])
        #expect(rolled.ended.map(\.isMet) == [true, false, false])
        #expect(rolled.quota.completionCount == 1)
        #expect(rolled.quota.lastCompletedAt == at("10-13 00:00"))
        #expect(rolled.quota.progressCurrent == 0)
        #expect(rolled.quota.progressPeriodStart == at("10-15 00:00"))
    }

    @Test
    func `Q-7: what was logged at or after a boundary that nobody had closed belongs to the new period`() {
        // Sunday is still last week for one whose weeks begin on Monday; on Sunday noon he lets them begin on Sunday.
        let weekly = quota("FREQ=WEEKLY", 3, 3, start: at("10-12 00:00"))
        let progress = [
            LoggedProgress(at: at("10-13 09:00"), delta: 1), LoggedProgress(at: at("10-18 00:00"), delta: 1),
            LoggedProgress(at: at("10-18 09:00"), delta: 1),
        ]
        let rolled = rollOver(weekly, progress: progress, now: at("10-18 12:00"), prefs: prefs())
        #expect(rolled.ended.map(\.logged) == [1])
        #expect(rolled.quota.progressCurrent == 2)
    }

    @Test func `Q-3: midnight that clocks skip is the first instant of the day`() {
        // Cairo 2026-04-24: 00:00 becomes 01:00.
        let daily = quota("FREQ=DAILY", 1, start: at("2026-04-23 00:00", "Africa/Cairo"))
        let cairo = prefs("Africa/Cairo")
        let end = at("2026-04-24 01:00", "Africa/Cairo")
        #expect(daily.quotaPeriodEnd(prefs: cairo) == end)
        let rolled = rollOver(daily, progress: [], now: end, prefs: cairo)
        #expect(rolled.quota.quotaPeriodEnd(prefs: cairo) == at("2026-04-25 00:00", "Africa/Cairo"))
    }

    @Test(arguments: [
        ("FREQ=WEEKLY", "10-14 10:00", 4), ("FREQ=WEEKLY", "10-17 23:59", 1),
        ("FREQ=WEEKLY", "10-11 00:00", 7),
        ("FREQ=MONTHLY", "10-31 12:00", 1), ("FREQ=MONTHLY", "10-01 12:00", 31),
        ("FREQ=YEARLY", "12-31 12:00", 1),
    ])
    func `Golden 84, Q-10: days left, today included`(_ rule: String, _ now: String, _ days: Int) throws {
        var quota = quota(rule, 3, start: at("10-11 00:00"))
        quota.progressPeriodStart = quotaPeriodStart(rrule: rule, now: at(now), prefs: prefs())
        #expect(daysLeft(of: quota, now: at(now), prefs: prefs()) == days)
    }

    @Test func `Golden 84, Q-10: with weeks from Monday it is one day more on a Wednesday`() {
        let weekly = quota("FREQ=WEEKLY", 3, start: at("10-12 00:00"))
        #expect(daysLeft(of: weekly, now: at("10-14 10:00"), prefs: mondays()) == 5)
        // Not closed yet: the days of the week that it is.
        #expect(daysLeft(of: weekly, now: at("10-19 00:00"), prefs: mondays()) == 7)
    }

    @Test func `Q-10: a day has no days left`() {
        let daily = quota("FREQ=DAILY", 3, start: at("00:00"))
        #expect(daysLeft(of: daily, now: at("10:00"), prefs: prefs()) == nil)
    }

    @Test func `Q-3: a quota of another unit is anchored anew and keeps its count`() throws {
        let weekly = quota("FREQ=WEEKLY", 3, 2, start: at("10-11 00:00"))
        let monthly = try edited(weekly, now: at("10:00")) { $0.rrule = "FREQ=MONTHLY" }.task
        #expect(monthly.progressPeriodStart == at("10-01 00:00"))
        #expect(monthly.progressCurrent == 2)
        let twoWeeks = try edited(weekly, now: at("10:00")) { $0.rrule = "FREQ=WEEKLY;INTERVAL=2" }.task
        #expect(twoWeeks.progressPeriodStart == at("10-11 00:00"))
        var second = quota("FREQ=WEEKLY;INTERVAL=2", 3, 2, start: at("10-04 00:00"))
        second = try edited(second, now: at("10:00")) { $0.rrule = "FREQ=WEEKLY" }.task
        #expect(second.progressPeriodStart == at("10-11 00:00"))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `Q-6 to Q-8: periods follow each other without a gap, in any zone, from any start`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let zones = [
            "America/Chicago", "Australia/Lord_Howe", "Africa/Cairo", "Pacific/Apia", "Asia/Kolkata",
        ]
        for _ in 1...50 {
            var prefs = prefs(zones[Int.random(in: 0..<zones.count, using: &random)])
            prefs.weekStart = Bool.random(using: &random) ? .sunday : .monday
            let unit = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"][Int.random(in: 0...3, using: &random)]
            let interval = Int.random(in: 1...4, using: &random)
            let start = Instant(seconds: Int64.random(in: 1_300_000_000...1_900_000_000, using: &random))
            let now = start.adding(seconds: Int64.random(in: 0...400 * 86_400, using: &random))
            let before = quota("FREQ=\(unit);INTERVAL=\(interval)", 2, 3, start: start)
            let rolled = rollOver(before, progress: [], now: now, prefs: prefs)
            var next = start
            for period in rolled.ended {
                #expect(period.start == next && period.end > period.start && period.end <= now)
                #expect(quotaPeriodStart(rrule: "FREQ=\(unit)", now: period.end, prefs: prefs) == period.end)
                next = period.end
            }
            #expect(rolled.quota.progressPeriodStart == next)
            #expect(rolled.quota.quotaPeriodEnd(prefs: prefs).map { $0 > now } == true)
            #expect(rollOver(rolled.quota, progress: [], now: now, prefs: prefs).ended == [])
            // What was logged is somewhere, once.
            #expect(rolled.ended.reduce(rolled.quota.progressCurrent) { $0 + $1.logged } == 3)
        }
    }
}
