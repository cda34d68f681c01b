import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A29 What a checklist has checked")
struct CheckedTests {
    private func complete(_ bench: Bench, _ body: JSONValue, as person: Bench.Person) throws -> Answer {
        try bench.call("POST", "/api/tasks/bulk/complete", body, as: person)
    }

    @Test func `Q-22, M-15: tasks and quota reminders, each as marked, in one entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("Buy milk", ["due_at": .local("09:00")], by: ann).id
        let reminder = try bench.make("Think", ["is_reminder": true], by: ann).id
        let walk = try bench.makeQuota("Walk", by: ann)
        let floss = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        let entries = try bench.count("undo")
        let events = try bench.count("event")
        let answer = try complete(
            bench,
            [
                "ids": [.int(task), .int(reminder)],
                "prompts": [
                    .string(try bench.key(walk)), ["key": .string(try bench.key(floss, 2)), "did": true],
                ],
            ], as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "tasks_affected": 2, "recurring_count": 1, "one_off_count": 1, "quota_skipped": 0,
                "prompts_considered": 1, "prompts_did": 1,
            ])
        #expect(try bench.get(task, as: ann)["done"] == true)
        #expect(try bench.count(of: floss, as: ann) == 2)
        #expect(try bench.count(of: walk, as: ann) == 0)
        #expect(try bench.count("undo") == entries + 1)
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.undoStack().last == "bulk_done: Completed 4 items")
        #expect(try bench.rows("SELECT completions FROM statistic") == ["2"])
        #expect(try bench.outbox().contains { $0.kind == .dismiss })
        #expect(try bench.undo(as: ann)["tasks_affected"] == 4)
        #expect(try bench.get(task, as: ann)["done"] == false)
        #expect(try bench.count(of: floss, as: ann) == 0)
        #expect(try bench.count("progress") == 0)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["0"])
        try bench.redo(as: ann)
        #expect(try bench.count(of: floss, as: ann) == 2)
        #expect(try bench.progress(floss) == [2])
    }

    @Test
    func `Q-11: quotas among the ids are left out; nothing but quotas is refused; prompts make it good`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.makeQuota("Walk", by: ann)
        try bench.log(2, on: walk, as: ann)
        expectRefused(
            try complete(bench, ["ids": [.int(walk)]], as: ann), 400, "VALIDATION_ERROR", culprit: "ids")
        let skipped = try complete(
            bench, ["ids": [.int(walk)], "prompts": [.string(try bench.key(walk))]], as: ann)
        #expect(skipped["quota_skipped"] == 1 && skipped["tasks_affected"] == 0)
        #expect(skipped["prompts_considered"] == 1)
        // Closed and done at once: the did-it counts in what is left of the period.
        let closed = try complete(
            bench,
            [
                "ids": [.int(walk)], "close_period": true,
                "prompts": [["key": .string(try bench.key(walk)), "did": true]],
            ], as: ann)
        #expect(closed["tasks_affected"] == 1 && closed["prompts_did"] == 1)
        #expect(try bench.count(of: walk, as: ann) == 1)
        #expect(try bench.get(walk, as: ann)["completion_count"] == 1)
        #expect(try bench.progress(walk) == [2, 1])
        try bench.undo(as: ann)
        #expect(try bench.count(of: walk, as: ann) == 2)
        #expect(try bench.progress(walk) == [2])
        #expect(try bench.count("completion") == 0)
    }

    @Test func `A-5: both lists empty, a bad key, a bad id, a shape that is strict`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let task = try bench.make(by: ann).id
        let walk = try bench.makeQuota("Walk", by: ann)
        let foreign = try bench.makeQuota("Bob's", by: bob)
        let good = JSONValue.string(try bench.key(walk))
        let entries = try bench.count("undo")
        for (body, culprit): (JSONValue, String) in [
            ([:], "ids"), (["ids": [], "prompts": []], "prompts"),
            (["ids": [.int(task)], "prompts": [good, .string("q:\(walk):0:2026-10-13")]], "prompts.1"),
            (["ids": [.int(task)], "prompts": [.string(try bench.key(foreign))]], "prompts.0"),
            (["ids": [.int(task), 9999], "prompts": [good]], "ids.1"),
            (["prompts": [["key": good, "extra": 1]]], "prompts.0.extra"),
            (["prompts": [["did": true]]], "prompts.0.key"),
            (["prompts": [["key": good, "did": 1]]], "prompts.0.did"),
            (["prompts": [1]], "prompts.0"), (["prompts": "q"], "prompts"),
        ] {
            expectRefused(try complete(bench, body, as: ann), 400, "VALIDATION_ERROR", culprit: culprit)
        }
        #expect(try bench.get(task, as: ann)["done"] == false)
        #expect(try bench.item(walk).quotaDayState == nil)
        #expect(try bench.count("undo") == entries)
    }

    @Test func `Q-22: only prompts, all of them handled before: one entry that undoes nothing`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.makeQuota("Walk", by: ann)
        let body: JSONValue = ["prompts": [.string(try bench.key(walk))]]
        #expect(try complete(bench, body, as: ann)["prompts_considered"] == 1)
        let before = try bench.item(walk)
        #expect(try complete(bench, body, as: ann).status == 200)
        #expect(try bench.item(walk) == before)
        #expect(try bench.undo(as: ann)["tasks_affected"] == 0)
        #expect(try bench.item(walk) == before)
    }
}
