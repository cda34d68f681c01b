import Domain
import Testing
import Time

@Suite("S-10 to S-19 Many tasks swept")
struct SweepTests {
    let now = at("14:20")

    /// Over target since `hour`; past its deadline if asked.
    func late(
        _ id: Int64, _ priority: TaskItem.Priority, deadline: String? = nil, target: String = "13:00"
    ) -> TaskItem {
        task(id, priority, target: at(target), deadline: deadline.map { at($0) })
    }

    func ids(_ result: SweepResult) -> [Int64] { result.moved.map(\.after.id.rawValue) }

    /// The tasks over target after a sweep.
    func rest(_ batch: [TaskItem], after result: SweepResult) -> [TaskItem] {
        let moved = Dictionary(uniqueKeysWithValues: result.moved.map { ($0.after.id, $0.after) })
        return batch.map { moved[$0.id] ?? $0 }.filter { $0.isOverTarget(at: now) }
    }

    @Test func `Golden 55, 56, S-12 lower tasks first, held ones on the second press, Urgent never`() throws {
        let batch = [late(1, .low), late(2, .low), late(3, .high), late(4, .urgent)]
        let first = try swept(batch, now: now)
        #expect(ids(first) == [1, 2])
        #expect(first.moved.allSatisfy { $0.after.target == at("15:00") && $0.after.snoozeCount == 1 })
        #expect(first.skippedHigh == 1)
        #expect(first.urgentLeft == 1)
        #expect(first.skippedUrgent == 2)
        #expect(first.totalOverTarget == 2)

        let second = try swept(rest(batch, after: first), now: now)
        #expect(ids(second) == [3])
        #expect(second.snoozedHigh == 1)
        #expect(second.title == "Snoozed 1 high-priority task until 3:00 PM")
        #expect(second.body == "1 Urgent still over target. Urgent can't be bulk snoozed")
        let third = try swept(rest(batch, after: second).filter { $0.id.rawValue == 4 }, now: now)
        #expect(third.moved.isEmpty)
        #expect(third.title == "Nothing snoozed")
        #expect(third.body == "1 Urgent can't be bulk snoozed")
    }

    @Test func `Golden 57, S-11 S-12 past a deadline a lower task is held`() throws {
        let batch = [late(1, .medium, deadline: "14:00"), late(2, .low)]
        let first = try swept(batch, now: now)
        #expect(ids(first) == [2])
        #expect(first.skippedPastDeadline == 1)
        #expect(first.skippedUrgent == 0)
        #expect(ids(try swept(rest(batch, after: first), now: now)) == [1])
    }

    @Test func `Golden 58, S-12 Urgent holds nobody back`() throws {
        let batch = [late(1, .high), late(2, .high), late(3, .high), late(4, .urgent)]
        let result = try swept(batch, now: now)
        #expect(ids(result) == [1, 2, 3])
        #expect(result.snoozedHigh == 3)
    }

    @Test func `Golden 59, S-12 an included task moves whatever its tier`() throws {
        let urgent = late(1, .urgent)
        let result = try swept([urgent, late(2, .unset), late(3, .high)], included: [urgent], now: now)
        #expect(ids(result) == [1, 2])
    }

    @Test func `S-12 an included task that is not over target holds nobody back`() throws {
        let ahead = task(1, .low, target: at("17:00"))
        let result = try swept([late(3, .high)], included: [ahead], now: now)
        #expect(Set(ids(result)) == [1, 3])
        #expect(result.moved.allSatisfy { $0.after.target == at("15:00") })
    }

    @Test func `Golden 60, S-13 a deadline ahead stops the one, and it counts as moved`() throws {
        let result = try swept([late(1, .low, deadline: "14:40"), late(2, .low)], now: now)
        #expect(result.moved.map(\.after.target) == [at("14:40"), at("15:00")])
        #expect(result.stoppedAtDeadline.map(\.rawValue) == [1])
        #expect(result.until == at("15:00"))
    }

    @Test func `S-11 High and Urgent past their deadline stay High and Urgent`() throws {
        let batch = [late(1, .high, deadline: "14:00"), late(2, .urgent, deadline: "14:00"), late(3, .low)]
        let result = try swept(batch, now: now)
        #expect(result.skippedHigh == 1)
        #expect(result.urgentLeft == 1)
        #expect(result.skippedPastDeadline == 0)
    }

    @Test func `S-10 included reminders and quotas are refused, done and trashed are left out`() throws {
        #expect(throws: Refusal.self) { try swept([late(1, .low)], included: [reminder()], now: now) }
        var done = late(2, .low)
        done.done = true
        done.archivedAt = now
        var trashed = late(3, .low)
        trashed.deletedAt = now
        #expect(ids(try swept([late(1, .low)], included: [done, trashed], now: now)) == [1])
    }

    @Test(arguments: [
        (SnoozeRequest.option("60"), "15:00"), (.option("next_period"), "16:00"),
        (.option("period:5"), "20:30"),
        (.option("tomorrow"), "10-15 09:00"), (.option("15"), "14:35"), (.deltaMinutes(120), "16:00"),
        (.deltaMinutes(15), "14:35"), (.until(at("18:18")), "18:18"), (.deltaMinutes(2880), "10-16 14:00"),
    ])
    func `S-10 one target for the whole batch`(_ request: SnoozeRequest, _ until: String) throws {
        let batch = [late(1, .low), late(2, .unset, target: "10-10 09:00")]
        let result = try swept(batch, request, now: now)
        #expect(result.until == at(until))
        #expect(result.moved.map(\.after.target) == [at(until), at(until)])
    }

