import Domain
import Testing
import Time

@Suite("T-12, M-8, Q-2, Q-3 Kinds and their changes")
struct KindTests {
    let now = at("12:00")

    @Test func `task to reminder needs an empty deadline and horizon`() throws {
        var item = task(target: at("10-16 09:00"), deadline: at("10-20 18:00"))
        #expect(throws: Refusal.self) { try edited(item, now: now) { $0.isReminder = true } }
        let cleared = try edited(item, now: now) {
            $0.isReminder = true
            $0.deadline = .some(nil)
        }
        #expect(cleared.task.kind == .reminder)
        #expect(cleared.task.target == at("10-16 09:00"))
        item = task()
        item.horizon = .weeks
        #expect(throws: Refusal.self) { try edited(item, now: now) { $0.isReminder = true } }
        #expect(throws: Refusal.self) { try edited(reminder(), now: now) { $0.horizon = .weeks } }
    }

    @Test func `an undated one-off stays one as a reminder`() throws {
        let result = try edited(task(), now: now) { $0.isReminder = true }.task
        #expect(result.target == nil)
        #expect(result.rrule == nil)
    }

    @Test func `a conversion to reminder that also snoozes is refused`() throws {
        let item = task(target: at("15:00"))
        #expect(throws: Refusal.self) {
            try edited(item, now: now) {
                $0.isReminder = true
                $0.target = at("17:00")
            }
        }
        let rescheduled = try edited(item, now: now) {
            $0.isReminder = true
            $0.target = at("17:00")
            $0.resetOriginalTarget = true
        }
        #expect(rescheduled.task.target == at("17:00"))
    }

    @Test func `S-1 a dated reminder refuses a snooze, an undated one takes a date`() throws {
        #expect(throws: Refusal.self) { try edited(reminder(), now: now) { $0.target = at("21:00") } }
        var undated = task()
        undated.isReminder = true
        #expect(try edited(undated, now: now) { $0.target = at("21:00") }.task.target == at("21:00"))
    }

    @Test func `task to quota clears target, deadline, horizon and anchors`() throws {
        var item = task(target: at("10-16 09:00"), deadline: at("10-20 18:00"))
        item.horizon = .days
        let quota = try edited(item, now: now) {
            $0.isTracked = true
            $0.rrule = "FREQ=WEEKLY"
        }.task
        #expect(quota.kind == .quota)
        #expect(quota.target == nil)
        #expect(quota.originalTarget == nil)
        #expect(quota.deadline == nil)
        #expect(quota.horizon == nil)
        #expect(quota.anchorTime == nil)
        #expect(quota.rrule == "FREQ=WEEKLY")
        #expect(quota.progressPeriodStart == at("10-11 00:00"))
    }

    @Test func `Q-2 a quota needs a bare period, also after an edit`() throws {
        #expect(throws: Refusal.self) { try edited(task(), now: now) { $0.isTracked = true } }
        var recurring = task(target: at("10-15 09:00"))
        recurring.rrule = "FREQ=WEEKLY;BYDAY=TH"
        #expect(throws: Refusal.self) { try edited(recurring, now: now) { $0.progressTarget = 3 } }
        let quota = try created(now: now) { ($0.isTracked, $0.rrule) = (true, "FREQ=DAILY") }
        #expect(throws: Refusal.self) { try edited(quota, now: now) { $0.rrule = .some(nil) } }
        #expect(throws: Refusal.self) { try edited(quota, now: now) { $0.target = at("15:00") } }
        #expect(try edited(quota, now: now) { $0.rrule = "FREQ=MONTHLY;INTERVAL=2" }.task.rrule?.count == 23)
    }

    @Test func `quota to task clears count and day record, and the rule unless it is sent`() throws {
        var quota = try created(now: now) { ($0.progressTarget, $0.rrule) = (3, "FREQ=DAILY") }
        quota.progressCurrent = 2
        quota.quotaDayState = "{}"
        let plain = try edited(quota, now: now) { $0.progressTarget = 1 }.task
        #expect(plain.kind == .task)
        #expect(plain.progressCurrent == 0)
        #expect(plain.quotaDayState == nil)
        #expect(plain.progressPeriodStart == nil)
        #expect(plain.rrule == nil)
        #expect(plain.target == nil)
        let kept = try edited(quota, now: now) {
            $0.progressTarget = 1
            $0.rrule = "FREQ=DAILY"
        }.task
        #expect(kept.rrule == "FREQ=DAILY")
        #expect(kept.target == at("10-15 09:00"))
    }

    @Test func `only a quota has a count`() throws {
        #expect(throws: Refusal.self) { try edited(task(), now: now) { $0.progressCurrent = 1 } }
        let quota = try created(now: now) { ($0.progressTarget, $0.rrule) = (3, "FREQ=DAILY") }
        #expect(try edited(quota, now: now) { $0.progressCurrent = 4 }.task.progressCurrent == 4)
        #expect(throws: Refusal.self) { try edited(quota, now: now) { $0.progressCurrent = 10_001 } }
    }

    @Test(arguments: [
        ("FREQ=DAILY", "10-14 00:00"), ("FREQ=WEEKLY", "10-11 00:00"), ("FREQ=MONTHLY", "10-01 00:00"),
        ("FREQ=YEARLY", "2026-01-01 00:00"),
    ])
    func `Q-3 a new quota's period began with its unit`(_ rrule: String, _ start: String) throws {
        let quota = try created(now: now) { ($0.isTracked, $0.rrule) = (true, rrule) }
        #expect(quota.progressPeriodStart == at(start))
    }

    @Test func `M-8 a reminder without a word gets its default period`() throws {
        var draft = TaskDraft(title: "Breathe", project: inbox)
        draft.isReminder = true
        func make(_ draft: TaskDraft, periods: [Period], defaultPeriod: Period.ID?) throws -> TaskItem {
            try create(
                draft, id: TaskItem.ID(rawValue: 1), owner: owner, periods: periods,
                defaultPeriod: defaultPeriod, now: now, prefs: prefs()
            ).get()
        }
        let byDefault = try make(draft, periods: periods.reversed(), defaultPeriod: nil)
        #expect(byDefault.rrule == "FREQ=DAILY;BYHOUR=7;BYMINUTE=0")
        #expect(byDefault.target == at("10-15 07:00"))
        let chosen = try make(draft, periods: periods, defaultPeriod: evening.id)
        #expect(chosen.rrule == "FREQ=DAILY;BYHOUR=20;BYMINUTE=30")
        #expect(chosen.target == at("20:30"))
        #expect(try make(draft, periods: [], defaultPeriod: evening.id).rrule == nil)
        draft.rrule = .some(nil)
        let once = try make(draft, periods: periods, defaultPeriod: nil)
        #expect(once.rrule == nil)
        #expect(once.target == nil)
    }

    @Test func `G-8 a change of horizon clears both marks`() throws {
        var item = task()
        item.horizon = .weeks
        item.segmentConsideredOn = date("2026-10-14")
        item.segmentDeferredOn = date("2026-10-14")
        #expect(try edited(item, now: now) { $0.horizon = .weeks }.task == item)
        let changed = try edited(item, now: now) { $0.horizon = .days }.task
        #expect(changed.segmentConsideredOn == nil)
        #expect(changed.segmentDeferredOn == nil)
    }

    @Test func `G-3 a target keeps the horizon`() throws {
        var item = task()
        item.horizon = .weeks
        let dated = try edited(item, now: now) { $0.target = at("15:00") }.task
        #expect(dated.horizon == .weeks)
    }
}
