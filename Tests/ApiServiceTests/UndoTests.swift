import Domain
import JSON
import Testing
import Time

@Suite("U Undo and redo")
struct UndoTests {
    private func status(_ bench: Bench, _ person: Bench.Person) throws -> JSONValue {
        try bench.call("GET", "/api/undo/status", as: person).data
    }

    @Test func `A56 to A58: shapes, and what there is to undo`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(try status(bench, ann) == ["latest_id": nil, "undoable_count": 0, "redoable_count": 0])
        expectRefused(try bench.call("POST", "/api/undo", as: ann), 400, "VALIDATION_ERROR")
        expectRefused(try bench.call("POST", "/api/redo", as: ann), 400, "VALIDATION_ERROR")
        let id = try bench.make(by: ann).id
        try bench.patch(id, ["priority": 3], as: ann)
        #expect(try status(bench, ann) == ["latest_id": 2, "undoable_count": 2, "redoable_count": 0])
        let undone = try bench.undo(as: ann)
        #expect(
            undone.data == [
                "undone_action": "edit", "description": "Edited \"Buy milk\": priority High",
                "tasks_affected": 1,
                "undoable_count": 1, "redoable_count": 1, "skipped_fields": [],
            ])
        let redone = try bench.redo(as: ann)
        #expect(
            redone.data == [
                "redone_action": "edit", "description": "Edited \"Buy milk\": priority High",
                "tasks_affected": 1,
                "undoable_count": 2, "redoable_count": 0, "skipped_fields": [],
            ])
        #expect(try status(bench, ann) == ["latest_id": 2, "undoable_count": 2, "redoable_count": 0])
    }

    @Test func `A56: a broken body reads as none; a session begins after its id`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.patch(id, ["priority": 1], as: ann)
        let start: JSONValue = ["session_start_id": 2]
        expectRefused(try bench.call("POST", "/api/undo", start, as: ann), 400, "VALIDATION_ERROR")
        try bench.patch(id, ["priority": 2], as: ann)
        let answer = try bench.call("POST", "/api/undo", start, as: ann)
        #expect(answer["undoable_count"] == 0)
        #expect(answer["redoable_count"] == 1)
        #expect(try bench.send("POST", "/api/undo", Array("{broken".utf8), as: ann).status == 200)
        #expect(try bench.item(id).priority == .unset)
    }

    @Test func `Golden 109, U-3: a new action ends redo; what the system does, does not`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.patch(id, ["priority": 1], as: ann)
        try bench.undo(as: ann)
        try bench.patch(id, ["notes": "n"], as: ann)
        expectRefused(try bench.call("POST", "/api/redo", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `U-2: everybody has a stack of his own; redo begins with what was undone last`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let mine = try bench.make("mine", by: ann).id
        try bench.make("bob's", by: bob)
        for priority in 1...3 { try bench.patch(mine, ["priority": .int(Int64(priority))], as: ann) }
        for priority in [2, 1, 0] {
            try bench.undo(as: ann)
            #expect(try bench.item(mine).priority.rawValue == priority)
        }
        for priority in [1, 2, 3] {
            try bench.redo(as: ann)
            #expect(try bench.item(mine).priority.rawValue == priority)
        }
        #expect(try status(bench, bob)["undoable_count"] == 1)
    }

    @Test func `Golden 22 to 24: snoozes, a reschedule, a first date, each undone to what was`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("10-15 09:00")], by: ann).id
        try bench.act("snooze", id, ["until": .local("10-15 14:00")], as: ann)
        let twice = try bench.act("snooze", id, ["until": .local("10-15 16:00")], as: ann)
        #expect(twice["original_due_at"] == .local("10-15 09:00"))
        #expect(twice["snooze_count"] == 2)
        #expect(twice["is_snoozed"] == true)
        let picked = try bench.patch(
            id, ["due_at": .local("10-17 11:00"), "reset_original_due_at": true], as: ann)
        #expect(picked["original_due_at"] == .local("10-17 11:00"))
        #expect(picked["snooze_count"] == 0)
        #expect(picked["is_snoozed"] == false)
        try bench.undo(as: ann)
        let back = try bench.get(id, as: ann)
        #expect(back["original_due_at"] == .local("10-15 09:00"))
        #expect(back["due_at"] == .local("10-15 16:00"))
        #expect(back["snooze_count"] == 2)

        let undated = try bench.make("y", by: ann).id
        let first = try bench.sweep(
            ["until": .local("10-15 09:00"), "include_task_ids": [.int(undated)]], as: ann)
        #expect(first["tasks_affected"] == 1)
        let dated = try bench.get(undated, as: ann)
        #expect(dated["due_at"] == .local("10-15 09:00"))
        #expect(dated["original_due_at"] == .local("10-15 09:00"))
        #expect(dated["snooze_count"] == 0)
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["2"])
    }

    @Test func `Golden 25: the present value is no change, makes no entry and no event`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["due_at": .local("10-15 09:00")], by: ann)
        let events = try bench.count("event")
        let same = try bench.patch(task.id, ["due_at": .local("10-15 09:00")], as: ann)
        #expect(same["fields_changed"] == [])
        #expect(same.version == task.version)
        #expect(try bench.count("undo") == 1)
        #expect(try bench.count("event") == events)
    }

    @Test func `Golden 110, U-4: undo leaves alone what somebody else has changed since, and names it`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("x", ["due_at": .local("09:00"), "project_id": .int(shared)], by: ann).id
        try bench.act("snooze", id, ["until": .local("15:00")], as: ann)
        try bench.act("snooze", id, ["until": .local("18:00")], as: bob)
        let undone = try bench.undo(as: ann)
        #expect(undone["skipped_fields"].array?.contains("due_at") == true)
        let task = try bench.get(id, as: ann)
        #expect(task["due_at"] == .local("18:00"))
        #expect(task["snooze_count"] == 1, "counters move by difference")
        // A11: Bob's own entry is as it was.
        try bench.undo(as: bob)
        #expect(try bench.get(id, as: ann)["due_at"] == .local("15:00"))
    }

    @Test
    func `Golden 111, U-5, U-6: a recurring completion undone and redone, with row, counts and statistic`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann).id
        try bench.act("snooze", id, ["until": .local("09:00")], as: ann)
        func state() throws -> [String] {
            try bench.rows(
                "SELECT due_at || ' ' || original_due_at || ' ' || completion_count || ' ' || coalesce(last_completed_at, 0) FROM task"
            ) + bench.rows("SELECT completed_at || ' ' || due_at_was || ' ' || due_at_next FROM completion")
                + bench.rows("SELECT completions FROM statistic")
        }
        let before = try state()
        try bench.act("done", id, as: ann)
        let done = try state()
        #expect(done.count == 3)
        bench.at("10-16 08:00")
        try bench.undo(as: ann)
        #expect(try state() == before)
        try bench.redo(as: ann)
        #expect(try state() == done, "made again as it was, on the date on which it was counted")
        try bench.undo(as: ann)
        #expect(try state() == before)
    }

    @Test func `U-5: undo of a create is the trash, undo of a delete is out of it; redo of each`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.trash(id, as: ann)
        try bench.undo(as: ann)
        #expect(try bench.item(id).deletedAt == nil)
        try bench.undo(as: ann)
        #expect(try bench.item(id).deletedAt != nil)
        #expect(try bench.rows("SELECT tasks_created FROM statistic") == ["0"])
        try bench.redo(as: ann)
        #expect(try bench.item(id).deletedAt == nil)
        #expect(try bench.rows("SELECT tasks_created FROM statistic") == ["1"])
        try bench.redo(as: ann)
        #expect(try bench.item(id).deletedAt != nil)
    }

    @Test func `undo of Undone makes the completion again`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.act("done", id, as: ann)
        let completion = try bench.rows("SELECT completed_at FROM completion")
        bench.at("10:30")
        try bench.act("undone", id, as: ann)
        try bench.undo(as: ann)
        #expect(try bench.item(id).done)
        #expect(try bench.rows("SELECT completed_at FROM completion") == completion)
        try bench.redo(as: ann)
        #expect(try !bench.item(id).done)
        #expect(try bench.count("completion") == 0)
    }

    @Test func `U-13: undo of a sweep gives each task its own target, original, count and source back`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("10-05 12:00")
        let automatic = try bench.make("a", ["deadline_at": .local("10-20 18:00")], by: ann).id
        bench.at("10-17 10:00")
        let snoozed = try bench.make("b", ["due_at": .local("10-16 09:00")], by: ann).id
        try bench.act("snooze", snoozed, ["until": .local("10-17 09:00")], as: ann)
        let plain = try bench.make("c", ["due_at": .local("10-17 08:00")], by: ann).id
        func states() throws -> [String] {
            try bench.rows(
                "SELECT due_at || ' ' || original_due_at || ' ' || target_source || ' ' || snooze_count FROM task ORDER BY id"
            )
        }
        let before = try states()
        #expect(try bench.sweep(["option": "60"], as: ann)["tasks_affected"] == 3)
        #expect(try bench.item(automatic).targetSource == .user)
        #expect(try Set(states()).isDisjoint(with: before))
        let undone = try bench.undo(as: ann)
        #expect(undone["tasks_affected"] == 3)
        #expect(undone["undone_action"] == "bulk_snooze")
        #expect(try states() == before)
        #expect(try bench.rows("SELECT snoozes FROM statistic WHERE date = '2026-10-17'") == ["1"])
        _ = plain
    }

    /// U-12.
    @Test(
        arguments: [
            (["title": "Buy bread"], #"Renamed "Buy milk" to "Buy bread""#),
            (["title": "Buy bread", "priority": 3], #"Edited "Buy milk": title, priority High"#),
            (
                ["is_tracked": true, "progress_target": 3, "rrule": "FREQ=DAILY"],
                #"Edited "Buy milk": repeat, kind"#
            ),
        ] as [(JSONValue, String)])
    func `an edit is described by what it changed, each word once`(_ body: JSONValue, _ words: String) throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("Buy milk", by: ann)
        #expect(
            try bench.call("PATCH", "/api/tasks/\(task.id)", body, as: ann)["description"] == .string(words))
    }
}
