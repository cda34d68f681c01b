import Domain
import Testing
import Time

@Suite("U-4 to U-6, U-13 Undo")
struct UndoTests {
    let now = at("14:20")

    /// Undoes an action on what the row has become meanwhile.
    func undo(_ before: TaskItem, _ after: TaskItem, on present: TaskItem) -> Restoration {
        let fields = after.fields(changedFrom: before)
        return restoring(present, from: values(of: after, fields), to: values(of: before, fields))
    }

    @Test func `Golden 110, U-4 somebody else's later change stays`() throws {
        let item = task(target: at("13:00"))
        let mine = try snoozedTask(item, .until(at("15:00")), now: now).task
        let theirs = try snoozedTask(mine, .until(at("18:00")), now: now).task
        let undone = undo(item, mine, on: theirs)
        #expect(undone.task.target == at("18:00"))
        #expect(undone.skipped == [.target])
        // U-5: of the two snoozes one is taken back.
        #expect(undone.task.snoozeCount == 1)
    }

    @Test func `U-4 only the changed fields are written`() throws {
        let item = task(target: at("13:00"))
        let mine = try edited(item, now: now) {
            $0.title = "Mine"
            $0.priority = .high
        }.task
        var present = mine
        present.notes = "theirs"
        present.priority = .urgent
        let undone = undo(item, mine, on: present)
        #expect(undone.task.title == item.title)
        #expect(undone.task.notes == "theirs")
        #expect(undone.task.priority == .urgent)
        #expect(undone.skipped == [.priority])
    }

    @Test func `U-4 what is as wanted already is not skipped`() throws {
        let item = task(target: at("13:00"))
        let mine = try edited(item, now: now) { $0.title = "Mine" }.task
        var present = mine
        present.title = item.title
        #expect(undo(item, mine, on: present).skipped.isEmpty)
    }

    @Test func `Golden 111, U-5 U-6 a recurring completion, undone and redone`() throws {
        // Without the row, which is the store's.
        var item = try created(now: at("2026-10-01 12:00")) {
            $0.rrule = "FREQ=DAILY"
            $0.target = at("08:00")
        }
        item = try snoozedTask(item, .until(at("13:00")), now: at("09:00")).task
        let after = try complete(
            item, shownTarget: nil, lastCompletedToday: false, closePeriod: false, now: now, prefs: prefs()
        ).get().task
        let undone = undo(item, after, on: after)
        #expect(undone.task == item)
        #expect(undone.task.isSnoozed)
        // Redo mirrors it.
        #expect(undo(after, item, on: undone.task).task == after)
    }

    @Test func `U-5 counters move by difference`() throws {
        let item = task(target: at("13:00"))
        let mine = try snoozedTask(item, .until(at("15:00")), now: now).task
        var present = mine
        present.snoozeCount = 9
        present.completionCount = 4
        let undone = undo(item, mine, on: present)
        #expect(undone.task.snoozeCount == 8)
        #expect(undone.task.completionCount == 4)
        present.snoozeCount = 0
        #expect(undo(item, mine, on: present).task.snoozeCount == 0)
    }

    @Test func `U-13 undo of a sweep gives each task its own target back`() throws {
        let items = [task(1, target: at("09:00")), task(2, .low, target: at("10-10 12:00"))]
        let result = try swept(items, now: now)
        for (before, after) in result.moved {
            #expect(undo(before, after, on: after).task == before)
        }
        #expect(result.moved.count == 2)
    }

    @Test func `D-4 undo that leaves a deadline alone gives it a target`() {
        let item = task(deadline: at("2026-10-20 18:00"))
        let mended = item.withTargetForDeadline(now: now, prefs: prefs())
        #expect(mended.target == at("2026-10-17 09:00"))
        #expect(mended.targetSource == .auto)
        #expect(task().withTargetForDeadline(now: now, prefs: prefs()) == task())
        let dated = task(target: at("13:00"), deadline: at("2026-10-20 18:00"))
        #expect(dated.withTargetForDeadline(now: now, prefs: prefs()) == dated)
    }

    @Test func `every field goes out and comes back`() {
        var full = TaskItem(
            id: TaskItem.ID(rawValue: 7), owner: owner, project: inbox, title: "a", createdAt: now)
        full.originalTitle = "b"
        full.shortTitle = "c"
        full.notes = "d"
        full.priority = .urgent
        full.target = at("13:00")
        full.originalTarget = at("12:00")
        full.targetSource = .auto
        full.deadline = at("18:00")
        full.deadlineAllDay = true
        full.rrule = "FREQ=DAILY"
        full.recurrenceMode = .fromCompletion
        full.anchorTime = time("08:30")
        full.anchorWeekday = 3
        full.anchorDayOfMonth = 31
        full.ruleStart = date("2026-10-01")
        full.shortMonths = .skip
        full.repeatInterval = 0
        full.horizon = .someday
        full.segmentConsideredOn = date("2026-10-02")
        full.segmentDeferredOn = date("2026-10-03")
        full.labels = ["x", "y"]
        full.isReminder = true
        full.isTracked = true
        full.progressTarget = 5
        full.progressCurrent = 4
        full.progressPeriodStart = at("00:00")
        full.quotaPromptConfig = "{}"
        full.quotaDayState = "{}"
        full.done = true
        full.doneAt = at("11:00")
        full.archivedAt = at("11:01")
        full.deletedAt = at("11:02")
        full.completionCount = 1
        full.snoozeCount = 2
        full.skipCount = 3
        full.firstCompletedAt = at("11:03")
        full.lastCompletedAt = at("11:04")
        full.project = ProjectID(rawValue: 9)
        let empty = TaskItem(id: full.id, owner: owner, project: inbox, title: "z", createdAt: now)
        // Every field differs, so none can be forgotten.
        #expect(Set(full.fields(changedFrom: empty)) == Set(TaskField.allCases))
        var copy = empty
        for field in TaskField.allCases { copy[field] = full[field] }
        #expect(copy == full)
        for field in TaskField.allCases { copy[field] = empty[field] }
        #expect(copy == empty)
    }
}
