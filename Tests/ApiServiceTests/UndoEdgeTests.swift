import Domain
import JSON
import Testing
import Time

@Suite("U-4, U-9, U-12, U-14 Undo where somebody was in between")
struct UndoEdgeTests {
    @Test func `U-9: an entry whose task is gone is undone all the same`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.patch(id, ["priority": 1], as: ann)
        try bench.change("PRAGMA foreign_keys=ON; DELETE FROM task")
        #expect(try bench.undo(as: ann)["tasks_affected"] == 0)
        #expect(try bench.undo(as: ann)["undoable_count"] == 0)
        #expect(try bench.redo(as: ann)["redoable_count"] == 1)
    }

    @Test func `D-4, D-16: undo never leaves a deadline without a target`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        bench.at("10-05 12:00")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("x", ["project_id": .int(shared)], by: ann).id
        try bench.patch(id, ["due_at": .local("10-12 12:00")], as: ann)
        try bench.patch(id, ["deadline_at": .local("10-16 18:00")], as: bob)
        try bench.undo(as: ann)
        let task = try bench.get(id, as: ann)
        #expect(task["deadline_at"] == .local("10-16 18:00"))
        #expect(task["due_at"] == .local("10-13 09:00"))
        #expect(task["target_source"] == "auto")
    }

    @Test func `undo that would make a task what no task may be leaves it alone, and the stack is not stuck`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make(
            "x", ["is_reminder": true, "rrule": nil, "project_id": .int(shared)], by: ann
        ).id
        try bench.patch(id, ["is_reminder": false], as: ann)
        try bench.patch(id, ["is_tracked": true, "rrule": "FREQ=DAILY"], as: bob)
        let undone = try bench.undo(as: ann)
        #expect(undone["skipped_fields"] == ["is_reminder"])
        let item = try bench.item(id)
        #expect(item.isTracked && !item.isReminder)
        #expect(try bench.undo(as: ann)["undone_action"] == "create")
    }

    @Test func `U-12: descriptions are made once, in words of the moment, and titles are cut`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("Buy milk and bread for Saturday", ["due_at": .local("09:00")], by: ann).id
        try bench.act("snooze", id, ["until": .local("10-15 09:00")], as: ann)
        bench.at("10-20 10:00")
        #expect(
            try bench.undo(as: ann)["description"]
                == "Snoozed \"Buy milk and bread f...\" to tomorrow 9:00 AM")
        try bench.act("done", id, as: ann)
        #expect(try bench.undo(as: ann)["description"] == "Completed \"Buy milk and bread f...\"")
    }

    @Test func `U-14: undo calls at once undo one entry each, never the same one twice`() async throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        for index in 1...12 { try bench.patch(id, ["notes": .string("\(index)")], as: ann) }
        let left = await withTaskGroup(of: Int64?.self) { group in
            for _ in 1...12 {
                group.addTask { try? bench.undo(as: ann)["undoable_count"].int }
            }
            return await group.reduce(into: []) { $0.append($1 ?? -1) }
        }
        #expect(left.sorted() == Array(1...12))
        #expect(try bench.item(id).notes == nil)
    }

    @Test func `undo of an edit that took a text from the queue does not make the task wait again`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.call("POST", "/api/tasks", ["title": "call bob"], as: ann).id
        #expect(try bench.patch(id, ["title": "Call Bob"], as: ann)["labels"] == [])
        try bench.undo(as: ann)
        #expect(try bench.get(id, as: ann)["title"] == "call bob")
        #expect(try bench.get(id, as: ann)["labels"] == [])
        #expect(try bench.count("job") == 0)
    }

    @Test func `the label of the queue does not stand in the way of undoing other labels`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let more: [String: JSONValue] = ["labels": ["a"], "create_label": true]
        let id = try bench.make("x", more, by: ann).id
        try bench.patch(id, ["labels": ["a", "ai-to-process"]], as: ann)
        #expect(try bench.count("job") == 1)
        // Asked for by hand: undo takes the wish back, redo does not repeat it.
        try bench.undo(as: ann)
        #expect(try bench.item(id).labels == ["a"])
        #expect(try bench.count("job") == 0)
        try bench.redo(as: ann)
        #expect(try bench.item(id).labels == ["a"])
        try bench.patch(id, ["labels": ["ai-to-process", "a", "ai-added"]], as: ann)
        try bench.undo(as: ann)
        #expect(try bench.item(id).labels == ["a"])
        try bench.redo(as: ann)
        #expect(try bench.item(id).labels == ["a", "ai-added"])
        #expect(try bench.undo(as: ann)["skipped_fields"] == [])
        #expect(try bench.item(id).labels == ["a"])
    }

    @Test func `a completion that two people take back and make again stays one`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("x", ["project_id": .int(shared)], by: ann).id
        try bench.act("done", id, as: ann)
        try bench.act("undone", id, as: bob)
        #expect(try bench.count("completion") == 0)
        try bench.undo(as: ann)
        try bench.redo(as: ann)
        try bench.undo(as: bob)
        #expect(try bench.count("completion") == 1)
        try bench.undo(as: ann)
        #expect(try bench.count("completion") == 0)
    }
}
