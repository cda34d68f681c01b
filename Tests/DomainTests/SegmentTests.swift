import Domain
import Testing
import Time

@Suite("G-1 to G-12 Task segments")
struct SegmentTests {
    private func member(
        _ id: Int64 = 1, _ horizon: TaskItem.Horizon = .weeks, _ priority: TaskItem.Priority = .unset
    )
        -> TaskItem
    {
        var item = task(id, priority)
        item.horizon = horizon
        return item
    }

    private func acted(_ action: SegmentAction, _ item: TaskItem, _ now: String) throws -> TaskItem {
        try act(action, on: item, now: at(now), prefs: prefs()).get()
    }

    private func waits(_ item: TaskItem, _ now: String, _ mine: Preferences = prefs()) -> Bool {
        item.isWaitingInSegment(now: at(now, mine.zone.name), prefs: mine)
    }

    @Test func `G-1, G-3: only open undated one-off tasks with a horizon are members`() {
        #expect(member().segment == .weeks)
        for change in [
            { $0.horizon = nil }, { $0.horizon = .someday }, { $0.target = at("10-15 09:00") },
            { $0.rrule = "FREQ=DAILY" }, { $0.isReminder = true }, { $0.isTracked = true },
            { $0.done = true }, { $0.deletedAt = at("09:00") }, { $0.archivedAt = at("09:00") },
        ] as [(inout TaskItem) -> Void] {
            var item = member()
            change(&item)
            #expect(item.segment == nil)
            #expect(!waits(item, "10:00"))
        }
    }

    @Test func `G-3: a target takes a task out and its horizon is kept, so clearing the target puts it back`()
        throws
    {
        let dated = try edited(member(), now: at("10:00")) { $0.target = .some(at("12:00")) }.task
        #expect(dated.segment == nil)
        #expect(dated.horizon == .weeks)
        let cleared = try edited(dated, now: at("10:00")) { $0.target = .some(nil) }.task
        #expect(cleared.segment == .weeks)
    }

    @Test func `G-2: a new undated task gets the user's default horizon unless it names one`() throws {
        var mine = prefs()
        mine.defaultHorizon = .months
        func make(_ change: (inout TaskDraft) -> Void) throws -> TaskItem {
            var draft = TaskDraft(title: "x", project: inbox)
            change(&draft)
            return try create(
                draft, id: TaskItem.ID(rawValue: 1), owner: owner, periods: periods, defaultPeriod: nil,
                now: at("10:00"), prefs: mine
            ).get()
        }
        #expect(try make { _ in }.horizon == .months)
        #expect(try make { $0.horizon = .some(.days) }.horizon == .days)
        #expect(try make { $0.horizon = .some(nil) }.horizon == nil)
        #expect(try make { $0.target = at("12:00") }.horizon == nil)
    }

    @Test func `Golden 73, G-4: considered on Wednesday in Weeks it waits again on Sunday at 0:00`() throws {
        let item = try acted(.consider, member(), "10:00")
        #expect(item.segmentConsideredOn == date("2026-10-14"))
        #expect(!waits(item, "10-17 23:59:59"))
        #expect(waits(item, "10-18 00:00"))
        var monday = prefs()
        monday.weekStart = .monday
        #expect(!waits(item, "10-18 23:59:59", monday))
        #expect(waits(item, "10-19 00:00", monday))
    }

    @Test func `G-4: Days is the local day, Months the calendar month`() throws {
        let day = try acted(.consider, member(1, .days), "23:30")
        #expect(!waits(day, "23:59:59"))
        #expect(waits(day, "10-15 00:00"))
        let month = try acted(.consider, member(1, .months), "10:00")
        #expect(!waits(month, "10-31 23:59:59"))
        #expect(waits(month, "11-01 00:00"))
    }

    @Test func `G-4, X-7: days of 23 and 25 hours begin and end at local midnight`() throws {
        let spring = try acted(.consider, member(1, .days), "2026-03-08 00:30")
        #expect(!waits(spring, "2026-03-09 04:59:59Z"))
        #expect(waits(spring, "2026-03-09 05:00Z"), "23 hours after that day began")
        let autumn = try acted(.consider, member(1, .days), "2026-11-01 00:30")
        #expect(!waits(autumn, "2026-11-02 05:59:59Z"))
        #expect(waits(autumn, "2026-11-02 06:00Z"), "25 hours after that day began")
    }

    @Test func `G-12: a date outside the present window means nothing, also one that lies ahead`() {
        var item = member(1, .days)
        item.segmentConsideredOn = date("2026-10-15")
        item.segmentDeferredOn = date("2026-10-15")
        #expect(waits(item, "10:00"))
        item.segmentConsideredOn = date("2026-10-13")
        item.segmentDeferredOn = date("2026-10-13")
        #expect(waits(item, "10:00"))
    }

    @Test func `Golden 74, G-6: deferred on Wednesday in Weeks it waits again on Thursday at 0:00`() throws {
        let item = try acted(.defer, member(), "10:00")
        #expect(item.segmentDeferredOn == date("2026-10-14"))
        #expect(item.segmentConsideredOn == nil)
        #expect(!waits(item, "23:59:59"))
        #expect(waits(item, "10-15 00:00"))
    }

    @Test
    func `G-5, G-6: what is handled stays as it is; considering counts for the window also when deferred`()
        throws
    {
        let once = try acted(.consider, member(), "10:00")
        #expect(try acted(.consider, once, "10-15 10:00") == once)
        #expect(try acted(.defer, once, "10-15 10:00") == once)
        let both = try acted(.consider, try acted(.defer, member(), "10:00"), "11:00")
        #expect(!waits(both, "10-15 00:00"))
        #expect(throws: Refusal.self) { try acted(.consider, task(), "10:00") }
        #expect(throws: Refusal.self) { try acted(.putBack, member(1, .someday), "10:00") }
    }

