import Domain
import Testing
import Time

@Suite("N-20 to N-28 Reminder periods")
struct PeriodAlertTests {
    func load(_ period: Period, _ reminders: Int = 0, _ prompts: Int = 0) -> PeriodLoad {
        PeriodLoad(period: period, reminders: reminders, prompts: prompts)
    }

    /// The five default periods; the ones that are named have something waiting.
    func loads(_ waiting: [Period: (Int, Int)]) -> [PeriodLoad] {
        periods.map { load($0, waiting[$0]?.0 ?? 0, waiting[$0]?.1 ?? 0) }
    }

    /// The local hours of all follow-ups of a day on which nothing is ever considered.
    func followUps(_ loads: [PeriodLoad], _ prefs: Preferences, on day: String = "2026-10-14") -> [Int] {
        var marks = PeriodMarks()
        let hours = prefs.zone.day(date(day))
        var now = hours.lowerBound
        while now < hours.upperBound {
            let decision = periodCheck(loads, marks: marks, now: now, prefs: prefs)
            marks.notified.formUnion(decision.started.map(\.period))
            if let followUp = decision.followUp { marks.followUpHours.append(followUp.hour) }
            now = now.adding(seconds: 60)
        }
        return marks.followUpHours
    }

    @Test(arguments: [
        (3, 0, "3 reminders waiting"), (1, 0, "1 reminder waiting"), (0, 2, "2 quotas waiting"),
        (0, 1, "1 quota waiting"), (3, 2, "3 reminders · 2 quotas waiting"),
        (1, 1, "1 reminder · 1 quota waiting"),
    ])
    func `Golden 94, N-21 the body`(_ reminders: Int, _ prompts: Int, _ body: String) {
        let decision = periodCheck(
            loads([midday: (reminders, prompts)]), marks: .init(), now: at("12:00"), prefs: prefs())
        #expect(decision.started.map(\.content.body) == [body])
    }

