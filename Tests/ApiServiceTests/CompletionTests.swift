import JSON
import Testing
import Time

@Suite("A20, A21 Done and undone")
struct CompletionTests {
    private func completions(_ bench: Bench) throws -> [String] {
        try bench.rows(
            "SELECT completed_at || ' ' || coalesce(due_at_was, '') || ' ' || coalesce(due_at_next, '') FROM completion ORDER BY id"
        )
    }

    private func statistics(_ bench: Bench) throws -> [String] {
        try bench.rows(
            "SELECT user_id || ' ' || date || ' ' || completions || ' ' || tasks_created || ' ' || snoozes FROM statistic ORDER BY user_id, date"
        )
    }

    @Test func `C-1: a one-off is done, once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        bench.at("10:05")
        let done = try bench.act("done", id, as: ann)
        #expect(done["done"] == true)
        for name in ["done_at", "archived_at", "first_completed_at", "last_completed_at"] {
            #expect(done[name] == .local("10:05"))
        }
        #expect(done["completion_count"] == 1)
        #expect(done["was_recurring"] == false)
        #expect(done["next_due_at"] == .null)
        #expect(done.data.object?["already_done"] == nil)
        let expected = ["\(Instant.local("10:05").seconds) \(Instant.local("09:00").seconds) "]
        #expect(try completions(bench) == expected)
        #expect(try statistics(bench) == ["1 2026-10-14 1 1 0"])

        bench.at("10:06")
        let again = try bench.act("done", id, as: ann)
        #expect(again["already_done"] == true)
        #expect(again.version == done.version)
        #expect(try completions(bench) == expected)
        #expect(try statistics(bench) == ["1 2026-10-14 1 1 0"])
        #expect(try bench.count("undo") == 2)
    }

    @Test func `C-2, C-3: a recurring task advances; a late Done for an earlier occurrence does nothing`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann)
        try bench.act("snooze", task.id, ["until": .local("09:30")], as: ann)
        let done = try bench.act("done", task.id, ["due_at": .local("09:30")], as: ann)
        #expect(done["done"] == false)
        #expect(done["was_recurring"] == true)
        #expect(done["next_due_at"] == .local("10-15 08:00"))
        #expect(done["due_at"] == .local("10-15 08:00"))
        #expect(done["original_due_at"] == done["due_at"])
        #expect(done["is_snoozed"] == false)
        let late = try bench.act("done", task.id, ["due_at": .local("09:30")], as: ann)
        #expect(late["already_done"] == true)
        #expect(late["stale"] == true)
        #expect(late["due_at"] == .local("10-15 08:00"))
        #expect(try bench.count("completion") == 1)
        #expect(try statistics(bench) == ["1 2026-10-14 1 1 1"])
    }

    @Test func `the statistic counts on the local date of whoever acted`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob", zone: "Asia/Tokyo")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("x", ["project_id": .int(shared)], by: ann).id
        try bench.act("done", id, as: bob)
        #expect(try statistics(bench) == ["1 2026-10-14 0 1 0", "2 2026-10-15 1 0 0"])
    }

    @Test func `M-5: a reminder is considered once a day`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["is_reminder": true], by: ann).id
        #expect(try bench.act("done", id, as: ann).data.object?["already_done"] == nil)
        bench.at("23:59")
        #expect(try bench.act("done", id, as: ann)["already_done"] == true)
        bench.at("10-15 00:00")
        #expect(try bench.act("done", id, as: ann).data.object?["already_done"] == nil)
        #expect(try bench.count("completion") == 2)
    }

    @Test func `a quota is not done; its period is closed only when that is said`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["progress_target": 3, "rrule": "FREQ=DAILY"], by: ann).id
        try bench.patch(id, ["progress_current": 2], as: ann)
        expectRefused(try bench.call("POST", "/api/tasks/\(id)/done", as: ann), 400, "VALIDATION_ERROR")
        let closed = try bench.act("done", id, ["close_period": true], as: ann)
        #expect(closed["progress_current"] == 0)
        #expect(closed["completion_count"] == 1)
        expectRefused(try bench.call("POST", "/api/tasks/\(id)/undone", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `C-7: a one-off is open again, and its completion is gone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["due_at": .local("10-15 09:00")], by: ann)
        expectRefused(
            try bench.call("POST", "/api/tasks/\(task.id)/undone", as: ann), 400, "VALIDATION_ERROR")
        try bench.act("done", task.id, as: ann)
        let open = try bench.act("undone", task.id, as: ann)
        #expect(open["done"] == false)
        #expect(open["archived_at"] == .null)
        #expect(open["due_at"] == .local("10-15 09:00"))
        #expect(open["completion_count"] == 0)
        #expect(try bench.count("completion") == 0)
        #expect(try statistics(bench) == ["1 2026-10-14 0 1 0"])
    }

    @Test func `a completion that is taken back on another day comes off the day that it was counted on`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.act("done", id, as: ann)
        bench.at("10-16 10:00")
        let other = try bench.make(by: ann).id
        try bench.act("done", other, as: ann)
        try bench.act("undone", id, as: ann)
        #expect(try statistics(bench) == ["1 2026-10-14 0 1 0", "1 2026-10-16 1 1 0"])
        try bench.undo(as: ann)
        #expect(try statistics(bench) == ["1 2026-10-14 1 1 0", "1 2026-10-16 1 1 0"])
    }

    @Test func `C-8: a recurring task is put back on its day, unless it has changed since`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann).id
        try bench.act("done", id, as: ann)
        let back = try bench.act("undone", id, as: ann)
        #expect(back["due_at"] == .local("08:00"))
        #expect(back["original_due_at"] == .local("08:00"))
        #expect(back["completion_count"] == 0)
        #expect(try bench.count("completion") == 0)

        try bench.act("done", id, as: ann)
        try bench.act("snooze", id, ["until": .local("10-16 08:00")], as: ann)
        let refused = try bench.call("POST", "/api/tasks/\(id)/undone", as: ann)
        expectRefused(refused, 409, "CONFLICT")
        #expect(refused.reason == "changed_since")
        #expect(try bench.count("completion") == 1)
    }

    @Test func `T8: nothing of this for a task in the trash`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        try bench.trash(id, as: ann)
        for action in ["done", "undone", "snooze"] {
            let answer = try bench.call(
                "POST", "/api/tasks/\(id)/\(action)", ["until": .local("12:00")], as: ann)
            #expect(answer.status == 400, "\(action)")
        }
        #expect(try bench.call("PATCH", "/api/tasks/\(id)", ["title": "y"], as: ann).status == 400)
    }
}

