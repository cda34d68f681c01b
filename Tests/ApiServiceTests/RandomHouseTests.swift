import ApiStore
import Domain
import Interfaces
import JSON
import SchedulerService
import TestSupport
import Testing
import Time

/// People who do whatever comes to mind, with the clock going on between.
private struct Crowd {
    let bench: Bench
    let people: [Bench.Person]
    let projects: [Int64]
    var ids: [Int64] = []
    var random: SeededGenerator

    init(_ bench: Bench, seed: UInt64) throws {
        self.bench = bench
        random = SeededGenerator(seed: seed)
        people = try [
            bench.add("ann"), bench.add("bob", zone: "Australia/Lord_Howe"),
            bench.add("eve", zone: "Asia/Kolkata"),
        ]
        let shared = try bench.call(
            "POST", "/api/projects", ["name": "House", "shared": true], as: people[0]
        ).id
        projects = [shared]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    /// An instant within two days of now, often a whole minute.
    mutating func instant() -> JSONValue {
        let now = bench.now.seconds
        var seconds = now + Int64.random(in: -172_800...172_800, using: &random)
        if chance(60) { seconds -= seconds % 60 }
        if chance(10) { seconds = now }
        return .string(Instant(seconds: seconds).iso8601)
    }

    mutating func fields(new: Bool) -> [String: JSONValue] {
        var body: [String: JSONValue] = [:]
        if chance(60) { body["due_at"] = chance(15) ? .null : instant() }
        if chance(40) { body["priority"] = .int(Int64.random(in: 0...4, using: &random)) }
        if chance(15) { body["deadline_at"] = chance(30) ? .null : instant() }
        if chance(15) { body["rrule"] = pick(["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", .null]) }
        if chance(10) { body["is_reminder"] = .bool(chance(50)) }
        if chance(10) { body["progress_target"] = .int(Int64.random(in: 1...3, using: &random)) }
        if chance(10) { body["auto_snooze_minutes"] = pick([.null, 0, 7, 90]) }
        if chance(15) { body["notes"] = .string("\(Int.random(in: 0...99, using: &random))") }
        if chance(10) { body["labels"] = pick([[], ["a"], ["b", "ai-to-process"], ["ai-locked"]]) }
        if chance(10) { body["project_id"] = .int(pick(projects)) }
        if !new, chance(15) { body["reset_original_due_at"] = true }
        if body["labels"] != nil { body["create_label"] = true }
        return body
    }

    /// One act of somebody. What the rules refuse is refused; nothing else may go wrong.
    mutating func act() throws {
        if chance(40) { bench.advance(seconds: Int64.random(in: 0...7200, using: &random)) }
        let person = pick(people)
        let id = ids.isEmpty ? 1 : pick(ids)
        let answer: Answer
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            var body = fields(new: true)
            body["title"] = .string("task \(ids.count)")
            answer = try bench.call("POST", "/api/tasks", .object(body), as: person)
            if answer.status == 201 { ids.append(answer.id) }
        case 25..<50:
            answer = try bench.call("PATCH", "/api/tasks/\(id)", .object(fields(new: false)), as: person)
        case 50..<60:
            let body: JSONValue = chance(30) ? ["close_period": true] : [:]
            answer = try bench.call("POST", "/api/tasks/\(id)/done", body, as: person)
        case 60..<65: answer = try bench.call("POST", "/api/tasks/\(id)/undone", as: person)
        case 65..<75:
            let body: JSONValue =
                chance(50) ? ["option": pick(["60", "next_period", "tomorrow"])] : ["until": instant()]
            answer = try bench.call("POST", "/api/tasks/\(id)/snooze", body, as: person)
        case 75..<80: answer = try bench.call("DELETE", "/api/tasks/\(id)", as: person)
        case 80..<83: answer = try bench.call("POST", "/api/tasks/\(id)/restore", as: person)
        case 83..<87: answer = try bench.call("POST", "/api/tasks/bulk/snooze-overdue", as: person)
        case 87..<95: answer = try bench.call("POST", "/api/undo", as: person)
        default: answer = try bench.call("POST", "/api/redo", as: person)
        }
        guard [200, 201, 400, 403, 404, 409].contains(answer.status) else {
            throw Missing(description: "an answer: \(answer.status) \(answer.body ?? .null)")
        }
    }
}

