import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A28 Many done at once")
struct BulkDoneTests {
    private let path = "/api/tasks/bulk/done"

    private func done(
        _ bench: Bench, _ ids: [Int64], _ more: [String: JSONValue] = [:], as person: Bench.Person
    ) throws -> Answer {
        var body = more
        body["ids"] = .ids(ids)
        return try bench.call("POST", path, .object(body), as: person)
    }

    @Test func `C-4, C-5, U-1: one call, one undo entry, one event, one day's count`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let milk = try bench.make("Buy milk", ["due_at": .local("09:00")], by: ann).id
        let walk = try bench.make("Walk", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let note = try bench.make("Think", ["is_reminder": true], by: ann).id
        try bench.take()
        let events = try bench.count("event")
        let entries = try bench.count("undo")

        // Ids that come twice count once.
        let answer = try done(bench, [milk, walk, note, milk], as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "tasks_affected": 3, "recurring_count": 2, "one_off_count": 1, "quota_skipped": 0,
            ])
        #expect(try bench.get(milk, as: ann)["done"] == true)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("10-15 08:00"))
        #expect(try bench.count("completion") == 3)
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.count("undo") == entries + 1)
        #expect(
            try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                "bulk_done|Completed 3 tasks"
            ])
        #expect(try bench.rows("SELECT completions FROM statistic") == ["3"])

        let messages = try bench.outbox()
        #expect(messages.map(\.kind) == [.dismiss, .badge])
        #expect(Set(messages[0].dismiss?.taskIDs ?? []) == [milk, walk, note])
        #expect(messages[1].badge == 0)

        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "bulk_done" && undone["tasks_affected"] == 3)
        #expect(try bench.get(milk, as: ann)["done"] == false)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("08:00"))
        #expect(try bench.count("completion") == 0)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["0"])
        try bench.redo(as: ann)
        #expect(try bench.get(milk, as: ann)["done"] == true)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("10-15 08:00"))
        #expect(try bench.count("completion") == 3)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["3"])
    }

    @Test func `C-4, A-5: one bad id refuses the whole call, and the answer names each`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let good = try bench.make(by: ann).id
        let finished = try bench.make("Done before", by: ann).id
        try bench.act("done", finished, as: ann)
        let trashed = try bench.make("Thrown away", by: ann).id
        try bench.trash(trashed, as: ann)
        let foreign = try bench.make("Bob's own", by: bob).id
        let entries = try bench.count("undo")

        let answer = try done(bench, [good, 9999, finished, good, trashed, foreign], as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR")
        #expect(answer.culprits == ["ids.1", "ids.2", "ids.4", "ids.5"])
        // Somebody else's private task is no more known than one that never was (1.13).
        let details = answer.body?["details"]
        #expect(details?["ids.1"] == "9999 does not exist")
        #expect(details?["ids.5"]?.string == "\(foreign) does not exist")
        #expect(details?["ids.2"]?.string == "\(finished) is already done")
        #expect(details?["ids.4"]?.string == "\(trashed) is in the trash")
        #expect(try bench.get(good, as: ann)["done"] == false)
        #expect(try bench.count("undo") == entries)
    }

    @Test func `Q-11: quotas are left out and counted; nothing but quotas is refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let quota = try bench.make("Stretch", ["progress_target": 3, "rrule": "FREQ=DAILY"], by: ann).id
        let task = try bench.make(by: ann).id
        expectRefused(try done(bench, [quota], as: ann), 400, "VALIDATION_ERROR", culprit: "ids")
        let both = try done(bench, [quota, task], as: ann)
        #expect(
            both.data == [
                "tasks_affected": 1, "recurring_count": 0, "one_off_count": 1, "quota_skipped": 1,
            ])
        #expect(try bench.get(quota, as: ann)["completion_count"] == 0)
        try bench.patch(quota, ["progress_current": 2], as: ann)
        let closed = try done(bench, [quota], ["close_period": true], as: ann)
        #expect(closed["tasks_affected"] == 1 && closed["quota_skipped"] == 0)
        let after = try bench.get(quota, as: ann)
        #expect(after["completion_count"] == 1 && after["progress_current"] == 0 && after["done"] == false)
    }

    @Test func `M-5: a reminder that was considered today is not counted again`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let note = try bench.make("Think", ["is_reminder": true, "rrule": "FREQ=DAILY"], by: ann).id
        try bench.act("done", note, as: ann)
        let entries = try bench.count("undo")
        let again = try done(bench, [note], as: ann)
        #expect(again.status == 200 && again["tasks_affected"] == 0)
        #expect(try bench.count("undo") == entries)
        #expect(try bench.count("completion") == 1)
    }

    @Test func `U-12: a single one is named, reminders are considered`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let one = try bench.make("Water all of the flowers", by: ann).id
        _ = try done(bench, [one], as: ann)
        let notes = try (1...2).map { try bench.make("Note \($0)", ["is_reminder": true], by: ann).id }
        _ = try done(bench, notes, as: ann)
        #expect(
            try bench.rows("SELECT description FROM undo WHERE action = 'bulk_done' ORDER BY id") == [
                "Completed \"Water all of the flo...\"", "Considered 2 reminders",
            ])
    }

    @Test func `C-4: a hundred tasks and more in one call; A-14: more than a thousand are refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...120).map { try bench.make("Task \($0)", by: ann).id }
        #expect(try done(bench, ids, as: ann)["tasks_affected"] == 120)
        expectRefused(try done(bench, Array(1...1001), as: ann), 400, "VALIDATION_ERROR", culprit: "ids")
        expectRefused(try done(bench, [], as: ann), 400, "VALIDATION_ERROR", culprit: "ids")
        let wrong: [JSONValue] = [.null, 7, ["a"], [0], [-1], [.double(1.5)], [true], [["id": 1]]]
        for bad in wrong {
            expectRefused(
                try bench.call("POST", path, ["ids": bad], as: ann), 400, "VALIDATION_ERROR")
        }
        #expect(try bench.undo(as: ann)["tasks_affected"] == 120)
    }

    @Test func `1.12, A-4: a repeat with its Idempotency-Key changes nothing; without one it is refused`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.make("Walk", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let headers = [(name: "Idempotency-Key", value: "k1")]
        let body: JSONValue = ["ids": .ids([walk])]
        let first = try bench.call("POST", path, body, as: ann, headers: headers)
        let again = try bench.call("POST", path, body, as: ann, headers: headers)
        #expect(first.status == 200 && again.status == 200 && again.data == first.data)
        #expect(try bench.count("completion") == 1)
        let milk = try bench.make(by: ann).id
        _ = try done(bench, [milk], as: ann)
        expectRefused(try done(bench, [milk], as: ann), 400, "VALIDATION_ERROR", culprit: "ids.0")
    }

    @Test func `1.3: a bulk path takes POST and is no task's path`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let got = try bench.call("GET", path, as: ann)
        expectRefused(got, 405, "METHOD_NOT_ALLOWED")
        #expect(got.header("Allow") == "POST")
        expectRefused(try bench.call("POST", path, ["ids": [1]]), 401, "UNAUTHORIZED")
    }

    @Test func `L-11, X-1: members of a shared project complete together, each task in its owner's zone`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob", zone: "Asia/Tokyo")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let walk = try bench.make(
            "Walk", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY", "project_id": .int(house)], by: ann
        ).id
        let own = try bench.make("Own", by: bob).id
        #expect(try done(bench, [walk, own], as: bob)["tasks_affected"] == 2)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("10-15 08:00"))
        #expect(
            try bench.rows("SELECT date || ' ' || completions FROM statistic WHERE user_id = 2") == [
                "2026-10-15 2"
            ])
        // The entry is bob's (U-2).
        #expect(try bench.undo(as: bob)["undone_action"] == "bulk_done")
    }
}

extension JSONValue {
    static func ids(_ ids: [Int64]) -> JSONValue { .array(ids.map(JSONValue.int)) }
}
