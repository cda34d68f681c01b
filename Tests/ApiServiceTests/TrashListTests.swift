import Domain
import JSON
import Testing
import Time

@Suite("A62, A63, C-10, C-11 The trash")
struct TrashListTests {
    private func titles(_ answer: Answer) -> [String] {
        (answer["tasks"].array ?? []).compactMap { $0["title"]?.string }
    }

    @Test func `A62: the newest in the trash first, own ones, done or not`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann)
        let place: [String: JSONValue] = ["project_id": .int(house.id)]
        let first = try bench.make("first", place, by: ann)
        let done = try bench.make("done", by: ann)
        try bench.act("done", done.id, as: ann)
        let same = try bench.make("same second", by: ann)
        try bench.make("open", by: ann)
        let bobs = try bench.make("bob's", place, by: bob)
        try bench.trash(bobs.id, as: ann)
        bench.advance(seconds: 1)
        try bench.trash(first.id, as: bob)
        bench.advance(seconds: 1)
        try bench.trash(done.id, as: ann)
        try bench.trash(same.id, as: ann)

        let listed = try bench.call("GET", "/api/trash", as: ann)
        #expect(listed.status == 200 && listed["count"] == 3)
        #expect(titles(listed) == ["same second", "done", "first"])
        #expect(listed["tasks"].array?.last == (try bench.get(first.id, as: ann).data))
        #expect(titles(try bench.call("GET", "/api/trash", as: bob)) == ["bob's"])
    }

    @Test func `A62: the limit is clamped to 1 to 500, 200 when there is none`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("t", by: ann).id
        try bench.trash(id, as: ann)
        try bench.change(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 510)
            INSERT INTO task SELECT t.id + i, t.version, t.user_id, t.project_id, \
            \(try bench.rows("""
                SELECT group_concat('t.' || name, ', ') FROM pragma_table_info('task') WHERE cid > 3
                """).first ?? "") FROM n, task t WHERE t.id = \(id)
            """)
        for (query, count) in [
            ("", 200), ("?limit=7", 7), ("?limit=0", 1), ("?limit=-3", 1), ("?limit=9999", 500),
        ] {
            #expect(try bench.call("GET", "/api/trash\(query)", as: ann)["count"] == .int(Int64(count)))
        }
        expectRefused(
            try bench.call("GET", "/api/trash?limit=x", as: ann), 400, "VALIDATION_ERROR", culprit: "limit")
    }

    @Test func `C-10: what comes back from the trash is what it was; over target if its target has passed`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.make(
            "Milk", ["due_at": .local("11:00"), "priority": 3, "notes": "rye"], by: ann)
        try bench.trash(made.id, as: ann)
        #expect(try bench.call("GET", "/api/trash", as: ann)["count"] == 1)
        bench.at("12:00")
        let back = try bench.act("restore", made.id, as: ann)
        var before = try unwrap(made.data.object)
        var after = try unwrap(back.data.object)
        for key in ["version", "updated_at"] {
            before[key] = nil
            after[key] = nil
        }
        #expect(before == after)
        #expect(try bench.call("GET", "/api/tasks?overdue=true", as: ann)["count"] == 1)
        // Undo of a create is a move to the trash.
        let other = try bench.make("Bread", by: ann)
        try bench.undo(as: ann)
        #expect(titles(try bench.call("GET", "/api/trash", as: ann)) == ["Bread"])
        try bench.redo(as: ann)
        #expect(try bench.item(other.id).isOpen)
    }

    @Test func `A63, C-11: all of one's trash is gone for good, with what hangs on it; entries skip it`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let kept = try bench.make("kept", by: ann)
        let gone = try bench.make("gone", ["due_at": .local("10:30")], by: ann)
        try bench.act("done", gone.id, as: ann)
        try bench.patch(gone.id, ["notes": "x"], as: ann)
        let bobs = try bench.make("bob's", by: bob)
        try bench.trash(bobs.id, as: bob)
        // Both in one entry.
        try bench.change(
            "UPDATE task SET labels = '[\"x\"]' WHERE id IN (\(kept.id), \(gone.id));"
                + "INSERT INTO label (user_id, name, name_key, created_at) VALUES (\(ann.id.rawValue), 'x', 'x', 0);"
        )
        _ = try bench.call("DELETE", "/api/labels/x", ["remove_from_tasks": true], as: ann)
        try bench.trash(gone.id, as: ann)
        let undo = try bench.count("undo WHERE user_id = 1")
        try bench.change("DELETE FROM event")
        try bench.take()

        let answer = try bench.call("DELETE", "/api/trash", as: ann)
        #expect(answer.status == 200 && answer.data == ["deleted_count": 1])
        #expect(try bench.rows("SELECT title FROM task ORDER BY id") == ["kept", "bob's"])
        #expect(try bench.count("completion") == 0)
        #expect(try bench.rows("SELECT completions FROM statistic WHERE user_id = 1") == ["1"], "C-5")
        #expect(try bench.count("undo WHERE user_id = 1") == undo, "U-10")
        #expect(try bench.rows("SELECT user_id || data FROM event") == [#"1{"type":"sync"}"#])
        #expect(try bench.outbox().isEmpty)
        #expect(try bench.get(gone.id, as: ann).status == 404)

        try bench.undo(as: ann)  // the deletion: nothing is left of it
        #expect(try bench.count("task") == 2)
        #expect(try bench.undo(as: ann)["tasks_affected"] == 1)
        #expect(try bench.item(kept.id).labels == ["x"])
        for _ in 3...undo { try bench.undo(as: ann) }
        #expect(try bench.call("POST", "/api/undo", as: ann).status == 400, "the stack is not stuck")

        let again = try bench.call("DELETE", "/api/trash", as: ann)
        #expect(again.data == ["deleted_count": 1], "the undone creation of kept")
        try bench.change("DELETE FROM event")
        #expect(try bench.call("DELETE", "/api/trash", as: ann).data == ["deleted_count": 0])
        #expect(try bench.count("event") == 0)
        // Ids never come back.
        #expect(try bench.make("new", by: ann).id > bobs.id)
    }

    @Test func `A63: of a shared project's task everybody is told`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann)
        let task = try bench.make("x", ["project_id": .int(house.id)], by: ann)
        try bench.trash(task.id, as: ann)
        try bench.change("DELETE FROM event")
        _ = try bench.call("DELETE", "/api/trash", as: ann)
        #expect(try bench.rows("SELECT user_id FROM event ORDER BY user_id") == ["1", "2"])
    }
}