    @Test func `G-8: put back undoes considered and deferred for the window, and a new horizon clears both`()
        throws
    {
        let both = try acted(.consider, try acted(.defer, member(), "10:00"), "11:00")
        #expect(try acted(.putBack, both, "12:00") == member())
        #expect(try acted(.putBack, member(), "12:00") == member())
        let other = try edited(both, now: at("12:00")) { $0.horizon = .some(.months) }.task
        #expect(other.segmentConsideredOn == nil && other.segmentDeferredOn == nil)
        #expect(try edited(both, now: at("12:00")) { $0.horizon = .some(.weeks) }.task == both)
    }

    @Test(
        "Golden 75, G-7: Target today",
        arguments: [
            ("10:00", "12:00"), ("20:45", "22:00"), ("23:40", "23:59"), ("22:34:59", "23:00"),
            ("22:35", "23:59"),
            ("00:10", "07:00"),
        ])
    func today(_ now: String, _ target: String) throws {
        let after = try targetToday(member(), periods: periods, now: at(now), prefs: prefs()).get()
        #expect(after.target == at(target))
        #expect(after.originalTarget == at(target), "a first date (T-8)")
        #expect(after.targetSource == .user)
        #expect(after.snoozeCount == 0)
        #expect(after.horizon == .weeks)
        #expect(after.segment == nil)
    }

    @Test func `G-7: on the days when the clock is set, and with no periods at all`() throws {
        func target(_ now: String, _ mine: [Period]) throws -> Instant? {
            try targetToday(member(), periods: mine, now: at(now), prefs: prefs()).get().target
        }
        // 23:40 on the day with 25 hours is not the last of 24 of them.
        #expect(try target("2026-11-02 05:40Z", periods) == at("2026-11-02 05:59Z"))
        #expect(try target("2026-03-08 00:40", [afternoon]) == at("2026-03-08 16:00"))
        #expect(try target("08:00", []) == at("09:00"), "the morning")
        #expect(try target("10:00", []) == at("11:00"))
        #expect(throws: Refusal.self) {
            try targetToday(task(), periods: periods, now: at("10:00"), prefs: prefs()).get()
        }
    }

    @Test func `G-9: members are quiet: no look, not over target, in no period`() {
        let item = member(1, .days, .urgent)
        #expect(nextLook(at: item, now: at("10:00"), prefs: prefs()) == nil)
        #expect(!item.isOverTarget(at: at("10:00")))
        let day = ReminderDay(of: [item], periods: periods, now: at("10:00"), prefs: prefs())
        #expect(day.groups.allSatisfy { $0.total == 0 })
        #expect(day.notToday.isEmpty)
    }

    @Test func `G-2, G-10: segments in order, their rows by priority, age and id; empty ones are not there`()
        throws
    {
        var old = member(3, .days)
        old = TaskItem(
            id: old.id, owner: owner, project: inbox, title: "old", createdAt: at("2026-08-01 12:00"))
        old.horizon = .days
        var handled = try acted(.consider, member(6, .months), "08:00")
        handled.updatedAt = at("08:00")
        var deferred = try acted(.defer, member(7, .months), "09:00")
        deferred.updatedAt = at("09:00")
        let earlier = try acted(.consider, member(8, .weeks), "10-13 08:00")
        let all = [
            handled, deferred, earlier, member(2, .days), member(1, .days), old, member(5, .days, .high),
            member(9, .someday), task(10),
        ]
        let found = segments(of: all, now: at("10:00"), prefs: prefs())
        #expect(found.map(\.horizon) == [.days, .months])
        #expect(found.map(\.horizon.label) == ["Days", "Months"])
        #expect(found[0].waiting.map(\.id.rawValue) == [5, 3, 1, 2])
        #expect(found[0].header == "4 left")
        #expect(found[1].waiting.isEmpty)
        #expect(found[1].header == nil)
        #expect(found[1].handled.map(\.id.rawValue) == [7, 6])
        #expect(TaskItem.Horizon.weeks.label == "Weeks")
        #expect(TaskItem.Horizon.someday.label == "Someday")
    }

    @Test func `G-11: a segment's task takes the card only when nothing else wants it`() {
        let rows = segments(of: [member(1, .weeks), member(2, .months)], now: at("10:00"), prefs: prefs())
        func card(_ reminders: [TaskItem], over: [TaskItem] = []) -> Int64? {
            segmentTaskForCard(
                rows, day: ReminderDay(of: reminders, periods: periods, now: at("10:00"), prefs: prefs()),
                overTarget: over, now: at("10:00"), zone: zone())?.id.rawValue
        }
        #expect(card([]) == 1)
        #expect(card([thought(3, rule: "FREQ=DAILY", anchor: "12:00")]) == 1, "Midday has not started")
        #expect(card([thought(3, rule: "FREQ=DAILY", anchor: "07:00")]) == nil)
        #expect(card([thought(3)]) == nil, "Anytime counts as started")
        #expect(card([], over: [task(4, .high, target: at("09:00"))]) == nil)
        #expect(card([], over: [task(4, .urgent, target: at("09:00"))]) == 1, "no sweep moves it")
        #expect(card([], over: [task(4, target: at("10:01"))]) == 1)
        #expect(
            segmentTaskForCard(
                [], day: ReminderDay(of: [], periods: periods, now: at("10:00"), prefs: prefs()),
                overTarget: [], now: at("10:00"), zone: zone()) == nil)
    }
}
