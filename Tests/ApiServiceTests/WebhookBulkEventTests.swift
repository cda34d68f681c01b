import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

/// A-13: a bulk action sends one event for each task that it changed.
@Suite("A-13, api section 5: what webhooks are told of many at once")
struct WebhookBulkEventTests {
    private let bench: Bench
    private let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
        try bench.hook(Bench.allEvents, by: ann)
    }

    private func make(_ count: Int, _ more: [String: JSONValue] = [:]) throws -> [Int64] {
        let ids = try (0..<count).map { try bench.make("task \($0)", more, by: ann).id }
        _ = try bench.take()
        return ids
    }

    private func post(_ path: String, _ body: JSONValue) throws {
        let answer = try bench.call("POST", path, body, as: ann)
        #expect(answer.status == 200, "\(answer.body ?? .null)")
    }

    private func list(_ ids: [Int64]) -> JSONValue { .array(ids.map(JSONValue.int)) }

    /// Events in order, each with its task.
    private func told() throws -> [String] {
        try bench.told().map { event, data in
            "\(event) \((data["task"]?["id"] ?? data["task_id"])?.int ?? 0)"
        }
    }

    @Test func `A28: task.completed for each`() throws {
        let ids = try make(3)
        try post("/api/tasks/bulk/done", ["ids": list(ids)])
        #expect(try told() == ids.map { "task.completed \($0)" })
    }

    @Test func `A30: task.snoozed for each that moved, with its own target before`() throws {
        let ids = try make(2, ["due_at": .local("12:00")])
        let there = try make(1, ["due_at": .local("15:00")])
        try post("/api/tasks/bulk/snooze", ["ids": list(ids + there), "until": .local("15:00")])
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.snoozed", "task.snoozed"])
        #expect(told.allSatisfy { $0.data["previous_due_at"] == .local("12:00") })
        #expect(Set(told.compactMap { $0.data["task"]?["id"]?.int }) == Set(ids))
    }

    @Test func `A32: task.updated for each, with its own fields`() throws {
        let plain = try make(1)
        let high = try make(1, ["priority": 3])
        let body: JSONValue = ["ids": list(plain + high), "changes": ["priority": 3, "notes": "n"]]
        try post("/api/tasks/bulk/edit", body)
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.updated", "task.updated"])
        let fields = Dictionary(
            uniqueKeysWithValues: told.map {
                ($0.data["task"]?["id"]?.int ?? 0, Set($0.data["fields_changed"]?.array ?? []))
            })
        #expect(fields[plain[0]] == ["priority", "notes"])
        #expect(fields[high[0]] == ["notes"])
    }

    @Test func `A33: task.deleted for each that was not in the trash`() throws {
        let ids = try make(3)
        try bench.trash(ids[1], as: ann)
        _ = try bench.take()
        try post("/api/tasks/bulk/delete", ["ids": list(ids)])
        #expect(try told() == ["task.deleted \(ids[0])", "task.deleted \(ids[2])"])
    }

    @Test
    func `A23, A24, A27: task.skipped; task.updated when a proposal is confirmed; nothing for a new try`()
        throws
    {
        let daily = try make(1, ["rrule": "FREQ=DAILY", "due_at": .local("09:00")])
        try post("/api/tasks/\(daily[0])/skip-occurrence", [:])
        #expect(try told() == ["task.skipped \(daily[0])"])
        let proposed = try make(1, ["ai_proposed": true])
        try post("/api/tasks/\(proposed[0])/confirm", [:])
        try post("/api/tasks/\(proposed[0])/confirm", [:])
        #expect(try told() == ["task.updated \(proposed[0])"])
        let failed = try make(1)
        try bench.change("UPDATE task SET labels = '[\"ai-failed\"]' WHERE id = \(failed[0])")
        try post("/api/tasks/\(failed[0])/reprocess", [:])
        #expect(try told().isEmpty)
    }

    @Test func `A31: a sweep of 500 puts 500 messages into its one transaction`() throws {
        _ = try make(500, ["due_at": .local("09:00")])
        try bench.sweep(as: ann)
        #expect(try bench.count("undo WHERE action = 'bulk_snooze'") == 1)
        let told = try bench.told()
        #expect(told.count == 500 && told.allSatisfy { $0.event == "task.snoozed" })
    }

    @Test func `the outbox leaves in bites of bytes as well as of rows`() throws {
        let notes = String(repeating: "x", count: 90_000)
        for _ in 1...3 { try bench.make("x", ["notes": .string(notes)], by: ann) }
        func count(_ characters: Int) throws -> Int {
            try bench.store.read { try $0.outbox(limit: 200, characters: characters).count }
        }
        #expect(try count(1) == 1, "one leaves, however long it is")
        #expect(try count(100_000) == 2)
        #expect(try count(.max) == 3)
    }
}