@Suite("A19, A26 Trash and restore")
struct TrashTests {
    @Test func `to the trash and back, each once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["due_at": .local("10-15 09:00")], by: ann)
        expectRefused(
            try bench.call("POST", "/api/tasks/\(task.id)/restore", as: ann), 400, "VALIDATION_ERROR")
        let gone = try bench.trash(task.id, as: ann)
        #expect(gone["deleted_at"] == .local("10:00"))
        #expect(gone["message"].string?.isEmpty == false)
        expectRefused(try bench.call("DELETE", "/api/tasks/\(task.id)", as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.get(task.id, as: ann)["deleted_at"] == .local("10:00"), "A17 shows it")
        let back = try bench.act("restore", task.id, as: ann)
        #expect(back["deleted_at"] == .null)
        #expect(back["due_at"] == .local("10-15 09:00"))
        #expect(try bench.call("GET", "/api/tasks", as: ann)["count"] == 1)
    }

    @Test func `a text that waits in the trash is read no more, and the task that comes back does not wait`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.call("POST", "/api/tasks", ["title": "call bob"], as: ann).id
        try bench.trash(id, as: ann)
        #expect(try bench.count("job") == 0)
        #expect(try bench.act("restore", id, as: ann)["labels"] == [])
        try bench.undo(as: ann)
        try bench.undo(as: ann)
        #expect(try bench.get(id, as: ann)["labels"] == [], "undo brings no text back that nobody will read")
    }
}
