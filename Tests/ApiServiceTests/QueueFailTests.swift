import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time
import Varlink

@Suite("enrich 1.5, 1.7, 1.8 Failures")
struct QueueFailTests {
    @Test func `one retry after 30 s, give or take a fifth; then ai-failed, told once`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        try house.fail(try house.claimOne())
        #expect(try house.labels(id) == ["ai-to-process"])
        #expect(try house.bench.take().isEmpty)
        house.bench.advance(seconds: 23)
        #expect(try house.claim().isEmpty)
        house.bench.advance(seconds: 13)
        let second = try house.claimOne()
        #expect(second.attempt == 2)
        try house.fail(second)
        #expect(try house.labels(id) == ["ai-failed"])
        let alert = try unwrap(try house.bench.take().first?.alert)
        #expect(alert.title == "AI couldn't process a task")
        #expect(alert.body == "call bob")
        #expect(alert.category == "TASK_ADDED")
        #expect(alert.collapseID == "ai-failed-\(id)")
        #expect(alert.thread == "ai-failed-\(id)")
        #expect(!alert.sound && alert.silent && alert.badge == nil && alert.level == .active)
        #expect(alert.data == ["taskId": .int(id)])
        house.bench.advance(seconds: 3600)
        #expect(try house.claim().isEmpty)
        #expect(try house.bench.count("undo") == 1, "what the system does is no step of the person")
    }

    @Test func `a longer wait that the enricher asked for is kept`() throws {
        let house = try QueueHouse()
        try house.type("x")
        try house.fail(try house.claimOne(), retryAfterMs: 300_000)
        house.bench.advance(seconds: 239)
        #expect(try house.claim().isEmpty)
        house.bench.advance(seconds: 122)
        #expect(try house.claim().count == 1)
    }

    @Test func `what is not worth a retry fails at once`() throws {
        let house = try QueueHouse()
        let id = try house.type("x")
        try house.fail(try house.claimOne(), retryable: false)
        #expect(try house.labels(id) == ["ai-failed"])
    }

    @Test func `an enricher that is not reached uses no attempt, for a quarter of an hour`() throws {
        let house = try QueueHouse()
        let id = try house.type("x")
        for _ in 1...5 {
            try house.fail(try house.claimOne(), usesAttempt: false, retryAfterMs: 60_000)
            house.bench.advance(seconds: 75)
        }
        #expect(try house.claimOne().attempt == 1)
        house.bench.advance(seconds: 15 * 60)
        // The lease of the last claim ran out meanwhile: one attempt; a text of that age: the other.
        try house.fail(try house.claimOne(), usesAttempt: false, retryAfterMs: 60_000)
        #expect(try house.labels(id) == ["ai-failed"])
    }

    @Test(
        arguments: [
            (["is_reminder": true], "a reminder"), (["is_tracked": true, "rrule": "FREQ=DAILY"], "a quota"),
        ]
            as [([String: JSONValue], String)])
    func `N-32: the words for each kind; a long text is cut`(_ more: [String: JSONValue], _ word: String)
        throws
    {
        let house = try QueueHouse()
        try house.type(String(repeating: "x", count: 250), more)
        try house.fail(try house.claimOne(), retryable: false)
        let alert = try unwrap(try house.bench.take().compactMap(\.alert).first)
        #expect(alert.title == "AI couldn't process \(word)")
        #expect(alert.body == String(repeating: "x", count: 199) + "…")
    }

    @Test func `N-32, N-33: not when done or in the trash, not with notifications off`() throws {
        let house = try QueueHouse()
        for act in ["done", "trash", "off"] {
            let id = try house.type("x")
            let job = try house.claimOne()
            switch act {
            case "done": try house.bench.act("done", id, as: house.ann)
            case "trash": try house.bench.trash(id, as: house.ann)
            default: try house.bench.set("notifications_enabled", "false", of: house.ann)
            }
            try house.bench.take()
            _ = house.error { try house.fail(job, retryable: false) }
            #expect(try house.bench.take().compactMap(\.alert).isEmpty, "\(act)")
            #expect(try house.labels(id) == (act == "off" ? ["ai-failed"] : []), "\(act)")
        }
    }

    @Test func `run again: the count begins anew, and failing again notifies again`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob today")
        try house.fail(try house.claimOne(), retryable: false)
        try house.bench.take()
        house.bench.at("16:00")
        try house.bench.patch(id, ["labels": ["ai-to-process"]], as: house.ann)
        #expect(try house.labels(id) == ["ai-to-process"])
        let job = try house.claimOne()
        #expect(job.attempt == 1)
        #expect(job.text == "call bob today")
        #expect(job.context.nowLocal == "2026-10-14T16:00", "now is the claim, for a re-run")
        try house.fail(job, retryable: false)
        #expect(try house.bench.take().compactMap(\.alert?.collapseID) == ["ai-failed-\(id)"])
    }

    @Test func `with the master switch off a text that waits is let go, without notice`() throws {
        let on = try QueueHouse()
        let id = try on.type("call bob")
        let path = on.bench.store.path
        let off = try QueueHouse(["OPENTASK_AI_ENABLED": "false", "OPENTASK_DB_PATH": path + "-other"])
        #expect(try off.bench.call("POST", "/api/tasks", ["title": "x"], as: off.ann)["labels"] == [])
        // The same database under a service that has the switch off.
        let same = try Bench(["OPENTASK_AI_ENABLED": "false", "OPENTASK_DB_PATH": path])
        let door = try Door(same)
        #expect(try door.client.call(EnrichQueue.Claim.self, .init(limit: 5, leaseMs: 1000)).jobs.isEmpty)
        #expect(try on.labels(id) == [])
        #expect(try on.bench.outbox().compactMap(\.alert).isEmpty)
    }

    @Test func `one row of the activity log for each call (1.9)`() throws {
        let house = try QueueHouse()
        try house.type("a")
        try house.fail(try house.claimOne())
        house.bench.advance(seconds: 60)
        try house.complete(try house.claimOne(), .init(title: "A"))
        #expect(
            try house.bench.rows(
                "SELECT status || ' ' || coalesce(error, '-') || ' ' || enricher || ' ' || duration_ms || ' ' || input FROM enrichment ORDER BY id"
            ) == ["error TimedOut builtin 7 in", "success - builtin 7 in"])
    }
}