@Suite("Whatever people do, in whatever order")
struct RandomHouseTests {
    private func items(_ bench: Bench, _ ids: [Int64]) throws -> [TaskItem] {
        try ids.map { try bench.item($0) }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `queries agree with the rules, lists with single tasks, looks with the grid`(_ seed: UInt64) throws {
        print("seed \(seed)")
        let bench = try Bench()
        var crowd = try Crowd(bench, seed: seed)
        for step in 1...150 {
            try crowd.act()
            guard step % 10 == 0 else { continue }
            let items = try items(bench, crowd.ids)
            for person in crowd.people {
                // T-5, T-15: the query of the sweep, the badge and the list are the rule.
                let own = items.filter { $0.owner == person.id }
                let expected = own.filter { $0.isOverTarget(at: bench.now) }
                    .sorted { a, b in
                        let (targetA, targetB) = (a.target?.seconds ?? 0, b.target?.seconds ?? 0)
                        return (targetA, -a.priority.rawValue, a.id.rawValue)
                            < (targetB, -b.priority.rawValue, b.id.rawValue)
                    }.map(\.id)
                let found = try bench.store.read { try $0.tasksOverTarget(of: person.id, now: bench.now) }
                    .map(\.id)
                #expect(found == expected)
                let list = try bench.call("GET", "/api/tasks?overdue=true&limit=1000", as: person)
                #expect(list["tasks"].array?.compactMap { $0["id"]?.int } == expected.map(\.rawValue))
                let counts = try bench.call("GET", "/api/tasks/counts", as: person)
                #expect(counts["overdue"] == .int(Int64(expected.count)))
                #expect(counts["total"] == .int(Int64(own.count { $0.isOpen && $0.kind == .task })))
                // A list shows each task as it is shown by itself, whatever list came before.
                for task in try bench.call("GET", "/api/tasks?limit=1000", as: person)["tasks"].array ?? [] {
                    let alone = try bench.get(try unwrap(task["id"]?.int), as: person)
                    #expect(task == alone.data)
                }
            }
            for item in items {
                // N-10: a look that is ahead is the next point; one that has come waits for the scheduler.
                let look = try bench.look(item.id.rawValue)
                let prefs = try unwrap(try bench.store.read { try $0.user(item.owner) }).preferences
                let next = nextLook(at: item, now: bench.now, prefs: prefs)
                if let look, look <= bench.now {
                    #expect(item.isOverTarget(at: bench.now))
                } else {
                    #expect(look == next, "\(item.id)")
                }
                expectConsistent(item)
                // enrich 1.1: who carries the label waits in the queue, and nobody else.
                let waits = try bench.count("job WHERE task_id = \(item.id.rawValue)") == 1
                if item.isOpen { #expect(item.labels.contains("ai-to-process") == waits) }
            }
        }
        #expect(try bench.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try bench.rows("PRAGMA foreign_key_check") == [])
    }

    /// T-1, T-2, D-3, R-3, T-7.
    private func expectConsistent(_ item: TaskItem) {
        switch item.kind {
        case .quota:
            #expect(item.target == nil && item.deadline == nil && item.horizon == nil && item.rrule != nil)
        case .reminder: #expect(item.deadline == nil && item.horizon == nil)
        case .task:
            #expect(!item.isRecurring || item.target != nil)
            #expect(item.deadline == nil || !item.isRecurring && item.target != nil)
            #expect((item.targetSource == nil) == (item.target == nil))
        }
        #expect(item.completionCount >= 0 && item.snoozeCount >= 0 && item.skipCount >= 0)
        #expect(item.done == (item.doneAt != nil))
    }

    @Test(arguments: 11...18 as ClosedRange<UInt64>)
    func `one person alone: undo of everything leads back to the beginning, redo to the end`(_ seed: UInt64)
        throws
    {
        print("seed \(seed)")
        let bench = try Bench()
        var crowd = try Crowd(bench, seed: seed)
        crowd = try Crowd(only: 0, of: crowd)
        for _ in 1...80 { try crowd.act() }
        func state() throws -> [TaskItem] {
            // Versions and times of change go on; labels of the queue do not come back (enrich 1.1).
            try items(bench, crowd.ids).map { item in
                var item = item
                item.version = 0
                item.updatedAt = item.createdAt
                item.labels.removeAll { $0 == "ai-to-process" }
                return item
            }
        }
        let completions = {
            try bench.rows("SELECT task_id || ' ' || completed_at FROM completion ORDER BY 1")
        }
        let statistics = {
            try bench.rows(
                "SELECT date || ' ' || completions || ' ' || tasks_created || ' ' || snoozes FROM statistic ORDER BY 1"
            )
        }
        let end = try state()
        let ended = (try completions(), try statistics())
        var steps = 0
        while try bench.call("POST", "/api/undo", as: crowd.people[0]).status == 200 { steps += 1 }
        #expect(steps > 0)
        let beginning = try items(bench, crowd.ids)
        #expect(beginning.allSatisfy { $0.deletedAt != nil }, "undo of a create is the trash")
        #expect(try completions() == [])
        #expect(
            try bench.count("statistic WHERE completions <> 0 OR tasks_created <> 0 OR snoozes <> 0") == 0)
        for _ in 1...steps { try bench.redo(as: crowd.people[0]) }
        for (after, before) in zip(try state(), end) {
            let fields = after.fields(changedFrom: before)
            #expect(fields.isEmpty, "\(after.id): \(fields)")
        }
        #expect(try completions() == ended.0)
        #expect(try statistics() == ended.1)
    }
}

extension Crowd {
    /// The same house with one person in it.
    fileprivate init(only index: Int, of crowd: Crowd) throws {
        bench = crowd.bench
        people = [crowd.people[index]]
        projects = crowd.projects
        ids = crowd.ids
        random = crowd.random
    }
}
