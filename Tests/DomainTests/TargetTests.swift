import Domain
import Testing
import Time

@Suite("T-1 to T-12 Tasks and targets")
struct TargetTests {
    @Test func `T-5 the instant of the target is over target`() {
        // Golden case 21.
        let item = task(target: at("09:00"))
        #expect(!item.isOverTarget(at: at("08:59:59")))
        #expect(item.isOverTarget(at: at("09:00:00")))
    }

    @Test func `T-5 T-6 only open tasks with a target are over target`() {
        let now = at("12:00")
        var item = task(target: at("09:00"))
        item.isReminder = true
        #expect(!item.isOverTarget(at: now))
        item = task(target: at("09:00"))
        item.progressTarget = 2
        #expect(!item.isOverTarget(at: now))
        item = task(target: at("09:00"))
        item.archivedAt = now
        #expect(!item.isOverTarget(at: now))
        item = task(target: at("09:00"))
        item.deletedAt = now
        #expect(!item.isOverTarget(at: now))
        #expect(!task().isOverTarget(at: now))
    }

    @Test func `T-7 T-8 snoozes count, the picker starts anew, undo brings it back`() throws {
        // Golden cases 22 and 23.
        let now = at("10:00")
        let new = try created(now: now) { $0.target = at("10-15 09:00") }
        #expect(!new.isSnoozed)
        var item = try snoozedTask(new, .until(at("10-15 14:00")), now: now).task
        item = try snoozedTask(item, .until(at("10-15 16:00")), now: now).task
        #expect(item.originalTarget == at("10-15 09:00"))
        #expect(item.snoozeCount == 2)
        #expect(item.isSnoozed)

        let picked = try edited(item, now: now) {
            $0.target = at("10-17 11:00")
            $0.resetOriginalTarget = true
        }
        #expect(!picked.isSnooze)
        #expect(picked.task.originalTarget == at("10-17 11:00"))
        #expect(picked.task.snoozeCount == 0)
        #expect(!picked.task.isSnoozed)

        let changed = picked.task.fields(changedFrom: item)
        let undone = restoring(
            picked.task, from: values(of: picked.task, changed), to: values(of: item, changed))
        #expect(undone.task == item)
        #expect(undone.skipped.isEmpty)
    }

    @Test func `T-8 an undated task's first date is no snooze`() throws {
        // Golden case 24, by sweep, snooze and edit.
        let now = at("14:20")
        let first = at("10-15 09:00")
        let swept = try swept([], included: [task()], .until(first), now: now)
        let snoozed = try snoozedTask(task(), .until(first), now: now)
        let edited = try edited(task(), now: now) { $0.target = first }
        #expect(!edited.isSnooze)
        for item in [try #require(swept.moved.first?.after), snoozed.task, edited.task] {
            #expect(item.target == first)
            #expect(item.originalTarget == first)
            #expect(item.snoozeCount == 0)
            #expect(item.targetSource == .user)
        }
    }

    @Test func `T-8 the present value changes nothing`() throws {
        // Golden case 25.
        let item = task(target: at("15:00"))
        let result = try edited(item, now: at("14:20")) { $0.target = at("15:00") }
        #expect(result.task == item)
        #expect(!result.isSnooze)
    }

    @Test func `T-8 a bare date is a snooze, a cleared one forgets its origin`() throws {
        let item = task(target: at("15:00"))
        let moved = try edited(item, now: at("14:20")) { $0.target = at("17:00") }
        #expect(moved.isSnooze)
        #expect(moved.task.originalTarget == at("15:00"))
        #expect(moved.task.snoozeCount == 1)
        let cleared = try edited(moved.task, now: at("14:20")) { $0.target = .some(nil) }
        #expect(cleared.task.target == nil)
        #expect(cleared.task.originalTarget == nil)
        #expect(cleared.task.targetSource == nil)
        #expect(cleared.task.snoozeCount == 1)
    }

    @Test func `T-8 accepting the present target`() throws {
        let now = at("14:20")
        var item = task(target: at("15:00"))
        #expect(try edited(item, now: now) { $0.resetOriginalTarget = true }.task == item)
        item = try snoozedTask(item, .until(at("16:00")), now: now).task
        let accepted = try edited(item, now: now) { $0.resetOriginalTarget = true }
        #expect(accepted.task.target == at("16:00"))
        #expect(accepted.task.originalTarget == at("16:00"))
        #expect(accepted.task.snoozeCount == 0)
        #expect(!accepted.isSnooze)
    }

    @Test(arguments: [
        (TaskItem.Priority.unset, 30), (.low, 240), (.medium, 60), (.high, 15), (.urgent, 5),
    ])
    func `T-9 the interval is the task's own, else its priority's`(
        _ priority: TaskItem.Priority, _ minutes: Int
    ) {
        var item = task(1, priority, target: at("09:00"))
        #expect(repeatInterval(of: item, prefs: prefs()) == minutes)
        item.repeatInterval = 7
        #expect(repeatInterval(of: item, prefs: prefs()) == 7)
        item.repeatInterval = 0
        #expect(repeatInterval(of: item, prefs: prefs()) == 0)
    }

    @Test(arguments: [
        ("", nil), ("   \n\t ", nil), ("  Buy milk \n", "Buy milk"),
        (String(repeating: "é", count: 10_001), nil),
        ("\u{3000}x\u{00A0}", "x"),
    ])
    func `T-3 titles are trimmed, 1 to 10,000 characters`(_ text: String, _ expected: String?) {
        #expect((try? created(now: at("12:00")) { $0.title = text })?.title == expected)
        #expect((try? edited(task(), now: at("12:00")) { $0.title = text })?.task.title == expected)
    }

