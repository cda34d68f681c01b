import Dispatch
import Domain
import JSON
import Synchronization
import Testing
import Time

@Suite("A-4, api 1.12 Idempotency-Key")
struct RepetitionTests {
    private func send(
        _ bench: Bench, _ person: Bench.Person, _ key: String, _ path: String = "/api/tasks",
        _ body: JSONValue? = ["title": "once", "enrich": false], method: String = "POST"
    ) throws -> Answer {
        try bench.call(method, path, body, as: person, headers: [("Idempotency-Key", key)])
    }

    @Test func `the same request again gets the stored answer and writes nothing`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let first = try send(bench, ann, "k")
        #expect(first.status == 201)
        try bench.patch(first.id, ["title": "changed since"], as: ann)
        let counts = { try ["task", "undo", "event", "outbox", "statistic"].map { try bench.count($0) } }
        let before = try counts()
        bench.advance(seconds: 86_399)
        let again = try send(bench, ann, "k")
        #expect(again.status == 201)
        #expect(again.body == first.body)
        #expect(again.header("Content-Type") == "application/json")
        #expect(try counts() == before)
        bench.advance(seconds: 1)
        #expect(try send(bench, ann, "k").id != first.id, "after 24 h it is a request like another")
    }

    @Test func `a key is its user's own, and names one request`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let first = try send(bench, ann, "k")
        let other = try send(bench, bob, "k")
        #expect(other["user_id"] == .int(bob.id.rawValue))
        expectRefused(try send(bench, ann, "k", "/api/tasks", ["title": "other"]), 400, "VALIDATION_ERROR")
        expectRefused(try send(bench, ann, "k", "/api/undo", nil), 400, "VALIDATION_ERROR")
        #expect(try send(bench, ann, "k2").id != first.id)
        #expect(try bench.count("task") == 3)
    }

    @Test func `a refusal stores nothing: the same request may work later`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let path = "/api/tasks/\(id)/restore"
        #expect(try send(bench, ann, "k", path, nil).status == 400)
        try bench.trash(id, as: ann)
        #expect(try send(bench, ann, "k", path, nil).status == 200)
        #expect(try send(bench, ann, "k", path, nil).status == 200)
        #expect(try bench.item(id).version == 3)
    }

    @Test func `a PATCH and an additive snooze act once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("12:00")], by: ann).id
        for _ in 1...3 {
            #expect(
                try send(bench, ann, "s", "/api/tasks/\(id)/snooze", ["option": "60"])["due_at"]
                    == .local("13:00"))
            #expect(
                try send(bench, ann, "p", "/api/tasks/\(id)", ["priority": 2], method: "PATCH").status == 200)
        }
        let item = try bench.item(id)
        #expect(item.target == .local("13:00") && item.snoozeCount == 1 && item.version == 3)
    }

    @Test func `a process that died before its answer: the change stays one, and the sender is told`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        _ = try send(bench, ann, "k")
        try bench.change("UPDATE request SET status = NULL, body = NULL")
        expectRefused(try send(bench, ann, "k"), 409, "CONFLICT")
        #expect(try bench.count("task") == 1)
    }

    @Test func `many at once act once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let statuses = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let status = (try? send(bench, ann, "k").status) ?? -1
            statuses.withLock { $0.append(status) }
        }
        #expect(try bench.count("task") == 1)
        let seen = statuses.withLock { $0 }
        #expect(seen.count == 8 && seen.contains(201))
        #expect(Set(seen).isSubset(of: [201, 409]), "who comes before the answer is noted is told to wait")
    }

    @Test(arguments: ["", String(repeating: "k", count: 256)])
    func `what is no key is refused`(_ key: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try send(bench, ann, key), 400, "VALIDATION_ERROR")
        #expect(try bench.count("task") == 0)
    }
}
