import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A59 to A61 The history of undo, and many steps at once")
struct UndoHistoryTests {
    private func history(_ bench: Bench, _ query: String = "", as person: Bench.Person) throws -> [JSONValue]
    {
        let answer = try bench.call("GET", "/api/undo/history\(query)", as: person)
        #expect(answer.status == 200)
        let entries = answer["history"].array ?? []
        #expect(answer["count"].int == Int64(entries.count))
        return entries
    }

    private func batch(
        _ what: String, _ body: JSONValue, as person: Bench.Person, _ bench: Bench
    ) throws -> Answer {
        try bench.call("POST", "/api/\(what)/batch", body, as: person)
    }

    /// A task whose priority went 0, 1, 2, 3, 4: five entries with the ids 1 to 5.
    private func steps(_ bench: Bench, _ person: Bench.Person) throws -> Int64 {
        let id = try bench.make(by: person).id
        for priority in 1...4 { try bench.patch(id, ["priority": .int(Int64(priority))], as: person) }
        return id
    }

    @Test func `2.16, U-11, U-12: entries newest first, with the states as a task has them`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(
            "Walk", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY", "priority": 2], by: ann
        ).id
        bench.at("10:05")
        try bench.patch(id, ["notes": "with the dog", "labels": []], as: ann)
        try bench.act("done", id, as: ann)
        try bench.undo(as: ann)