    @Test func `T-3 limits of the other fields`() {
        let now = at("12:00")
        #expect(throws: Refusal.self) {
            try created(now: now) { $0.notes = String(repeating: "n", count: 100_001) }
        }
        #expect(throws: Refusal.self) { try created(now: now) { $0.repeatInterval = 10_081 } }
        #expect(throws: Refusal.self) { try created(now: now) { $0.repeatInterval = -1 } }
        #expect(throws: Refusal.self) { try created(now: now) { $0.progressTarget = 0 } }
        #expect(throws: Refusal.self) { try created(now: now) { $0.progressTarget = 1001 } }
        #expect(throws: Refusal.self) {
            try created(now: now) { $0.shortTitle = String(repeating: "s", count: 25) }
        }
    }

    @Test func `T-1 reminder and quota exclude each other`() {
        let now = at("12:00")
        #expect(throws: Refusal.self) {
            try created(now: now) {
                $0.isReminder = true
                $0.isTracked = true
                $0.rrule = "FREQ=DAILY"
            }
        }
        #expect(throws: Refusal.self) { try edited(reminder(), now: now) { $0.progressTarget = 3 } }
    }

    @Test func `T-2 fields that a kind cannot have`() {
        let now = at("12:00")
        let deadline = DeadlineInput.instant(at("10-20 12:00"))
        func refused(_ change: (inout TaskDraft) -> Void) -> String? {
            do throws(Refusal) {
                _ = try created(now: now, change)
                return nil
            } catch { return error.field }
        }
        #expect(refused { ($0.rrule, $0.deadline) = ("FREQ=DAILY", deadline) } == "deadline_at")
        #expect(refused { ($0.rrule, $0.horizon) = ("FREQ=DAILY", .weeks) } == "horizon")
        #expect(refused { ($0.isReminder, $0.deadline) = (true, deadline) } == "deadline_at")
        #expect(refused { ($0.isReminder, $0.horizon) = (true, .weeks) } == "horizon")
        #expect(refused { ($0.isTracked, $0.rrule, $0.target) = (true, "FREQ=DAILY", now) } == "due_at")
        #expect(
            refused { ($0.isTracked, $0.rrule, $0.deadline) = (true, "FREQ=DAILY", deadline) }
                == "deadline_at")
        #expect(refused { $0.isTracked = true } == "rrule")
        #expect(refused { ($0.isTracked, $0.rrule) = (true, "FREQ=WEEKLY;BYDAY=MO") } == "rrule")
    }

    @Test func `T-10 what is left out is filled in`() throws {
        let now = at("12:00")
        let item = try created(now: now) { $0.rrule = "FREQ=DAILY;BYHOUR=8" }
        #expect(item.target == at("10-15 08:00"))
        #expect(item.originalTarget == item.target)
        #expect(item.anchorTime == time("08:00"))
        #expect(item.ruleStart == date("2026-10-14"))
        #expect(item.priority == .unset)
        #expect(item.version == 1)
        #expect(item.originalTitle == "Call the plumber")
    }

    @Test func `T-10 a target after a deadline ahead is refused`() throws {
        let now = at("12:00")
        let error = #expect(throws: Refusal.self) {
            try created(now: now) {
                $0.target = at("10-17 09:00")
                $0.deadline = .instant(at("10-16 18:00"))
            }
        }
        #expect(error?.reason == "target_after_deadline")
        let past = try created(now: now) {
            $0.target = at("10-17 09:00")
            $0.deadline = .instant(at("11:00"))
        }
        #expect(past.target == at("10-17 09:00"))
    }

    @Test func `G-2 an undated task gets the default horizon unless it names one`() throws {
        var prefs = prefs()
        prefs.defaultHorizon = .weeks
        func horizon(_ change: (inout TaskDraft) -> Void) throws -> TaskItem.Horizon? {
            var draft = TaskDraft(title: "x", project: inbox)
            change(&draft)
            return try create(
                draft, id: TaskItem.ID(rawValue: 1), owner: owner, periods: [], defaultPeriod: nil,
                now: at("12:00"), prefs: prefs
            ).get().horizon
        }
        #expect(try horizon { _ in } == .weeks)
        #expect(try horizon { $0.horizon = .some(.some(.days)) } == .days)
        #expect(try horizon { $0.horizon = .some(nil) } == nil)
        #expect(try horizon { $0.target = at("10-15 09:00") } == nil)
    }

    @Test func `T-11 several fields at once, and an empty PATCH`() throws {
        let item = task(target: at("15:00"))
        #expect(try edited(item, now: at("12:00")) { _ in }.task == item)
        let result = try edited(item, now: at("12:00")) {
            $0.title = "New"
            $0.notes = .some("n")
            $0.priority = .high
            $0.repeatInterval = .some(20)
            $0.labels = ["home", "Home ", "work"]
        }
        #expect(
            Set(result.task.fields(changedFrom: item)) == [
                .title, .notes, .priority, .repeatInterval, .labels,
            ])
        #expect(result.task.labels == ["home", "work"])
        #expect(result.task.version == item.version)
    }

    @Test func `T-11 the trash cannot be edited`() {
        var item = task()
        item.deletedAt = at("09:00")
        #expect(throws: Refusal.self) { try edited(item, now: at("12:00")) { $0.title = "x" } }
    }
}

/// The values of some fields, as an undo entry holds them.
func values(of task: TaskItem, _ fields: [TaskField]) -> [TaskField: FieldValue] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0, task[$0]) })
}

/// A reminder, daily at 20:30, with today's occurrence ahead.
func reminder(_ id: Int64 = 1) -> TaskItem {
    var item = task(id, target: at("20:30"))
    item.isReminder = true
    item.rrule = "FREQ=DAILY;BYHOUR=20;BYMINUTE=30"
    item.anchorTime = time("20:30")
    item.ruleStart = date("2026-09-01")
    return item
}
