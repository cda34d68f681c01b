import Domain
import Testing
import Time

@Suite("C-1 to C-10, M-5 Done, skipped, put back, thrown away")
struct CompletionTests {
    let now = at("10:00")

    func done(
        _ item: TaskItem, shown: Instant? = nil, today: Bool = false, closePeriod: Bool = false, now: Instant
    ) throws(Refusal) -> Completed {
        try complete(
            item, shownTarget: shown, lastCompletedToday: today, closePeriod: closePeriod, now: now,
            prefs: prefs()
        ).get()
    }

    func daily(_ target: String) throws -> TaskItem {
        try created(now: at("2026-10-01 12:00")) {
            $0.rrule = "FREQ=DAILY;BYHOUR=8"
            $0.target = at(target)
        }
    }

    @Test func `C-1 a one-off is done once`() throws {
        let item = task(target: at("09:00"))
        let result = try done(item, now: now)
        #expect(result.task.done)
        #expect(result.task.doneAt == now)
        #expect(result.task.archivedAt == now)
        #expect(result.task.completionCount == 1)
        #expect(result.task.firstCompletedAt == now)
        #expect(result.task.lastCompletedAt == now)
        #expect(!result.wasRecurring)
        #expect(result.nextTarget == nil)
        let again = try done(result.task, now: at("11:00"))
        #expect(again.alreadyDone)
        #expect(again.task == result.task)
    }

    @Test func `C-2 a recurring task advances in place`() throws {
        var item = try daily("10-14 08:00")
        item.target = at("09:30")
        item.snoozeCount = 3
        let result = try done(item, now: now)
        #expect(result.task.isOpen)
        #expect(result.task.id == item.id)
        #expect(result.task.target == at("10-15 08:00"))
        #expect(result.task.originalTarget == at("10-15 08:00"))
        #expect(!result.task.isSnoozed)
        #expect(result.task.snoozeCount == 3)
        #expect(result.task.completionCount == 1)
        #expect(result.task.doneAt == nil)
    }

    @Test func `Golden 107, C-3 a late or doubled Done never completes the next occurrence`() throws {
        let item = try daily("10-14 08:00")
        let first = try done(item, shown: at("08:00"), now: now)
        #expect(!first.alreadyDone)
        let second = try done(first.task, shown: at("08:00"), now: at("10:00:01"))
        #expect(second.alreadyDone)
        #expect(second.stale)
        #expect(second.task == first.task)
        let blind = try done(first.task, now: at("10:00:01"))
        #expect(!blind.alreadyDone)
        #expect(blind.nextTarget == at("10-16 08:00"))
    }

    @Test func `R-11 the last occurrence finishes the task`() throws {
        var item = try daily("10-14 08:00")
        item.rrule = "FREQ=DAILY;BYHOUR=8;UNTIL=20261014"
        let result = try done(item, now: now)
        #expect(result.task.done)
        #expect(result.wasRecurring)
        #expect(result.nextTarget == nil)
        let skipped = try skip(item, now: now, prefs: prefs()).get()
        #expect(skipped.archivedAt == now)
        #expect(!skipped.done)
    }

    @Test func `Golden 108, C-6 skipping`() throws {
        let item = try created(now: at("2026-10-01 12:00")) {
            $0.rrule = "FREQ=DAILY"
            $0.target = at("09:00")
        }
        let skipped = try skip(item, now: now, prefs: prefs()).get()
        #expect(skipped.target == at("10-15 09:00"))
        #expect(skipped.originalTarget == skipped.target)
        #expect(skipped.skipCount == 1)
        #expect(skipped.completionCount == 0)
        #expect(skipped.lastCompletedAt == nil)
        let oneOff = try skip(task(target: at("09:00")), now: now, prefs: prefs()).get()
        #expect(oneOff.archivedAt == now)
        #expect(!oneOff.done)
        #expect(!oneOff.isOpen)
    }

    @Test func `C-6 what cannot be skipped`() throws {
        var quota = task()
        quota.isTracked = true
        quota.rrule = "FREQ=DAILY"
        var trashed = task()
        trashed.deletedAt = now
        let finished = try done(task(), now: now).task
        for item in [quota, trashed, finished, reminder()] {
            #expect(throws: Refusal.self) { try skip(item, now: now, prefs: prefs()).get() }
        }
    }