        let entries = try history(bench, as: ann)
        #expect(entries.map { $0["id"]?.int } == [3, 2, 1])
        #expect(entries.map { $0["action"]?.string } == ["done", "edit", "create"])
        #expect(entries.map { $0["undone"] } == [true, false, false])
        let done = try unwrap(entries.first)
        #expect(
            Set(try unwrap(done.object).keys) == [
                "id", "action", "description", "tasks_affected", "created_at", "undone", "fields_changed",
                "snapshot",
            ])
        #expect(done["description"] == "Completed \"Walk\"")
        #expect(done["created_at"] == .local("10:05") && done["tasks_affected"] == 1)
        #expect(
            Set(done["fields_changed"]?.array?.compactMap(\.string) ?? []) == [
                "due_at", "original_due_at", "completion_count", "first_completed_at", "last_completed_at",
            ])
        let snapshot = try unwrap(done["snapshot"]?.array?.first)
        #expect(snapshot["task_id"]?.int == id && snapshot["completion_id"] == 1)
        #expect(
            snapshot["before_state"] == [
                "due_at": .local("08:00"), "original_due_at": .local("08:00"), "completion_count": 0,
                "first_completed_at": nil, "last_completed_at": nil,
            ])
        #expect(
            snapshot["after_state"] == [
                "due_at": .local("10-15 08:00"), "original_due_at": .local("10-15 08:00"),
                "completion_count": 1, "first_completed_at": .local("10:05"),
                "last_completed_at": .local("10:05"),
            ])
        let edit = try unwrap(entries[1]["snapshot"]?.array?.first)
        #expect(edit["before_state"] == ["notes": nil] && edit["after_state"] == ["notes": "with the dog"])
        #expect(edit.object?["completion_id"] == nil)
    }

    @Test func `2.1: flags, lists and objects of a snapshot have the types of a task`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let quota = try bench.make("Read", ["progress_target": 2, "rrule": "FREQ=DAILY"], by: ann).id
        try bench.patch(quota, ["quota_prompt_config": ["enabled": false]], as: ann)
        let task = try bench.make(by: ann).id
        try bench.patch(task, ["is_reminder": true, "labels": ["ai-added"]], as: ann)
        let entries = try history(bench, as: ann)
        let kind = try unwrap(entries[0]["snapshot"]?.array?.first?["after_state"])
        #expect(kind["is_reminder"] == true && kind["labels"] == ["ai-added"])
        let config = try unwrap(entries[2]["snapshot"]?.array?.first?["after_state"])
        #expect(config["quota_prompt_config"]?["enabled"] == false)
    }

    @Test func `A59: limit is from 1, 50 by itself; the history is one's own`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        for index in 1...60 { try bench.make("Task \(index)", by: ann) }
        #expect(try history(bench, as: ann).count == 50)
        #expect(try history(bench, "?limit=3", as: ann).map { $0["id"]?.int } == [60, 59, 58])
        #expect(try history(bench, "?limit=5000", as: ann).count == 60)
        #expect(try history(bench, as: bob).isEmpty)
        for bad in ["0", "-1", "x", "1.5", ""] {
            expectRefused(
                try bench.call("GET", "/api/undo/history?limit=\(bad)", as: ann), 400, "VALIDATION_ERROR")
        }
        expectRefused(try bench.call("GET", "/api/undo/history"), 401, "UNAUTHORIZED")
        expectRefused(try bench.call("POST", "/api/undo/history", as: ann), 405, "METHOD_NOT_ALLOWED")
    }

    @Test func `U-7: each limit alone, and all of them together`() throws {
        let cases: [(JSONValue, Int, Int)] = [
            (["count": 2], 2, 3), (["through_id": 3], 1, 2), (["session_start_id": 2], 1, 2),
            (["session_start_id": 1, "count": 1], 3, 4), (["through_id": 4, "count": 9], 2, 3),
            (["session_start_id": 3, "through_id": 2], 2, 3),
        ]
        for (body, left, undoable) in cases {
            let bench = try Bench()
            let ann = try bench.add()
            let id = try steps(bench, ann)
            let events = try bench.count("event")
            let answer = try batch("undo", body, as: ann, bench)
            #expect(answer.status == 200)
            #expect(
                answer.data == [
                    "count": .int(Int64(5 - undoable)), "undoable_count": .int(Int64(undoable)),
                    "redoable_count": .int(Int64(5 - undoable)),
                ], "\(body)")
            #expect(try bench.item(id).priority.rawValue == left, "\(body)")
            // U-8: one event for all of it.
            #expect(try bench.count("event") == events + 1)
        }
    }

    @Test func `U-7: redo in batch begins with the oldest undone one`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try steps(bench, ann)
        _ = try batch("undo", ["count": 4], as: ann, bench)
        #expect(try bench.item(id).priority.rawValue == 0)
        let first = try batch("redo", ["through_id": 3], as: ann, bench)
        #expect(first.data == ["count": 2, "undoable_count": 3, "redoable_count": 2])
        #expect(try bench.item(id).priority.rawValue == 2)
        let rest = try batch("redo", ["count": 100], as: ann, bench)
        #expect(rest.data == ["count": 2, "undoable_count": 5, "redoable_count": 0])
        #expect(try bench.item(id).priority.rawValue == 4)
        expectRefused(try batch("redo", ["count": 1], as: ann, bench), 400, "VALIDATION_ERROR")
    }

    @Test func `U-7, A-1: all of a batch, creation too, in one transaction; badge and dismissal once`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let late = try bench.make("Late", ["due_at": .local("09:00")], by: ann).id
        try bench.act("snooze", late, ["until": .local("12:00")], as: ann)
        try bench.act("done", late, as: ann)
        try bench.take()
        let answer = try batch("undo", ["count": 2], as: ann, bench)
        #expect(answer["count"] == 2)
        let task = try bench.get(late, as: ann)
        #expect(task["due_at"] == .local("09:00") && task["done"] == false && task["snooze_count"] == 0)
        #expect(try bench.outbox().compactMap(\.badge) == [1])
        #expect(try bench.rows("SELECT completions || ' ' || snoozes FROM statistic") == ["0 0"])
        try bench.take()
        _ = try batch("undo", ["count": 1], as: ann, bench)
        #expect(try bench.get(late, as: ann)["deleted_at"] != .null)
        #expect(try bench.outbox().compactMap(\.badge) == [0])
        #expect(try bench.outbox().compactMap(\.dismiss?.taskIDs) == [[late]])
    }

    @Test func `A60, A61: what is refused, and what stays as it was`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try steps(bench, ann)
        let wrong: [JSONValue] = [
            [:], ["count": 0], ["count": "2"], ["through_id": 0], ["session_start_id": -1],
            ["through_id": 99], ["session_start_id": 5], ["count": .null],
        ]
        for body in wrong {
            expectRefused(try batch("undo", body, as: ann, bench), 400, "VALIDATION_ERROR")
        }
        expectRefused(
            try bench.send("POST", "/api/undo/batch", Array("{".utf8), as: ann), 400, "VALIDATION_ERROR")
        let nothing: [JSONValue] = [[:], ["session_start_id": 1], ["count": 1]]
        for body in nothing {
            expectRefused(try batch("redo", body, as: ann, bench), 400, "VALIDATION_ERROR")
        }
        // Nobody else's entries are touched (U-2).
        expectRefused(try batch("undo", ["count": 5], as: bob, bench), 400, "VALIDATION_ERROR")
        #expect(try bench.item(id).priority.rawValue == 4)
        expectRefused(try bench.call("GET", "/api/undo/batch", as: ann), 405, "METHOD_NOT_ALLOWED")
    }

    @Test func `U-9: entries about what is gone are undone all the same`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try steps(bench, ann)
        let other = try bench.make("Stays", by: ann).id
        try bench.change("DELETE FROM task WHERE id = \(id)")
        let answer = try batch("undo", ["count": 6], as: ann, bench)
        #expect(answer["count"] == 6 && answer["undoable_count"] == 0 && answer["redoable_count"] == 6)
        #expect(try bench.get(other, as: ann)["deleted_at"] != .null)
    }

    @Test func `A-14: however many are asked for, a thousand are undone at once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        // As many edits as one person makes in a month, put there by hand: each would be one call.
        try bench.change(
            """
            INSERT INTO undo (user_id, action, description, snapshot, created_at)
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
            SELECT 1, 'edit', 'Edited', '[{"task_id":\(id),"before_state":{"notes":null},"after_state":{"notes":null}}]', 0
            FROM n
            """)
        let answer = try batch("undo", ["count": 1_000_000], as: ann, bench)
        #expect(answer.data == ["count": 1000, "undoable_count": 101, "redoable_count": 1000])
    }

    @Test func `A-4: a repeated batch undoes nothing more`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try steps(bench, ann)
        let headers = [(name: "Idempotency-Key", value: "twice")]
        for _ in 1...2 {
            let answer = try bench.call("POST", "/api/undo/batch", ["count": 2], as: ann, headers: headers)
            #expect(answer.data == ["count": 2, "undoable_count": 3, "redoable_count": 2])
        }
        #expect(try bench.item(id).priority.rawValue == 2)
    }
}