    @Test func `S-18 nothing over target`() throws {
        let result = try swept([], now: now)
        #expect(result.message == "Nothing over target")
        #expect(result.moved.isEmpty)
        #expect(result.totalOverTarget == 0)
        // What is ahead, and what is no task, is in no batch.
        #expect(try swept([task(1, .low, target: at("17:00")), reminder()], now: now).moved.isEmpty)
    }

    @Test func `S-19 the bar shows what would move`() {
        #expect(sweepCount([late(1, .low), late(2, .high), late(3, .urgent)], now: now) == 1)
        #expect(
            sweepCount([late(2, .high), late(3, .urgent), late(4, .low, deadline: "14:00")], now: now) == 2)
        #expect(sweepCount([late(3, .urgent)], now: now) == 0)
    }

    struct Text {
        var n: Int
        var h = 0
        var d = 0
        var u = 0
        var allHigh = false
        var until = "3:00 PM"
        var title: String
        var body: String?
    }

    @Test(arguments: [
        // With the table of S-17.
        Text(
            n: 8, h: 2, title: "Snoozed 8 tasks until 3:00 PM",
            body: "2 High still over target. Snooze again to move the High ones"),
        Text(
            n: 1, h: 1, title: "Snoozed 1 task until 3:00 PM",
            body: "1 High still over target. Snooze again to move the High one"),
        Text(n: 0, u: 3, title: "Nothing snoozed", body: "3 Urgent can't be bulk snoozed"),
        Text(
            n: 5, d: 1, title: "Snoozed 5 tasks until 3:00 PM",
            body: "1 past deadline still over target. Snooze again to move it"),
        Text(
            n: 5, d: 2, title: "Snoozed 5 tasks until 3:00 PM",
            body: "2 past deadline still over target. Snooze again to move them"),
        Text(
            n: 3, h: 1, d: 2, u: 1, title: "Snoozed 3 tasks until 3:00 PM",
            body:
                "1 High, 2 past deadline and 1 Urgent still over target. Snooze again to move all but Urgent"),
        Text(
            n: 4, u: 1, until: "tomorrow 9:00 AM", title: "Snoozed 4 tasks until tomorrow 9:00 AM",
            body: "1 Urgent still over target. Urgent can't be bulk snoozed"),
        Text(
            n: 8, h: 2, u: 1, title: "Snoozed 8 tasks until 3:00 PM",
            body: "2 High and 1 Urgent still over target. Snooze again to move the High ones"),
        Text(n: 0, h: 2, u: 1, title: "Nothing snoozed", body: "2 High and 1 Urgent still over target"),
        Text(
            n: 2, u: 1, allHigh: true, title: "Snoozed 2 high-priority tasks until 3:00 PM",
            body: "1 Urgent still over target. Urgent can't be bulk snoozed"),
        Text(
            n: 3, h: 1, d: 1, title: "Snoozed 3 tasks until 3:00 PM",
            body: "1 High and 1 past deadline still over target. Snooze again to move them"),
        Text(
            n: 3, d: 1, u: 2, title: "Snoozed 3 tasks until 3:00 PM",
            body: "1 past deadline and 2 Urgent still over target. Snooze again to move the past-deadline one"
        ),
        Text(
            n: 3, d: 2, u: 2, title: "Snoozed 3 tasks until 3:00 PM",
            body:
                "2 past deadline and 2 Urgent still over target. Snooze again to move the past-deadline ones"),
        Text(n: 3, title: "Snoozed 3 tasks until 3:00 PM", body: nil),
        Text(n: 0, title: "Nothing snoozed", body: nil),
    ])
    func `Golden 61, 62, 63, 64, 65, 66, S-17 the text`(_ row: Text) {
        let text = SweepText(
            moved: row.n, high: row.h, pastDeadline: row.d, urgent: row.u, allMovedAreHigh: row.allHigh)
        #expect(text.title(until: row.until) == row.title)
        #expect(text.body == row.body)
    }

    @Test func `S-15 the message is title and body`() throws {
        let result = try swept([late(1, .low), late(2, .high)], now: now)
        #expect(
            result.message
                == "Snoozed 1 task until 3:00 PM. 1 High still over target. Snooze again to move the High one"
        )
    }

    @Test func `S-16 an explicit selection goes by the same tiers`() {
        var quota = task(9)
        quota.isTracked = true
        let batch = [
            task(1, .low, target: at("17:00")), late(2, .high), late(3, .urgent), reminder(6), quota,
            task(1, .low),
            late(5, .low, deadline: "14:00"),
        ]
        let result = bulkSnooze(batch, included: [], .until(at("18:00")), now: now)
        #expect(result.moved.map(\.after.id.rawValue) == [1])
        #expect(result.skippedHigh == 1)
        #expect(result.skippedUrgent == 2)
        #expect(result.skippedPastDeadline == 1)
        #expect(result.skippedReminders == 1)
        #expect(result.skipped == 5)
        #expect(result.skippedQuotas == 1)
    }

    @Test func `S-16 undated tasks get a first date, or are skipped`() {
        let first = bulkSnooze([task(1)], included: [], .until(at("18:00")), now: now)
        #expect(first.moved.first?.after.snoozeCount == 0)
        #expect(first.moved.first?.after.originalTarget == at("18:00"))
        let relative = bulkSnooze([task(1), late(2, .low)], included: [], .deltaMinutes(-60), now: now)
        #expect(relative.skippedUndated == 1)
        #expect(relative.moved.map(\.after.target) == [at("12:00")])
        #expect(relative.skipped == 1)
    }

    @Test func `S-4 S-16 ids that are named move whatever their tier`() {
        let batch = [late(1, .low), late(2, .high), late(3, .urgent)]
        let all = bulkSnooze(batch, included: Set(batch.map(\.id)), .until(at("18:00")), now: now)
        #expect(all.moved.count == 3)
    }
}