    @Test func `Golden 95, N-20 only quota reminders notify, an empty period is silent`() {
        let some = loads([midday: (0, 1)])
        #expect(
            periodCheck(some, marks: .init(), now: at("12:00"), prefs: prefs()).started.map(\.period) == [
                midday.id
            ])
        let none = periodCheck(loads([:]), marks: .init(), now: at("12:00"), prefs: prefs())
        #expect(none.isSilent)
    }

    @Test(arguments: [
        ("11:59:59", false), ("12:00", true), ("12:05", true), ("12:05:01", false), ("16:00", false),
    ])
    func `N-20 late by up to five minutes`(_ now: String, _ tells: Bool) {
        let decision = periodCheck(
            loads([midday: (1, 0)]), marks: .init(), now: at(now), prefs: prefs())
        #expect(decision.started.isEmpty == !tells)
    }

    @Test func `N-20 N-5 a period is told once a day`() {
        let marks = PeriodMarks(notified: [midday.id])
        let decision = periodCheck(loads([midday: (1, 0)]), marks: marks, now: at("12:01"), prefs: prefs())
        #expect(decision.started.isEmpty)
    }

    @Test func `N-20 X-4 X-5 a start in a gap or in a fold is one instant`() {
        let odd = Period(id: Period.ID(rawValue: 9), label: "Odd", start: time("02:30"))
        let gap = periodCheck(
            [load(odd, 1)], marks: .init(), now: at("2026-03-08 08:30Z"), prefs: prefs())
        #expect(gap.started.map(\.period) == [odd.id])
        let night = Period(id: Period.ID(rawValue: 8), label: "Night", start: time("01:30"))
        func fold(_ now: String) -> Int {
            periodCheck([load(night, 1)], marks: .init(), now: at(now), prefs: prefs()).started.count
        }
        #expect(fold("2026-11-01 06:30Z") == 1)
        #expect(fold("2026-11-01 07:30Z") == 0)
    }

    @Test func `N-22 N-23 the fields`() throws {
        let alert = try #require(
            periodCheck(loads([evening: (2, 1)]), marks: .init(), now: at("20:30"), prefs: prefs()).started
                .first?.content)
        #expect(alert.title == "Evening")
        #expect(alert.category == "SLOT_REMINDER" && alert.thread == "ot-reminders")
        #expect(alert.collapseID == "slot-5" && alert.level == .active && alert.sound)
        #expect(alert.badge == nil && !alert.onWebPush)
        #expect(
            alert.data == [
                "slot_id": .int(5), "slot_label": .text("Evening"), "reminder_count": .int(3),
                "prompt_count": .int(1),
            ])
    }

    @Test func `N-2 nothing with notifications switched off`() {
        var off = prefs()
        off.notificationsEnabled = false
        #expect(
            periodCheck(loads([midday: (1, 0)]), marks: .init(), now: at("12:00"), prefs: off).isSilent)
        #expect(followUps(loads([earlyMorning: (1, 0)]), off).isEmpty)
    }

    @Test func `Golden 96, N-24 N-26 N-27 N-28 one reminder left all day`() {
        #expect(followUps(loads([earlyMorning: (1, 0)]), prefs()) == [8, 13, 21])
    }

    @Test func `Golden 97, N-26 N-27 N-28 a short window`() {
        var short = prefs()
        short.wakeTime = time("09:00")
        short.sleepTime = time("15:00")
        #expect(followUps(loads([earlyMorning: (1, 0)]), short) == [9, 11, 13])
    }

    @Test func `N-28 only Evening unfinished, and only one period`() {
        #expect(followUps(loads([evening: (1, 0)]), prefs()) == [21])
        #expect(followUps([load(earlyMorning, 1)], prefs()) == [8, 13, 18])
    }

    @Test(arguments: [("09:00", "09:30", 1), ("07:00", "02:00", 6), ("07:00", "07:00", 8)])
    func `N-27 the gap is a third of the window, in hours`(_ wake: String, _ sleep: String, _ gap: Int) {
        var own = prefs()
        own.wakeTime = time(wake)
        own.sleepTime = time(sleep)
        let first = Period(id: Period.ID(rawValue: 7), label: "First", start: time("00:30"))
        let marks = PeriodMarks(followUpHours: [9 - gap])
        let earlier = PeriodMarks(followUpHours: [10 - gap])
        func tells(_ marks: PeriodMarks) -> Bool {
            periodCheck([load(first, 1)], marks: marks, now: at("09:00"), prefs: own).followUp != nil
        }
        #expect(tells(marks))
        #expect(!tells(earlier))
    }

    @Test func `Golden 98, N-25 the latest unfinished period, and how many earlier ones`() {
        let three = loads([earlyMorning: (1, 0), morningPeriod: (0, 2), midday: (1, 0)])
        let followUp = periodCheck(three, marks: .init(), now: at("13:00"), prefs: prefs()).followUp
        #expect(followUp?.content.title == "Midday")
        #expect(followUp?.content.body == "1 reminder waiting, and 2 earlier slots")
        #expect(followUp?.content.collapseID == "slot-3" && followUp?.hour == 13)
        let two = loads([earlyMorning: (1, 0), midday: (2, 0)])
        #expect(
            periodCheck(two, marks: .init(), now: at("13:00"), prefs: prefs()).followUp?.content.body
                == "2 reminders waiting, and 1 earlier slot")
    }

    @Test func `Golden 99, N-24 a period's own notification takes the place of a follow-up`() {
        let empty = periodCheck(
            loads([earlyMorning: (1, 0)]), marks: .init(), now: at("09:00"), prefs: prefs())
        #expect(empty.followUp?.content.title == "Early morning" && empty.started.isEmpty)
        let both = periodCheck(
            loads([earlyMorning: (1, 0), morningPeriod: (1, 0)]), marks: .init(), now: at("09:00"),
            prefs: prefs())
        #expect(both.followUp == nil && both.started.map(\.period) == [morningPeriod.id])
        // Sent a few seconds ago in this very minute.
        let again = periodCheck(
            loads([earlyMorning: (1, 0), morningPeriod: (1, 0)]),
            marks: PeriodMarks(notified: [morningPeriod.id]), now: at("09:00:30"), prefs: prefs())
        #expect(again.isSilent)
    }

    @Test func `N-24 asleep, nobody is reminded again; a missed hour is not made up`() {
        let left = loads([earlyMorning: (1, 0)])
        #expect(periodCheck(left, marks: .init(), now: at("22:00"), prefs: prefs()).followUp == nil)
        #expect(periodCheck(left, marks: .init(), now: at("08:01"), prefs: prefs()).followUp == nil)
        #expect(periodCheck(left, marks: .init(), now: at("10:00"), prefs: prefs()).followUp != nil)
    }

    @Test func `N-28 the repeated hour of a fold has one at most`() {
        var awake = prefs()
        awake.wakeTime = time("00:00")
        awake.sleepTime = time("00:00")
        let night = Period(id: Period.ID(rawValue: 8), label: "Night", start: time("00:30"))
        let hours = followUps([load(night, 1)], awake, on: "2026-11-01")
        #expect(hours == [1, 9, 17])
    }

    @Test func `the next look is the next start or the next hour that permits a follow-up`() {
        let left = loads([earlyMorning: (1, 0)])
        func look(_ now: String, _ marks: PeriodMarks = .init()) -> Instant? {
            nextPeriodLook(left, marks: marks, now: at(now), prefs: prefs())
        }
        #expect(look("06:00") == at("07:00"))
        #expect(look("07:00") == at("08:00"))
        #expect(look("08:00", PeriodMarks(followUpHours: [8])) == at("09:00"))
        #expect(look("12:00", PeriodMarks(followUpHours: [8])) == at("13:00"))
        #expect(look("20:30", PeriodMarks(followUpHours: [8, 13])) == at("21:00"))
        #expect(look("21:00", PeriodMarks(followUpHours: [8, 13, 21])) == at("10-15 07:00"))
        #expect(nextPeriodLook([], marks: .init(), now: at("12:00"), prefs: prefs()) == nil)
        let finished = nextPeriodLook(loads([:]), marks: .init(), now: at("12:00"), prefs: prefs())
        #expect(finished == at("16:00"))
        var off = prefs()
        off.notificationsEnabled = false
        #expect(nextPeriodLook(left, marks: .init(), now: at("12:00"), prefs: off) == at("16:00"))
    }

    @Test func `the looks alone see everything that a check of every minute sees`() {
        for day in ["2026-03-08", "2026-10-14", "2026-11-01"] {
            for waiting in periods {
                let all = loads([waiting: (1, 0)].merging([midday: (0, 1)]) { first, _ in first })
                var marks = PeriodMarks()
                let hours = prefs().zone.day(date(day))
                var now = hours.lowerBound
                while let look = nextPeriodLook(all, marks: marks, now: now, prefs: prefs()),
                    look < hours.upperBound
                {
                    now = look
                    let decision = periodCheck(all, marks: marks, now: now, prefs: prefs())
                    marks.notified.formUnion(decision.started.map(\.period))
                    if let hour = decision.followUp?.hour { marks.followUpHours.append(hour) }
                }
                #expect(marks.followUpHours == followUps(all, prefs(), on: day))
                #expect(marks.notified == [waiting.id, midday.id])
            }
        }
    }
}
