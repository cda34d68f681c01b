import ApiStore
import Dispatch
import Domain
import JSON
import Sockets
import Synchronization
import Testing
import Time

/// Each test starts threads that wait for each other, and then calls the api from all of them at once.
@Suite("A-1 to A-4, C-3, U-14 Many at once")
struct ConcurrencyTests {
    private static let threads = 8

    /// What `call` gave on each of eight threads that began together.
    private func atOnce<T: Sendable>(_ call: @escaping @Sendable (Int) throws -> T) throws -> [T] {
        let results = Mutex<[Result<T, any Error>]>([])
        let ready = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let finished = DispatchSemaphore(value: 0)
        for index in 0..<Self.threads {
            try WorkerThread.start("caller \(index)") {
                ready.signal()
                go.wait()
                let result = Result { try call(index) }
                results.withLock { $0.append(result) }
                finished.signal()
            }
        }
        for _ in 0..<Self.threads { ready.wait() }
        for _ in 0..<Self.threads { go.signal() }
        for _ in 0..<Self.threads { finished.wait() }
        return try results.withLock { try $0.map { try $0.get() } }
    }

    private func entries(_ bench: Bench, _ action: String) throws -> Int {
        try bench.count("undo WHERE action = '\(action)'")
    }

    @Test func `C-1: eight people press Done on a one-off: it is done once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        try bench.take()
        let answers = try atOnce { _ in try bench.act("done", id, as: ann) }
        #expect(answers.count { $0["already_done"] == true } == 7)
        #expect(answers.allSatisfy { $0["done"] == true && $0["completion_count"] == 1 })
        #expect(Set(answers.map(\.version)).count == 1)
        #expect(try bench.count("completion") == 1)
        #expect(try entries(bench, "done") == 1)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["1"])
        // One dismissal and one badge, whoever pressed.
        #expect(try bench.outbox().count == 2)
        #expect(try bench.item(id).version == 2)
    }

    @Test
    func
        `Golden 107, C-3: Done for the same occurrence from eight devices advances once; the rest are stale`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let answers = try atOnce { _ in try bench.act("done", id, ["due_at": .local("08:00")], as: ann) }
        #expect(answers.count { $0["already_done"] == true && $0["stale"] == true } == 7)
        // All are told where it is now.
        #expect(answers.allSatisfy { $0["due_at"] == .local("10-15 08:00") })
        #expect(try bench.count("completion") == 1)
        #expect(try entries(bench, "done") == 1)
    }

    @Test func `C-4: the same selection done eight times at once is done once, the others are refused whole`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...20).map { try bench.make("x\($0)", by: ann).id }
        let answers = try atOnce { _ in
            try bench.call("POST", "/api/tasks/bulk/done", ["ids": .ids(ids)], as: ann)
        }
        #expect(answers.count { $0.status == 200 && $0["tasks_affected"] == 20 } == 1)
        #expect(answers.count { $0.status == 400 && $0.culprits.count == 20 } == 7)
        #expect(try bench.count("completion") == 20)
        #expect(try entries(bench, "bulk_done") == 1)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["20"])
    }

    @Test func `C-6: a one-off skipped eight times at once is skipped once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let answers = try atOnce { _ in
            try bench.call("POST", "/api/tasks/\(id)/skip-occurrence", as: ann).status
        }
        #expect(answers.sorted() == [200, 400, 400, 400, 400, 400, 400, 400])
        #expect(try bench.item(id).skipCount == 1)
        #expect(try entries(bench, "skip") == 1)
    }

    @Test func `C-3, N-43: eight relative snoozes from what was shown move once; the rest see where it is`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("12:00")], by: ann).id
        let answers = try atOnce { _ in
            try bench.act("snooze", id, ["delta_minutes": 60, "due_at": .local("12:00")], as: ann)
        }
        #expect(answers.count { $0["stale"] == true } == 7)
        #expect(answers.allSatisfy { $0["due_at"] == .local("13:00") })
        #expect(try bench.item(id).snoozeCount == 1)
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["1"])
    }

    @Test func `A-3: of eight edits of one version one is written; the others get the present task`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let answers = try atOnce { index in
            try bench.call(
                "PATCH", "/api/tasks/\(id)", ["priority": 3, "notes": .string("\(index)"), "version": 1],
                as: ann)
        }
        let written = answers.filter { $0.status == 200 }
        let refused = answers.filter { $0.status == 409 && $0.reason == "version_conflict" }
        #expect(written.count == 1 && refused.count == 7)
        let notes = try bench.item(id).notes
        #expect(refused.allSatisfy { $0.body?["current"]?["notes"]?.string == notes })
        #expect(refused.allSatisfy { $0.body?["current"]?["version"] == 2 })
        #expect(try entries(bench, "edit") == 1)
    }

    @Test func `A-3: without a version, edits of different fields merge; every one is there in the end`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("12:00")], by: ann).id
        let edits: [JSONValue] = [
            ["title": "New"], ["notes": "n"], ["priority": 4], ["due_at": .local("18:00")],
            ["auto_snooze_minutes": 7], ["labels": ["ai-added"]], ["deadline_at": .local("10-20 18:00")],
            ["short_title": "N"],
        ]
        let answers = try atOnce { index in try bench.patch(id, edits[index], as: ann) }
        #expect(answers.allSatisfy { $0["fields_changed"] != [] })
        let task = try bench.item(id)
        #expect(task.title == "New" && task.notes == "n" && task.priority == .urgent)
        #expect(task.target == .local("18:00") && task.repeatInterval == 7 && task.labels == ["ai-added"])
        #expect(task.deadline == .local("10-20 18:00") && task.shortTitle == "N")
        #expect(task.version == 9 && Set(answers.map(\.version)) == Set(2...9))
        #expect(try entries(bench, "edit") == 8)
        // Each entry takes back its own field and no other (U-4).
        for _ in 1...8 { #expect(try bench.undo(as: ann)["skipped_fields"] == []) }
        let back = try bench.item(id)
        #expect(back.title == "x" && back.notes == nil && back.target == .local("12:00"))
    }

    @Test func `U-14: undo in batches from eight devices at once: each entry is undone once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        for index in 1...19 { try bench.patch(id, ["notes": .string("\(index)")], as: ann) }
        let answers = try atOnce { _ in
            try bench.call("POST", "/api/undo/batch", ["count": 3], as: ann)
        }
        let counts = answers.map { $0["count"].int ?? 0 }
        // Twenty entries: six batches of three, one of two, and one who is told that there is nothing left.
        #expect(counts.sorted() == [0, 2, 3, 3, 3, 3, 3, 3])
        #expect(answers.count { $0.status == 400 } == 1)
        #expect(try bench.count("undo WHERE undone = 1") == 20)
        #expect(try bench.get(id, as: ann)["deleted_at"] != .null)
    }

    @Test func `U-14: one undoes and another redoes: none of them acts on half of the other`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        for index in 1...8 { try bench.patch(id, ["notes": .string("\(index)")], as: ann) }
        let answers = try atOnce { index in
            try bench.call("POST", index.isMultiple(of: 2) ? "/api/undo" : "/api/redo", as: ann)
        }
        let undone = answers.count { $0["undone_action"] != .null }
        let redone = answers.count { $0["redone_action"] != .null }
        #expect(undone == 4)
        #expect(redone + answers.count { $0.status == 400 } == 4)
        let left = 8 - undone + redone
        #expect(try bench.item(id).notes == "\(left)")
        #expect(try bench.count("undo WHERE undone = 0") == left + 1)
    }

    @Test func `A-4: one request sent eight times with its key is carried out once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...3).map { try bench.make("x\($0)", ["due_at": .local("12:00")], by: ann).id }
        let answers = try atOnce { _ in
            try bench.call(
                "POST", "/api/tasks/bulk/snooze", ["ids": .ids(ids), "delta_minutes": 30], as: ann,
                headers: [("Idempotency-Key", "same")])
        }
        // Whoever comes while the first is at work is told that it was carried out (api 1.12).
        #expect(answers.allSatisfy { $0.status == 200 || $0.status == 409 })
        #expect(answers.contains { $0.status == 200 && $0["tasks_affected"] == 3 })
        #expect(try ids.map { try bench.item($0).target } == Array(repeating: .local("12:30"), count: 3))
        #expect(try entries(bench, "bulk_snooze") == 1)
    }

    @Test func `A-2, A-5: bulk edits of one selection from eight threads follow each other whole`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try (1...10).map { try bench.make("x\($0)", by: ann).id }
        _ = try atOnce { index in
            try bench.call(
                "POST", "/api/tasks/bulk/edit",
                ["ids": .ids(ids), "changes": ["notes": .string("by \(index)")]], as: ann)
        }
        let tasks = try ids.map { try bench.item($0) }
        // The last one's, in all of them; every writer moved every version by one.
        #expect(Set(tasks.map(\.notes)).count == 1)
        #expect(tasks.allSatisfy { $0.version == 9 })
        #expect(try entries(bench, "bulk_edit") == 8)
        for _ in 1...8 { #expect(try bench.undo(as: ann)["skipped_fields"] == []) }
        #expect(try ids.allSatisfy { try bench.item($0).notes == nil })
    }

    @Test func `S-10, S-14: eight sweeps at once move what is over target once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for index in 1...10 { try bench.make("x\(index)", ["due_at": .local("09:00")], by: ann) }
        let answers = try atOnce { _ in try bench.sweep(["option": "60"], as: ann) }
        #expect(answers.compactMap { $0["tasks_affected"].int }.sorted() == [0, 0, 0, 0, 0, 0, 0, 10])
        #expect(try entries(bench, "bulk_snooze") == 1)
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["10"])
    }

    @Test func `A70: a review sent eight times at once is carried out once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for index in 1...3 { try bench.make("x\(index)", ["due_at": .local("09:00")], by: ann) }
        let session = try bench.call("GET", "/api/review", as: ann)["session_id"]
        let answers = try atOnce { _ in
            try bench.call(
                "POST", "/api/review/execute",
                [
                    "session_id": session,
                    "actions": [["type": "snooze", "targets": ["1-3"], "until": .local("18:00")]],
                ], as: ann
            ).status
        }
        #expect(answers.sorted() == [200, 409, 409, 409, 409, 409, 409, 409])
        #expect(try entries(bench, "bulk_snooze") == 1)
    }
}
