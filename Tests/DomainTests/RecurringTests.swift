import Domain
import Recurrence
import Testing
import Time

@Suite("R-1 to R-19 Recurrence")
struct RecurringTests {
    struct Case {
        var rule: String
        var target: String
        var done: String
        var next: String?
        var start: String?
        var zone = "America/Chicago"
    }

    /// A recurring task as `create` makes it, its target moved to `target` afterwards.
    func recurring(
        _ rule: String, start: Instant, target: Instant? = nil, zone name: String = "America/Chicago"
    ) throws -> TaskItem {
        var item = try created(now: start.adding(seconds: -60), zone: name) {
            $0.rrule = rule
            $0.target = start
        }
        item.target = target ?? start
        return item
    }

    func done(_ item: TaskItem, now: Instant, zone name: String = "America/Chicago") throws -> Completed {
        try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false, now: now,
            prefs: prefs(name)
        ).get()
    }

    @Test(arguments: [
        // Golden cases 42 to 48 and 50, and the table of R-7.
        Case(rule: "FREQ=DAILY", target: "10-13 08:00", done: "07:30", next: "08:00"),
        Case(rule: "FREQ=DAILY", target: "10-13 08:00", done: "10:00", next: "10-15 08:00"),
        Case(
            rule: "FREQ=WEEKLY;BYDAY=MO,TH", target: "10-12 09:00", done: "10-13 11:00", next: "10-15 09:00"),
        Case(rule: "FREQ=DAILY", target: "10-15 09:00", done: "20:00", next: "10-16 09:00"),
        Case(
            rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", target: "2026-09-09 09:00", done: "2026-09-10 11:00",
            next: "2026-09-23 09:00"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=31", target: "2026-01-31 09:00", done: "2026-01-31 10:00",
            next: "2026-02-28 09:00"),
        Case(
            rule: "FREQ=MONTHLY;BYMONTHDAY=30", target: "2026-02-28 09:00", done: "2026-02-28 10:00",
            next: "2026-03-30 09:00"),
        Case(
            rule: "FREQ=MONTHLY;BYDAY=-1FR", target: "2026-01-30 14:00", done: "2026-01-30 15:00",
            next: "2026-02-27 14:00"),
        Case(rule: "FREQ=DAILY", target: "10-09 09:00", done: "10:00", next: "10-15 09:00"),
        Case(
            rule: "FREQ=DAILY", target: "2026-03-07 02:30", done: "2026-03-07 12:00",
            next: "2026-03-08 08:30Z"),
        Case(
            rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", target: "2026-03-08 08:30Z", done: "2026-03-08 12:00",
            next: "2026-03-09 07:30Z"),
        // R-5 on other clocks: the repeated hour, the half hour, the missing midnight.
        Case(
            rule: "FREQ=DAILY;BYHOUR=1;BYMINUTE=30", target: "2026-10-31 01:30", done: "2026-10-31 12:00",
            next: "2026-11-01 05:30Z", zone: "America/New_York"),
        Case(
            rule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=15", target: "2026-10-03 02:15", done: "2026-10-03 12:00",
            next: "2026-10-03 15:45Z", zone: "Australia/Lord_Howe"),
        Case(
            rule: "FREQ=DAILY;BYHOUR=0;BYMINUTE=15", target: "2026-09-05 00:15", done: "2026-09-05 12:00",
            next: "2026-09-06 04:15Z", zone: "America/Santiago"),
        Case(
            rule: "FREQ=DAILY", target: "2026-06-01 00:55", done: "2026-06-01 12:00",
            next: "2026-06-01 19:10Z",
            zone: "Asia/Kathmandu"),
        //
        Case(rule: "FREQ=DAILY;COUNT=2", target: "10-13 09:00", done: "10-13 10:00", next: "09:00"),
        Case(rule: "FREQ=DAILY;COUNT=1", target: "10-13 09:00", done: "10-13 10:00", next: nil),
        Case(rule: "FREQ=DAILY;UNTIL=20261014", target: "10-13 09:00", done: "10-13 10:00", next: "09:00"),
        Case(rule: "FREQ=DAILY;UNTIL=20261014", target: "10-14 09:00", done: "10-14 10:00", next: nil),
        Case(
            rule: "FREQ=DAILY;UNTIL=20261014T140000Z", target: "10-13 09:00", done: "10-13 10:00",
            next: "09:00"),
        Case(
            rule: "FREQ=DAILY;UNTIL=20261014T135959Z", target: "10-13 09:00", done: "10-13 10:00", next: nil),
    ])
    func `R-7 completing from_due: the next after the later of target and now`(_ row: Case) throws {
        let item = try recurring(row.rule, start: at(row.target, row.zone), zone: row.zone)
        let result = try done(item, now: at(row.done, row.zone), zone: row.zone)
        #expect(result.nextTarget == row.next.map { at($0, row.zone) })
        #expect(result.task.done == (row.next == nil))
        #expect(result.wasRecurring)
        if row.next != nil {
            #expect(result.task.originalTarget == result.nextTarget)
            #expect(result.task.isOpen)
        }
    }

    @Test(arguments: [
        ("FREQ=DAILY", "08:00", "14:00", "15:00", "10-15 08:00"),
        ("FREQ=WEEKLY;BYDAY=MO", "10-12 10:00", "10-14 12:00", "15:00", "10-19 10:00"),
    ])
    func `R-7 R-14 a snooze leaves the rule's time alone`(
        _ rule: String, _ start: String, _ snoozed: String, _ doneAt: String, _ next: String
    ) throws {
        let item = try recurring(rule, start: at(start))
        let moved = try snoozedTask(item, .until(at(snoozed)), now: at(start)).task
        #expect(moved.anchorTime == item.anchorTime)
        #expect(moved.ruleStart == item.ruleStart)
        #expect(try done(moved, now: at(doneAt)).nextTarget == at(next))
    }

    @Test func `R-8 from_completion counts from the completion`() throws {
        // Golden case 49.
        var item = try recurring("FREQ=WEEKLY", start: at("2026-01-20 10:00"))
        item.recurrenceMode = .fromCompletion
        #expect(try done(item, now: at("2026-01-29 16:00")).nextTarget == at("2026-02-05 10:00"))
        item.rrule = "FREQ=MONTHLY;BYMONTHDAY=15"
        #expect(try done(item, now: at("2026-01-31 16:00")).nextTarget == at("2026-02-28 10:00"))
        item.rrule = "FREQ=DAILY;INTERVAL=3"
        #expect(try done(item, now: at("2026-03-06 16:00")).nextTarget == at("2026-03-09 15:00Z"))
        item.rrule = "FREQ=DAILY;UNTIL=20260129"
        #expect(try done(item, now: at("2026-01-29 16:00")).task.done)
    }

    @Test func `Golden 52, R-1 nonsense is refused, by name`() {
        for text in ["THIS IS NOT AN RRULE", "FREQ=HOURLY", "FREQ=DAILY;BYEASTER=1", ""] {
            let error = #expect(throws: Refusal.self) { try created(now: at("12:00")) { $0.rrule = text } }
            #expect(error?.field == "rrule")
            #expect(error?.status == .invalid)
        }
        let error = #expect(throws: Refusal.self) { try validRule("FREQ=DAILY;BYEASTER=1").get() }
        #expect(error?.message.contains("BYEASTER") == true)
    }

    @Test func `R-1 a rule without any date is refused`() {
        #expect(throws: Refusal.self) {
            try created(now: at("12:00")) {
                $0.rrule = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"
                $0.shortMonths = .skip
            }
        }
        #expect(throws: Refusal.self) {
            try created(now: at("12:00")) { $0.rrule = "FREQ=DAILY;UNTIL=20260101" }
        }
    }

    @Test func `R-2 anchors come from the rule, then from the first target`() throws {
        let now = at("12:00")
        let weekly = try created(now: now) { $0.rrule = "FREQ=WEEKLY;BYDAY=TH;BYHOUR=8;BYMINUTE=15" }
        #expect(weekly.anchorTime == time("08:15"))
        #expect(weekly.anchorWeekday == 3)
        #expect(weekly.anchorDayOfMonth == nil)
        let monthly = try created(now: now) {
            $0.rrule = "FREQ=MONTHLY;BYMONTHDAY=31"
            $0.target = at("10-31 17:30:20")
        }
        #expect(monthly.anchorTime == time("17:30"))
        #expect(monthly.anchorDayOfMonth == 31)
        let two = try created(now: now) { $0.rrule = "FREQ=WEEKLY;BYDAY=MO,TH" }
        #expect(two.anchorWeekday == nil)
        #expect(two.anchorTime == time("09:00"))
    }

    @Test func `R-3 a recurring task always has a target`() throws {
        let item = try recurring("FREQ=DAILY", start: at("09:00"))
        #expect(throws: Refusal.self) { try edited(item, now: at("12:00")) { $0.target = .some(nil) } }
        let both = try edited(item, now: at("12:00")) {
            $0.target = .some(nil)
            $0.rrule = .some(nil)
        }.task
        #expect(both.target == nil)
        #expect(both.rrule == nil)
        #expect(throws: Refusal.self) {
            try edited(task(), now: at("12:00")) {
                $0.target = .some(nil)
                $0.rrule = "FREQ=DAILY"
            }
        }
    }

    @Test(arguments: [
        ("FREQ=DAILY;BYHOUR=9", "2026-10-14"), ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-10-19"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;BYHOUR=9", "2026-10-21"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;BYHOUR=18", "2026-10-14"), ("FREQ=WEEKLY;BYDAY=MO", "2026-10-14"),
    ])
    func `R-4 where a rule without a target starts`(_ rule: String, _ start: String) throws {
        let item = try created(now: at("12:00")) { $0.rrule = rule }
        #expect(item.ruleStart == date(start))
    }

    @Test func `R-4 a start that was never recorded is 2020-01-01`() {
        var item = task(target: at("10-13 09:00"))
        item.rrule = "FREQ=DAILY;INTERVAL=7"
        item.anchorTime = time("09:00")
        // 2020-01-01 was a Wednesday, and so is every seventh day after it.
        #expect(nextOccurrence(of: item, zone: zone()) == at("10-14 09:00"))
    }

    @Test func `R-12 a changed rule keeps a target that is over`() throws {
        // Golden case 51.
        let item = try recurring("FREQ=DAILY", start: at("10-13 08:00"))
        let result = try edited(item, now: at("12:00")) { $0.rrule = "FREQ=WEEKLY;BYDAY=MO;BYHOUR=10" }
        #expect(result.task.target == at("10-13 08:00"))
        #expect(result.task.anchorTime == time("10:00"))
        #expect(result.task.anchorWeekday == 0)
        #expect(result.task.snoozeCount == 0)
        #expect(!result.isSnooze)
        #expect(result.task.originalTarget == nil)
    }

    @Test func `R-12 else the next occurrence, or the date that was sent`() throws {
        let item = try recurring("FREQ=DAILY", start: at("18:00"))
        let next = try edited(item, now: at("12:00")) { $0.rrule = "FREQ=WEEKLY;BYDAY=MO" }.task
        #expect(next.target == at("10-19 18:00"))
        #expect(next.originalTarget == next.target)
        let sent = try edited(item, now: at("12:00")) {
            $0.rrule = "FREQ=WEEKLY;BYDAY=MO"
            $0.target = at("10-16 07:00")
        }.task
        #expect(sent.target == at("10-16 07:00"))
        #expect(sent.originalTarget == sent.target)
        #expect(sent.anchorTime == time("07:00"))
        #expect(sent.ruleStart == date("2026-10-16"))
        // The rule that is there already is no change.
        #expect(try edited(item, now: at("12:00")) { $0.rrule = "FREQ=DAILY" }.task == item)
    }

    @Test func `R-13 one-off to recurring and back`() throws {
        let late = task(target: at("09:00"))
        let recurring = try edited(late, now: at("12:00")) { $0.rrule = "FREQ=DAILY" }.task
        #expect(recurring.target == at("09:00"))
        #expect(recurring.anchorTime == time("09:00"))
        let undated = try edited(task(), now: at("12:00")) { $0.rrule = "FREQ=DAILY" }.task
        #expect(undated.target == at("10-15 09:00"))
        let back = try edited(undated, now: at("12:00")) { $0.rrule = .some(nil) }.task
        #expect(back.target == at("10-15 09:00"))
        #expect(back.anchorTime == nil)
        #expect(back.ruleStart == nil)
        #expect(back.recurrenceMode == .fromDue)
    }

    @Test func `R-15 the guard's instant`() throws {
        var item = try recurring("FREQ=DAILY", start: at("09:00"))
        #expect(nextOccurrence(of: item, zone: zone()) == at("10-15 09:00"))
        item.target = at("17:00")
        #expect(nextOccurrence(of: item, zone: zone()) == at("10-15 09:00"))
        item.recurrenceMode = .fromCompletion
        #expect(nextOccurrence(of: item, zone: zone()) == nil)
        #expect(nextOccurrence(of: task(target: at("09:00")), zone: zone()) == nil)
    }

    @Test func `R-16 a preview is what completing gives`() throws {
        let rule = "FREQ=MONTHLY;BYMONTHDAY=31"
        let shown = try previewOccurrences(
            rrule: rule, start: date("2026-10-31"), anchorTime: time("08:00"), mode: .fromDue, count: 4,
            now: at("12:00"), prefs: prefs()
        ).get()
        var item = try recurring(rule, start: at("10-31 08:00"))
        var targets = [item.target]
        while targets.count < 4 {
            item = try done(item, now: try #require(item.target).adding(minutes: 5)).task
            targets.append(item.target)
        }
        #expect(shown == targets)
        #expect(shown.last == at("2027-01-31 08:00"))
        #expect(
            try previewOccurrences(
                rrule: "FREQ=DAILY", start: nil, anchorTime: nil, mode: .fromDue, count: 200,
                now: at("12:00"),
                prefs: prefs()
            ).get().count == 50)
        #expect(throws: Refusal.self) {
            try previewOccurrences(
                rrule: "FREQ=NEVER", start: nil, anchorTime: nil, mode: .fromDue, count: 3, now: at("12:00"),
                prefs: prefs()
            ).get()
        }
    }

    @Test(arguments: [
        ("FREQ=DAILY", "Daily at 8:30 PM"), ("FREQ=DAILY;INTERVAL=2", "Every 2 days at 8:30 PM"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Weekdays at 8:30 PM"),
        ("FREQ=WEEKLY;BYDAY=TH,MO", "Weekly on Mon and Thu at 8:30 PM"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=WE", "Every 2 weeks on Wed at 8:30 PM"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "Monthly on the 31st at 8:30 PM"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "Monthly on the last day at 8:30 PM"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "Monthly on the last Fri at 8:30 PM"),
        ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=9", "Yearly on Mar 9 at 8:30 PM"),
        ("FREQ=WEEKLY", "Weekly on Wed at 8:30 PM"), ("FREQ=MONTHLY", "Monthly on the 14th at 8:30 PM"),
        ("FREQ=YEARLY", "Yearly on Oct 14 at 8:30 PM"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "Monthly on the 1st and 15th at 8:30 PM"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU", "Every 3 months on the 2nd Tue at 8:30 PM"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "Weekly on Mon, Wed and Fri at 8:30 PM"),
    ])
    func `R-19 a rule in words`(_ rule: String, _ words: String) throws {
        let item = try recurring(rule, start: at("20:30"))
        #expect(recurrenceText(of: item, zone: zone()) == words)
    }

    @Test func `R-19 no time, no rule`() throws {
        #expect(recurrenceText(try RecurrenceRule("FREQ=DAILY"), start: nil, time: nil) == "Daily")
        #expect(recurrenceText(of: task(), zone: zone()) == nil)
    }
}
