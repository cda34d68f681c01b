import Domain
import Testing
import Time

@Suite("S-1 to S-3, S-20 One task snoozed")
struct SnoozeTests {
    @Test(arguments: [
        // With the examples of S-3, at 14:20.
        ("17:00", "60", "18:00"), ("17:00", "next_period", "20:30"), ("13:00", "60", "15:00"),
        ("13:00", "next_period", "16:00"), ("17:20", "60", "18:20"), ("17:20", "120", "19:20"),
        ("13:00", "120", "16:00"), ("13:00", "90", "16:00"), ("17:00", "15", "17:15"),
        ("13:00", "15", "14:35"),
        ("13:00", "59", "15:19"), ("17:00", "tomorrow", "10-15 09:00"), ("13:00", "tomorrow", "10-15 09:00"),
        ("10-16 17:00", "tomorrow", "10-15 09:00"), ("17:00", "period:5", "20:30"),
        ("13:00", "period:1", "10-15 07:00"), ("10-16 21:00", "next_period", "10-17 07:00"),
        // Exactly now is over target (T-5).
        ("14:20", "60", "15:00"), ("14:20", "next_period", "16:00"),
    ])
    func `Golden 53, 54, S-3 what an option asks for`(_ target: String, _ option: String, _ expected: String)
        throws
    {
        let result = try snoozedTask(task(target: at(target)), .option(option), now: at("14:20"))
        #expect(result.task.target == at(expected))
        #expect(result.task.originalTarget == at(target))
        #expect(result.task.snoozeCount == 1)
    }

    @Test func `S-3 an undated task counts from now`() throws {
        #expect(try snoozedTask(task(), .option("60"), now: at("14:20")).task.target == at("15:00"))
        #expect(try snoozedTask(task(), .option("next_period"), now: at("14:20")).task.target == at("16:00"))
        #expect(try snoozedTask(task(), .deltaMinutes(60), now: at("14:20")).task == task())
    }

    @Test func `S-3 minutes add to the task's own target, also backwards`() throws {
        let item = task(target: at("13:00"))
        #expect(try snoozedTask(item, .deltaMinutes(30), now: at("14:20")).task.target == at("13:30"))
        #expect(try snoozedTask(item, .deltaMinutes(-30), now: at("14:20")).task.target == at("12:30"))
    }

    @Test(arguments: ["0", "1441", "-5", "", "soon", "period:", "period:x", "60 ", "1e3", "+60", "period:77"])
    func `S-3 what is no option is refused`(_ option: String) {
        #expect(throws: Refusal.self) {
            try snoozedTask(task(target: at("13:00")), .option(option), now: at("14:20"))
        }
    }

    @Test(arguments: [
        ("1", true), ("60", true), ("1440", true), ("tomorrow", true), ("next_period", true), ("0", false),
        ("1441", false), ("period:1", false), ("default_option", false), ("", false), ("٦٠", false),
    ])
    func `X-2 the options that a preference can hold`(_ option: String, _ valid: Bool) {
        #expect(isValidSnoozeOption(option) == valid)
    }

    @Test func `S-1 who cannot be snoozed`() throws {
        let now = at("14:20")
        var done = task(target: at("13:00"))
        done.done = true
        done.archivedAt = now
        var skipped = task(target: at("13:00"))
        skipped.archivedAt = now
        var trashed = task(target: at("13:00"))
        trashed.deletedAt = now
        var quota = task()
        quota.isTracked = true
        quota.rrule = "FREQ=DAILY"
        for item in [done, skipped, trashed, quota, reminder()] {
            let error = #expect(throws: Refusal.self) { try snoozedTask(item, .until(at("17:00")), now: now) }
            #expect(error?.status == .invalid)
        }
        #expect(throws: Refusal.self) { try edited(done, now: now) { $0.target = at("17:00") } }
    }

    @Test func `S-2 a target in the past is allowed`() throws {
        let result = try snoozedTask(task(target: at("13:00")), .until(at("10:00")), now: at("14:20"))
        #expect(result.task.target == at("10:00"))
        #expect(result.task.isOverTarget(at: at("14:20")))
    }

    @Test func `S-4 any priority moves`() throws {
        for priority in TaskItem.Priority.allCases {
            let result = try snoozedTask(
                task(1, priority, target: at("13:00")), .option("60"), now: at("14:20"))
            #expect(result.task.target == at("15:00"))
        }
    }

    @Test func `S-20 a snoozed task waits for enrichment no longer`() throws {
        var item = task(target: at("13:00"))
        item.labels = ["home", "ai-to-process"]
        #expect(try snoozedTask(item, .option("60"), now: at("14:20")).task.labels == ["home"])
        #expect(try swept([item], now: at("14:20")).moved.first?.after.labels == ["home"])
        #expect(try edited(item, now: at("14:20")) { $0.target = at("16:00") }.task.labels == ["home"])
        #expect(try edited(item, now: at("14:20")) { $0.title = "x" }.task.labels == item.labels)
    }

    @Test func `X-13 across the clock change an hour is an hour`() throws {
        let spring = try snooze(
            task(target: at("2026-03-08 01:00")), .option("60"), periods: periods,
            now: at("2026-03-08 01:20"),
            prefs: prefs()
        ).get()
        #expect(spring.task.target == at("2026-03-08 08:00Z"))
        let ahead = try snooze(
            task(target: at("2026-03-08 01:30")), .option("60"), periods: periods,
            now: at("2026-03-08 01:20"),
            prefs: prefs()
        ).get()
        #expect(ahead.task.target == at("2026-03-08 08:30Z"))
    }
}
