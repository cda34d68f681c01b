import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A23 Past an occurrence")
struct SkipTests {
    private func skip(_ bench: Bench, _ id: Int64, _ body: JSONValue? = nil, as person: Bench.Person) throws
        -> Answer
    {
        try bench.call("POST", "/api/tasks/\(id)/skip-occurrence", body, as: person)
    }

    @Test func `Golden 108, C-6: a daily task goes to tomorrow, is not completed, and comes back by undo`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("Walk", ["due_at": .local("09:00"), "rrule": "FREQ=DAILY"], by: ann).id
        try bench.act("snooze", id, ["until": .local("09:30")], as: ann)
        try bench.take()
        let answer = try skip(bench, id, as: ann)
        #expect(answer.status == 200)
        #expect(answer["due_at"] == .local("10-15 09:00") && answer["original_due_at"] == answer["due_at"])
        #expect(answer["skip_count"] == 1 && answer["completion_count"] == 0 && answer["done"] == false)
        #expect(answer["was_recurring"] == true && answer["description"] == "Skipped \"Walk\"")
        #expect(answer.data.object?["stale"] == nil)
        #expect(try bench.count("completion") == 0)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["0"])
        // The log says skipped, never completed.
        #expect(try bench.rows("SELECT action FROM activity ORDER BY id DESC LIMIT 1") == ["skip"])
        #expect(try bench.outbox().compactMap(\.dismiss?.taskIDs) == [[id]])
        #expect(try bench.outbox().compactMap(\.badge) == [0])
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "skip")
        let back = try bench.get(id, as: ann)
        #expect(back["due_at"] == .local("09:30") && back["original_due_at"] == .local("09:00"))
        #expect(back["skip_count"] == 0)
        try bench.redo(as: ann)
        #expect(try bench.get(id, as: ann)["skip_count"] == 1)
    }

    @Test func `C-6: a one-off is archived, not done; skipping it again is refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let answer = try skip(bench, id, as: ann)
        #expect(answer["archived_at"] == .local("10:00") && answer["done"] == false)
        #expect(answer["was_recurring"] == false && answer["skip_count"] == 1)
        expectRefused(try skip(bench, id, as: ann), 400, "VALIDATION_ERROR")
        let listed = try bench.call("GET", "/api/tasks", as: ann)
        #expect(listed["count"] == 0)
    }

    @Test func `C-6: reminders, quotas, done and trashed ones are refused; a stranger finds nothing`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let note = try bench.make("Think", ["is_reminder": true], by: ann).id
        let quota = try bench.make("Read", ["progress_target": 2, "rrule": "FREQ=DAILY"], by: ann).id
        let done = try bench.make(by: ann).id
        try bench.act("done", done, as: ann)
        let trashed = try bench.make(by: ann).id
        try bench.trash(trashed, as: ann)
        for id in [note, quota, done, trashed] {
            expectRefused(try skip(bench, id, as: ann), 400, "VALIDATION_ERROR")
        }
        let own = try bench.make(by: ann).id
        expectRefused(try skip(bench, own, as: bob), 404, "NOT_FOUND")
        expectRefused(
            try bench.call("POST", "/api/tasks/abc/skip-occurrence", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `C-3, A-3: an occurrence that is over is not skipped for the next one`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("Walk", ["due_at": .local("09:00"), "rrule": "FREQ=DAILY"], by: ann)
        let first = try skip(bench, task.id, ["due_at": .local("09:00")], as: ann)
        #expect(first["due_at"] == .local("10-15 09:00"))
        let late = try skip(bench, task.id, ["due_at": .local("09:00")], as: ann)
        #expect(late.status == 200 && late["stale"] == true && late["description"] == "")
        #expect(late["due_at"] == .local("10-15 09:00") && late["skip_count"] == 1)
        let old = try skip(bench, task.id, ["version": .int(task.version)], as: ann)
        expectRefused(old, 409, "CONFLICT")
        #expect(old.reason == "version_conflict")
        #expect(old.body?["current"]?["due_at"] == .local("10-15 09:00"))
    }

    @Test func `R-11: skipping the last occurrence ends the task; S-20, T9: its text is left alone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let last = try bench.make(
            "Once", ["due_at": .local("09:00"), "rrule": "FREQ=DAILY;COUNT=1"], by: ann
        ).id
        #expect(try skip(bench, last, as: ann)["archived_at"] == .local("10:00"))
        let waiting = try bench.make("Call Eve", ["enrich": true], by: ann).id
        #expect(try skip(bench, waiting, as: ann)["labels"] == [])
        #expect(try bench.count("job") == 0)
    }
}