    @Test func `M-5 a reminder is considered once a day`() throws {
        // Golden case 70.
        let first = try done(reminder(), now: at("08:00"))
        #expect(first.nextTarget == at("10-15 20:30"))
        #expect(first.task.completionCount == 1)
        let second = try done(first.task, today: true, now: at("20:31"))
        #expect(second.alreadyDone)
        #expect(!second.stale)
        #expect(second.task == first.task)
    }

    @Test func `Q-11 a quota is closed, not completed`() throws {
        var quota = task()
        quota.progressTarget = 3
        quota.progressCurrent = 2
        quota.rrule = "FREQ=DAILY"
        #expect(throws: Refusal.self) { try done(quota, now: now) }
        let closed = try done(quota, closePeriod: true, now: now)
        #expect(closed.task.progressCurrent == 0)
        #expect(closed.task.completionCount == 1)
        #expect(closed.task.isOpen)
        #expect(throws: Refusal.self) {
            try uncomplete(
                closed.task, last: LastCompletion(completedAt: now, targetWas: nil, targetNext: nil),
                now: now,
                prefs: prefs()
            ).get()
        }
    }

    @Test func `T-4 the trash cannot be completed`() {
        var item = task()
        item.deletedAt = now
        #expect(throws: Refusal.self) { try done(item, now: now) }
    }

    @Test func `C-7 a one-off comes back as it was`() throws {
        var item = task(target: at("09:00"))
        item.originalTarget = at("08:00")
        let finished = try done(item, now: now).task
        let last = LastCompletion(completedAt: now, targetWas: at("09:00"), targetNext: nil)
        #expect(try uncomplete(finished, last: last, now: at("11:00"), prefs: prefs()).get() == item)
        #expect(throws: Refusal.self) { try uncomplete(item, last: nil, now: now, prefs: prefs()).get() }
    }

    @Test func `C-8 a recurring item completed today is taken back, if nothing changed since`() throws {
        let item = try daily("10-14 08:00")
        let after = try done(item, now: now)
        let last = LastCompletion(completedAt: now, targetWas: at("08:00"), targetNext: after.nextTarget)
        #expect(try uncomplete(after.task, last: last, now: at("11:00"), prefs: prefs()).get() == item)

        let moved = try snoozedTask(after.task, .until(at("10-15 12:00")), now: at("11:00")).task
        let error = #expect(throws: Refusal.self) {
            try uncomplete(moved, last: last, now: at("11:00"), prefs: prefs()).get()
        }
        #expect(error?.reason == "changed_since")
        #expect(error?.status == .conflict)
        // Completed yesterday: nothing of today to put back.
        let yesterday = #expect(throws: Refusal.self) {
            try uncomplete(after.task, last: last, now: at("10-15 00:00"), prefs: prefs()).get()
        }
        #expect(yesterday?.status == .invalid)
    }

    @Test func `C-8 the completion before it is the last one again`() throws {
        let item = try done(try daily("10-13 08:00"), now: at("10-13 09:00")).task
        let after = try done(item, now: now)
        let last = LastCompletion(
            completedAt: now, targetWas: at("08:00"), targetNext: after.nextTarget,
            previousCompletedAt: at("10-13 09:00"))
        #expect(try uncomplete(after.task, last: last, now: at("11:00"), prefs: prefs()).get() == item)
    }

    @Test func `C-10 the trash and back`() throws {
        let item = task(target: at("09:00"))
        let trashed = try trash(item, now: now).get()
        #expect(trashed.deletedAt == now)
        #expect(!trashed.isOpen)
        #expect(throws: Refusal.self) { try trash(trashed, now: now).get() }
        #expect(try restore(trashed, now: at("12:00"), prefs: prefs()).get() == item)
        #expect(throws: Refusal.self) { try restore(item, now: now, prefs: prefs()).get() }
    }

    @Test func `D-4 a restored deadline gets a target`() throws {
        var item = task(deadline: at("2026-10-20 18:00"))
        item.deletedAt = now
        let restored = try restore(item, now: now, prefs: prefs()).get()
        #expect(restored.target == at("2026-10-17 09:00"))
        #expect(restored.targetSource == .auto)
    }
}
