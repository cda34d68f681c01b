import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A30 An explicit selection, snoozed")
struct BulkSnoozeTests {
    private let path = "/api/tasks/bulk/snooze"

    private func snooze(
        _ bench: Bench, _ ids: [Int64], _ more: [String: JSONValue], as person: Bench.Person
    ) throws -> Answer {
        var body = more
        body["ids"] = .ids(ids)
        return try bench.call("POST", path, .object(body), as: person)
    }

    /// An open task over target since nine.
    private func late(_ bench: Bench, _ priority: Int64, by person: Bench.Person) throws -> Int64 {
        try bench.make("P\(priority)", ["due_at": .local("09:00"), "priority": .int(priority)], by: person).id
    }

    @Test func `2.10, S-2, S-14: the shape; one entry, one event, dismissed, badge, statistic`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try [1, 2].map { try late(bench, $0, by: ann) }
        let events = try bench.count("event")
        try bench.take()
        let answer = try snooze(bench, ids + ids, ["until": .local("15:00")], as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "tasks_affected": 2, "tasks_skipped": 0, "skipped_urgent": 0, "skipped_high": 0,
                "snoozed_high": 0, "skipped_reminders": 0, "skipped_no_due_date": 0,
                "skipped_past_deadline": 0, "stopped_at_deadline": [],
            ])
        for id in ids {
            let task = try bench.get(id, as: ann)
            #expect(task["due_at"] == .local("15:00") && task["original_due_at"] == .local("09:00"))
            #expect(task["snooze_count"] == 1)
        }
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["2"])
        #expect(
            try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                "bulk_snooze|Snoozed 2 tasks until 3:00 PM"
            ])
        #expect(try bench.outbox().compactMap(\.dismiss?.taskIDs) == [ids])
        #expect(try bench.outbox().compactMap(\.badge) == [0])

        // U-13.
        #expect(try bench.undo(as: ann)["tasks_affected"] == 2)
        for id in ids {
            let task = try bench.get(id, as: ann)
            #expect(task["due_at"] == .local("09:00") && task["snooze_count"] == 0)
        }
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["0"])
        try bench.redo(as: ann)
        #expect(try bench.get(ids[1], as: ann)["due_at"] == .local("15:00"))

        // Already there: in neither number, and no entry (2.10, S-14).
        let entries = try bench.count("undo")
        let again = try snooze(bench, ids, ["until": .local("15:00")], as: ann)
        #expect(again["tasks_affected"] == 0 && again["tasks_skipped"] == 0)
        #expect(try bench.count("undo") == entries)
    }

    @Test func `S-16, S-12, S-4: tiers among the ids given; a named id moves whatever its tier`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let (low, high, urgent) = (
            try late(bench, 1, by: ann), try late(bench, 3, by: ann), try late(bench, 4, by: ann)
        )
        let past = try bench.make(
            "Past", ["due_at": .local("08:00"), "deadline_at": .local("10:30")], by: ann
        ).id
        bench.at("11:00")
        // A lower task that is not among the ids holds nobody back.
        let some = try snooze(bench, [high, urgent, past], ["until": .local("15:00")], as: ann)
        #expect(some["tasks_affected"] == 2 && some["snoozed_high"] == 1)
        #expect(some["skipped_urgent"] == 1 && some["skipped_high"] == 0 && some["tasks_skipped"] == 1)
        try bench.undo(as: ann)

        let all = try snooze(bench, [low, high, urgent, past], ["until": .local("15:00")], as: ann)
        #expect(all["tasks_affected"] == 1 && all["tasks_skipped"] == 3)
        #expect(all["skipped_urgent"] == 2 && all["skipped_high"] == 1 && all["skipped_past_deadline"] == 1)

        let picked = try snooze(
            bench, [high, urgent], ["until": .local("16:00"), "include_task_ids": .ids([high, urgent, 77])],
            as: ann)
        #expect(picked["tasks_affected"] == 2 && picked["snoozed_high"] == 1)
        #expect(try bench.get(urgent, as: ann)["due_at"] == .local("16:00"))
    }

    @Test func `S-16, T-8, C-5: undated ones get a first date, or are left out of a relative move`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let undated = try bench.make("Some day", by: ann).id
        let dated = try late(bench, 0, by: ann)
        let moved = try snooze(bench, [undated, dated], ["delta_minutes": 90], as: ann)
        #expect(moved["tasks_affected"] == 1 && moved["skipped_no_due_date"] == 1)
        #expect(moved["tasks_skipped"] == 1)
        #expect(try bench.get(dated, as: ann)["due_at"] == .local("10:30"))
        let first = try snooze(bench, [undated], ["until": .local("10-15 09:00")], as: ann)
        #expect(first["tasks_affected"] == 1)
        let task = try bench.get(undated, as: ann)
        #expect(task["original_due_at"] == .local("10-15 09:00") && task["snooze_count"] == 0)
        // One snooze, one first date.
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["1"])
        #expect(
            try bench.rows("SELECT description FROM undo WHERE action = 'bulk_snooze' ORDER BY id") == [
                "Snoozed \"P0\" to 10:30 AM", "Snoozed \"Some day\" to tomorrow 9:00 AM",
            ])
    }

    @Test func `U-12: how far many were moved is said in hours and minutes`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try [1, 2].map { try late(bench, $0, by: ann) }
        for minutes: Int64 in [90, -1440, 1500] {
            _ = try snooze(bench, ids, ["delta_minutes": .int(minutes)], as: ann)
        }
        #expect(
            try bench.rows("SELECT description FROM undo WHERE action = 'bulk_snooze' ORDER BY id") == [
                "Moved 2 tasks 1 h 30 min later", "Moved 2 tasks 1 d earlier", "Moved 2 tasks 1 d 1 h later",
            ])
    }

    @Test func `D-10, M-1: a deadline ahead stops; reminders and quotas stay where they are`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let tied = try bench.make(
            "Tied", ["due_at": .local("09:00"), "deadline_at": .local("12:00")], by: ann
        ).id
        let note = try bench.make("Think", ["is_reminder": true], by: ann).id
        let quota = try bench.make("Read", ["progress_target": 2, "rrule": "FREQ=DAILY"], by: ann).id
        let answer = try snooze(bench, [tied, note, quota], ["until": .local("15:00")], as: ann)
        #expect(answer["tasks_affected"] == 1 && answer["stopped_at_deadline"] == .ids([tied]))
        #expect(answer["skipped_reminders"] == 1 && answer["tasks_skipped"] == 2)
        #expect(try bench.get(tied, as: ann)["due_at"] == .local("12:00"))
    }

    @Test func `Golden 67, S-16: ids with one unknown are refused with a list, and nothing moves`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let good = try late(bench, 1, by: ann)
        let finished = try late(bench, 1, by: ann)
        try bench.act("done", finished, as: ann)
        let trashed = try late(bench, 1, by: ann)
        try bench.trash(trashed, as: ann)
        let foreign = try late(bench, 1, by: bob)
        let refused = try snooze(
            bench, [good, 4711, foreign, finished, trashed], ["until": .local("15:00")], as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR")
        #expect(refused.culprits == ["ids.1", "ids.2", "ids.3", "ids.4"])
        #expect(try bench.get(good, as: ann)["due_at"] == .local("09:00"))
    }

    @Test func `A30: exactly one of until and delta_minutes, within their ranges`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try late(bench, 1, by: ann)
        let wrong: [[String: JSONValue]] = [
            [:], ["until": .local("15:00"), "delta_minutes": 5], ["until": "soon"], ["delta_minutes": -1441],
            ["delta_minutes": 525_601], ["option": "60"], ["until": .null],
            ["until": .local("15:00"), "include_task_ids": "all"],
        ]
        for body in wrong {
            expectRefused(try snooze(bench, [id], body, as: ann), 400, "VALIDATION_ERROR")
        }
        let got = try bench.call("GET", path, as: ann)
        #expect(got.status == 405 && got.header("Allow") == "POST")
        #expect(try bench.get(id, as: ann)["due_at"] == .local("09:00"))
    }

    @Test func `A-4: a relative move sent twice with its key moves once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try late(bench, 1, by: ann)
        for _ in 1...3 {
            let answer = try bench.call(
                "POST", path, ["ids": .ids([id]), "delta_minutes": 60], as: ann,
                headers: [("Idempotency-Key", "once")])
            #expect(answer["tasks_affected"] == 1)
        }
        #expect(try bench.get(id, as: ann)["due_at"] == .local("10:00"))
    }

    @Test func `S-20: a snooze takes the text out of the queue`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("Call Eve", ["enrich": true], by: ann).id
        #expect(try bench.count("job") == 1)
        _ = try snooze(bench, [id], ["until": .local("15:00")], as: ann)
        #expect(try bench.get(id, as: ann)["labels"] == [])
        #expect(try bench.count("job") == 0)
    }
}
