import Domain
import Testing
import Time

@Suite("M-1, M-3 to M-7, R-18 Reminders of a day")
struct ReminderTests {
    private func waits(_ item: TaskItem, _ day: String = "2026-10-14") -> Bool {
        item.isWaiting(on: date(day), zone: zone())
    }

    private func considered(_ item: TaskItem, at now: Instant) throws -> TaskItem {
        try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false, now: now, prefs: prefs()
        ).get().task
    }

    @Test func `M-1: a reminder is never over target, never snoozed, never skipped`() {
        let item = thought(target: at("08:00"))
        #expect(!item.isOverTarget(at: at("10:00")))
        #expect(nextLook(at: item, now: at("07:00"), prefs: prefs()) == nil)
        #expect(throws: Refusal.self) { try snoozedTask(item, .option("60"), now: at("10:00")) }
        #expect(throws: Refusal.self) { try skip(item, now: at("10:00"), prefs: prefs()).get() }
    }

    @Test func `Golden 69, M-3, M-4: a weekly reminder that was missed is gone until its next day`() {
        let item = thought(rule: "FREQ=WEEKLY;BYDAY=MO", anchor: "09:00", target: at("10-12 09:00"))
        #expect(waits(item, "2026-10-12"))
        #expect(!waits(item, "2026-10-13"))
        #expect(!waits(item, "2026-10-18"))
        #expect(waits(item, "2026-10-19"))
    }

    @Test func `R-18: the rule says whether today is an occurrence, the target does not`() {
        // Made at 10:00 for 7:00 every day: the target is tomorrow's, and it waits today.
        let item = thought(
            rule: "FREQ=DAILY", anchor: "07:00", start: "2026-10-14", target: at("10-15 07:00"))
        #expect(waits(item))
        #expect(!waits(item, "2026-10-13"), "no occurrence lies before the start (R-4)")
        var none = item
        none.rrule = "not a rule"
        #expect(!waits(none))
    }

    @Test func `M-3: from_completion waits from its target's local date on`() {
        var item = thought(rule: "FREQ=WEEKLY", anchor: "23:30", target: at("10-14 23:30"))
        item.recurrenceMode = .fromCompletion
        #expect(!waits(item, "2026-10-13"))
        #expect(waits(item), "23:30 in Chicago is the next day in UTC already")
        #expect(waits(item, "2026-10-20"))
        item.target = nil
        #expect(!waits(item))
    }

    @Test func `M-3: a one-off without a date waits always, a dated one from its date on`() {
        #expect(waits(thought()))
        let dated = thought(target: at("10-15 00:00"))
        #expect(!waits(dated))
        #expect(waits(dated, "2026-10-15"))
        #expect(waits(dated, "2026-11-15"))
    }

    @Test func `M-3: only open reminders wait`() {
        for change in [
            { $0.done = true }, { $0.deletedAt = at("09:00") }, { $0.archivedAt = at("09:00") },
            { $0.isReminder = false },
        ] as [(inout TaskItem) -> Void] {
            var item = thought()
            change(&item)
            #expect(!waits(item))
        }
    }

    @Test func `Golden 70, M-5: considered early it is handled today and waits again tomorrow`() throws {
        let item = thought(rule: "FREQ=DAILY", anchor: "20:30", target: at("20:30"))
        let after = try considered(item, at: at("08:00"))
        #expect(after.isConsidered(on: date("2026-10-14"), zone: zone()))
        #expect(!waits(after))
        #expect(after.target == at("10-15 20:30"))
        let again = try complete(
            after, shownTarget: nil, lastCompletedToday: true, closePeriod: false, now: at("20:31"),
            prefs: prefs()
        ).get()
        #expect(again.alreadyDone)
        #expect(again.task == after)
        #expect(waits(after, "2026-10-15"))
        #expect(!after.isConsidered(on: date("2026-10-15"), zone: zone()))
    }

    @Test func `M-5: the local day of considering counts, not the UTC day`() throws {
        let item = thought(rule: "FREQ=DAILY", anchor: "20:30", target: at("20:30"))
        let late = try considered(item, at: at("23:30"))
        #expect(late.isConsidered(on: date("2026-10-14"), zone: zone()))
        #expect(!late.isConsidered(on: date("2026-10-15"), zone: zone()))
        // The 25-hour day: 23:30 is long after 23 h, and still the same local day.
        let long = try considered(item, at: at("2026-11-02 05:30Z"))
        #expect(long.isConsidered(on: date("2026-11-01"), zone: zone()))
    }

    @Test func `M-5: missed before, considered today: the next one is tomorrow's, not today's once more`()
        throws
    {
        let item = thought(rule: "FREQ=DAILY", anchor: "20:30", target: at("10-13 20:30"))
        #expect(try considered(item, at: at("08:00")).target == at("10-15 20:30"))
    }

    @Test func `M-5, R-11: considering today's occurrence never uses up a later one`() throws {
        // Made at 10:00 for 7:00 every day until the 16th: the 14th, 15th and 16th are its days.
        var item = thought(
            rule: "FREQ=DAILY;UNTIL=20261016", anchor: "07:00", start: "2026-10-14", target: at("10-15 07:00")
        )
        for (day, next) in [("10-14", "10-15 07:00"), ("10-15", "10-16 07:00")] {
            #expect(waits(item, "2026-\(day)"))
            item = try considered(item, at: at("\(day) 11:00"))
            #expect(item.target == at(next))
        }
        #expect(waits(item, "2026-10-16"))
        let last = try considered(item, at: at("10-16 06:00"))
        #expect(last.done)
        #expect(last.isConsidered(on: date("2026-10-16"), zone: zone()))
    }

    @Test func `M-5: considered on a day without an occurrence it goes on as R-7 says`() throws {
        let item = thought(rule: "FREQ=WEEKLY;BYDAY=MO", anchor: "09:00", target: at("10-19 09:00"))
        #expect(try considered(item, at: at("10:00")).target == at("10-26 09:00"))
    }

    @Test func `M-5: across a midnight that does not exist, tomorrow's occurrence is still the next`() throws
    {
        // 2026-09-06 00:00 in Santiago does not exist: the day begins at 01:00.
        let there = prefs("America/Santiago")
        var item = thought(rule: "FREQ=DAILY", anchor: "00:00")
        item.target = at("2026-09-05 00:00", "America/Santiago")
        let after = try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false,
            now: at("2026-09-05 22:00", "America/Santiago"), prefs: there
        ).get().task
        #expect(after.target == at("2026-09-06 01:00", "America/Santiago"))
    }

    @Test func `M-6: put back it waits again and is no longer handled`() throws {
        let item = thought(rule: "FREQ=DAILY", anchor: "20:30", target: at("20:30"))
        let after = try considered(item, at: at("08:00"))
        let back = try uncomplete(
            after,
            last: LastCompletion(
                completedAt: at("08:00"), targetWas: at("20:30"), targetNext: at("10-15 20:30")),
            now: at("09:00"), prefs: prefs()
        ).get()
        #expect(back == item)
        #expect(waits(back))
    }

    @Test func `M-7: priority, then time, then title without case, then id`() {
        let items = [
            thought(1, rule: "FREQ=DAILY", anchor: "10:00", title: "a"),
            thought(2, rule: "FREQ=DAILY", anchor: "09:00", title: "b"),
            thought(3, rule: "FREQ=DAILY", anchor: "09:00", title: "A"),
            thought(5, rule: "FREQ=DAILY", anchor: "09:00", title: "B"),
            thought(4, .high, rule: "FREQ=DAILY", anchor: "11:00", title: "z"),
            thought(6, title: "a"), thought(7, .low, title: "y"),
        ]
        for _ in 1...5 {
            let order = orderedReminders(items.shuffled(), zone: zone()).map(\.id.rawValue)
            #expect(order == [4, 7, 3, 2, 5, 1, 6])
        }
    }
}
