import Domain
import Testing
import Time

@Suite("A32, S-16 One edit of many items")
struct BulkEditTests {
    private let now = at("14:20")

    private func item(
        _ task: TaskItem, delta: Int? = nil, _ change: (inout TaskPatch) -> Void = { _ in }
    ) -> BulkEditItem {
        var patch = TaskPatch()
        change(&patch)
        return BulkEditItem(task: task, patch: patch, deltaMinutes: delta, prefs: prefs())
    }

    private func edited(_ items: [BulkEditItem], included: Set<TaskItem.ID> = []) throws -> BulkEditResult {
        try bulkEdit(items, included: included, now: now).get()
    }

    private func ids(_ result: BulkEditResult) -> [Int64] { result.counts.moved.map(\.after.id.rawValue) }

    private var quota: TaskItem {
        var quota = task(9)
        quota.isTracked = true
        quota.rrule = "FREQ=DAILY"
        quota.progressPeriodStart = at("00:00")
        return quota
    }

    @Test func `S-16 S-11 a date without a rule goes by the tiers, the rest by nothing`() throws {
        let batch = [
            task(1, .low, target: at("13:00")), task(2, .high, target: at("13:00")),
            task(3, .urgent, target: at("13:00")),
            task(4, .low, target: at("13:00"), deadline: at("14:00")),
        ]
        let result = try edited(
            batch.map { task in
                item(task) {
                    $0.target = at("18:00")
                    $0.notes = "later"
                }
            })
        #expect(ids(result) == [1, 2, 3, 4])
        #expect(
            result.counts.moved.map(\.after.target) == [at("18:00"), at("13:00"), at("13:00"), at("13:00")])
        #expect(result.counts.moved.allSatisfy { $0.after.notes == "later" })
        #expect(result.counts.skippedHigh == 1 && result.counts.skippedUrgent == 2)
        #expect(result.counts.skippedPastDeadline == 1)
        // They took the rest, so none was skipped.
        #expect(result.counts.skipped == 0)
        #expect(result.snoozes == 1)

        let dates = try edited(batch.map { task in item(task) { $0.target = at("18:00") } })
        #expect(ids(dates) == [1])
        #expect(dates.counts.skipped == 3)
    }

    @Test func `S-16 lower is judged among the items that the date is meant for`() throws {
        let low = task(1, .low, target: at("13:00"))
        let high = task(2, .high, target: at("13:00"))
        let result = try edited([item(low) { $0.notes = "x" }, item(high) { $0.target = at("18:00") }])
        #expect(ids(result) == [1, 2])
        #expect(result.counts.snoozedHigh == 1 && result.counts.skippedHigh == 0)
    }

    @Test func `S-4 ids that are named move whatever their tier`() throws {
        let batch = [task(1, .low, target: at("13:00")), task(2, .urgent, target: at("13:00"))]
        let result = try edited(
            batch.map { task in item(task) { $0.target = at("18:00") } }, included: [batch[1].id])
        #expect(ids(result) == [1, 2])
    }

    @Test func `S-16 a relative move: each from its own target, undated ones take the rest`() throws {
        let result = try edited([
            item(task(1, target: at("13:00")), delta: 60), item(task(2), delta: 60),
            item(task(3), delta: 60) { $0.priority = .low },
        ])
        #expect(ids(result) == [1, 3])
        #expect(result.counts.moved.map(\.after.target) == [at("14:00"), nil])
        #expect(result.counts.skippedUndated == 2 && result.counts.skipped == 1)
        #expect(result.snoozes == 1)
    }

    @Test func `T-8 a rule with the date is a new schedule: no tiers, no snooze`() throws {
        let urgent = task(1, .urgent, target: at("13:00"))
        let result = try edited([
            item(urgent) {
                $0.rrule = "FREQ=DAILY"
                $0.target = at("10-15 09:00")
            }, item(task(2, .low, target: at("13:00"))) { $0.target = at("10-15 09:00") },
        ])
        #expect(ids(result) == [1, 2])
        #expect(result.counts.moved[0].after.snoozeCount == 0)
        #expect(result.counts.moved[0].after.originalTarget == at("10-15 09:00"))
        #expect(result.snoozes == 1)
        // A rule that is taken off from where there is none is no schedule.
        let bare = try edited([
            item(urgent) {
                $0.rrule = .some(nil)
                $0.target = at("18:00")
            }
        ])
        #expect(bare.counts.skippedUrgent == 1 && ids(bare) == [])
    }

    @Test func `S-16 M-1 Q-1 reminders and quotas stay where they are and take the rest`() throws {
        let result = try edited([
            item(reminder()) {
                $0.target = at("18:00")
                $0.priority = .low
            }, item(quota) { $0.target = at("18:00") },
        ])
        #expect(ids(result) == [reminder().id.rawValue])
        #expect(result.counts.moved[0].after.target == reminder().target)
        #expect(result.counts.skippedReminders == 1 && result.counts.skippedQuotas == 1)
        #expect(result.counts.skipped == 1)
        // Clearing the date of a mixed batch leaves theirs alone.
        let cleared = try edited([
            item(task(1, target: at("18:00"))) { $0.target = .some(nil) },
            item(reminder()) { $0.target = .some(nil) }, item(quota) { $0.target = .some(nil) },
        ])
        #expect(ids(cleared) == [1])
        #expect(cleared.counts.moved[0].after.target == nil)
    }

    @Test func `D-10 a deadline ahead stops a move; D-12 a reschedule beyond it refuses the batch`() throws {
        let tied = task(1, target: at("15:00"), deadline: at("16:00"))
        let moved = try edited([item(tied) { $0.target = at("18:00") }])
        #expect(moved.counts.moved.first?.after.target == at("16:00"))
        #expect(moved.counts.stoppedAtDeadline == [tied.id])
        let refused = bulkEdit(
            [
                item(task(2, target: at("15:00"))) { $0.notes = "x" },
                item(tied) {
                    $0.target = at("18:00")
                    $0.resetOriginalTarget = true
                },
            ], included: [], now: now)
        guard case .failure(let refusal) = refused else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.culprits.map(\.task) == [tied.id])
        #expect(refusal.culprits.first?.refusal.reason == "target_after_deadline")
    }

    @Test func `A-5 T-8 Q-2 each item that cannot take its edit is named`() {
        var trashed = task(1)
        trashed.deletedAt = now
        var done = task(2, target: at("13:00"))
        done.done = true
        done.archivedAt = now
        let refused = bulkEdit(
            [
                item(trashed) { $0.notes = "x" }, item(done) { $0.target = at("18:00") },
                item(quota) { $0.rrule = "FREQ=WEEKLY;BYDAY=MO" }, item(task(4)) { $0.notes = "x" },
            ], included: [], now: now)
        guard case .failure(let refusal) = refused else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.culprits.map(\.task.rawValue) == [1, 2, 9])
        // A done task keeps its dates, not its notes.
        #expect(throws: Never.self) { try edited([item(done) { $0.notes = "x" }]) }
    }
}
