import Domain
import Testing
import Time

@Suite("M-12 to M-15 A day of periods")
struct ReminderDayTests {
    private let now = at("12:40")

    private func day(_ items: [TaskItem], now: Instant? = nil) -> ReminderDay {
        ReminderDay(of: items, periods: periods.reversed(), now: now ?? self.now, prefs: prefs())
    }

    private func daily(_ id: Int64, _ anchor: String?, consideredAt: Instant? = nil) -> TaskItem {
        var item = thought(id, rule: anchor == nil ? nil : "FREQ=DAILY", anchor: anchor)
        item.lastCompletedAt = consideredAt
        return item
    }

    @Test func `M-12: waiting, considered, left, handled, total, finished, in order with Anytime last`()
        throws
    {
        var once = daily(5, nil, consideredAt: at("11:00"))
        once.done = true
        var gone = daily(6, "09:00", consideredAt: at("11:00"))
        gone.deletedAt = at("11:30")
        let today = day([
            daily(1, "09:00"), daily(2, "09:30", consideredAt: at("08:00")),
            daily(3, "10:00", consideredAt: at("09:00")), daily(4, "07:00", consideredAt: at("10-13 20:00")),
            once,
            gone, daily(7, "20:30", consideredAt: at("12:00")),
        ])
        #expect(
            today.groups.map(\.period?.label)
                == ["Early morning", "Morning", "Midday", "Afternoon", "Evening", nil])
        let morning = try #require(today[morningPeriod.id])
        #expect(morning.waiting.map(\.id.rawValue) == [1])
        #expect(morning.considered.map(\.id.rawValue) == [3, 2], "newest first")
        #expect((morning.left, morning.handled, morning.total) == (1, 2, 3))
        #expect(!morning.isFinished)
        #expect(today[earlyMorning.id]?.left == 1, "considered yesterday, so it waits")
        #expect(today[evening.id]?.isFinished == true, "also before its start")
        #expect(today[midday.id]?.isFinished == false, "nothing was ever there")
        #expect(today[nil]?.considered.map(\.id.rawValue) == [5])
        #expect(today.notToday.isEmpty)
    }

    @Test func `M-12: what has no occurrence today is in no period`() {
        let weekly = thought(1, rule: "FREQ=WEEKLY;BYDAY=TH", anchor: "09:00")
        let today = day([weekly, task(2, target: at("09:00"))])
        #expect(today.notToday == [weekly])
        #expect(today.groups.allSatisfy { $0.total == 0 })
    }

    @Test
    func `M-13: after a period's last item the view goes to the earliest started one with something left`() {
        let finished = daily(1, "12:00", consideredAt: at("12:40"))
        func next(_ items: [TaskItem], after period: Period = midday) -> Period? {
            day(items + [finished]).next(after: period.id, now: now, zone: zone())
        }
        #expect(next([daily(2, "07:00"), daily(3, "09:00")]) == earlyMorning)
        #expect(next([daily(3, "09:00"), daily(4, "20:30")]) == morningPeriod)
        #expect(next([daily(4, "20:30")]) == nil, "Evening has not started: it stays")
        #expect(next([daily(4, nil)]) == nil, "Anytime is no period")
        #expect(next([daily(5, "12:30"), daily(3, "09:00")]) == nil, "Midday is not finished yet")
        #expect(next([]) == nil)
    }

    @Test func `Golden 72, M-14: nothing waiting and nothing handled is no complete day`() {
        #expect(!day([]).isComplete)
    }

    @Test
    func
        `M-14: complete is when nothing waits anywhere, also later and in Anytime, and something was handled`()
    {
        let handled = daily(1, "07:00", consideredAt: at("08:00"))
        #expect(day([handled]).isComplete)
        #expect(!day([handled, daily(2, "20:30")]).isComplete)
        #expect(!day([handled, daily(2, nil)]).isComplete)
        #expect(day([handled, daily(2, nil, consideredAt: at("09:00"))]).isComplete)
        #expect(!day([handled], now: at("10-15 00:00")).isComplete, "another day")
        // G-9: segments never count.
        var member = task(3)
        member.horizon = .days
        #expect(day([handled, member]).isComplete)
    }

    @Test func `N-40: a period is finished by the change that leaves nothing in it`() {
        let before = day([daily(1, "09:00"), daily(2, "12:00"), daily(3, "20:30"), daily(4, nil)])
        let after = day([
            daily(1, "09:00", consideredAt: now), daily(2, "12:00"), daily(3, "20:30", consideredAt: now),
            daily(4, nil, consideredAt: now),
        ])
        #expect(after.finished(since: before) == [morningPeriod.id, evening.id])
        #expect(after.finished(since: after).isEmpty)
        #expect(before.finished(since: after).isEmpty)
    }

    @Test func `M-12, Q-24: quota reminders count in their period exactly like reminders`() throws {
        let floss = quota("FREQ=DAILY", 2, 1, start: at("00:00"), id: 11)
        let stretch = quota("FREQ=WEEKLY", 3, start: at("10-11 00:00"), id: 12) {
            $0.quotaPromptConfig = #"{"slot_id":3}"#
        }
        // Number 1 in Early morning is done, number 2 in Morning waits; the weekly one waits in Midday.
        let today = day([floss, stretch, daily(1, "12:30", consideredAt: at("12:35"))])
        #expect(today[earlyMorning.id]?.isFinished == true)
        #expect(today[earlyMorning.id]?.handled == 1)
        #expect(today[morningPeriod.id]?.left == 1)
        let noon = try #require(today[midday.id])
        #expect((noon.left, noon.handled, noon.total) == (1, 1, 2))
        #expect(noon.waitingPrompts.map(\.task.rawValue) == [12])
        #expect(!today.isComplete)
        #expect(today.next(after: evening.id, now: now, zone: zone()) == morningPeriod)

        // Handled through the day, they make it complete (M-14), and finish their periods (N-40).
        let handled = day([
            acting(
                .consider, on: try #require(today[morningPeriod.id]?.prompts.first).key, of: floss, now: now,
                prefs: prefs()),
            acting(.did, on: noon.prompts[0].key, of: stretch, now: now, prefs: prefs()),
        ])
        #expect(handled.isComplete)
        #expect(handled.finished(since: today) == [morningPeriod.id, midday.id])
    }
}
