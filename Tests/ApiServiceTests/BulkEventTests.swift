import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A-13, A-1 What a bulk action tells")
struct BulkEventTests {
    private let bench: Bench
    private let ann: Bench.Person
    private let ids: [Int64]

    init() throws {
        bench = try Bench()
        ann = try bench.add()
        try bench.hook(Bench.allEvents, by: ann)
        let (house, person) = (bench, ann)
        ids = try [1, 2].map {
            try house.make("Task \($0)", ["due_at": .local("09:00"), "priority": .int($0)], by: person).id
        }
        try bench.take()
    }

    private func bulk(_ name: String, _ more: [String: JSONValue] = [:]) throws {
        var body = more
        body["ids"] = .ids(ids)
        let answer = try bench.call("POST", "/api/tasks/bulk/\(name)", .object(body), as: ann)
        #expect(answer.status == 200, "\(answer.body ?? .null)")
    }

    @Test func `A28: task.completed for each item, as it is afterwards`() throws {
        try bulk("done")
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.completed", "task.completed"])
        #expect(told.map { $0.data["task"] } == (try ids.map { try bench.get($0, as: ann).data }))
    }

    @Test func `A30: task.snoozed for each that moved, with where it was`() throws {
        try bulk("snooze", ["until": .local("15:00")])
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.snoozed", "task.snoozed"])
        #expect(told.allSatisfy { $0.data["previous_due_at"] == .local("09:00") })
        #expect(told.allSatisfy { $0.data["task"]?["due_at"] == .local("15:00") })
    }

    @Test func `A32: task.updated for each that changed, with its own fields`() throws {
        try bulk("edit", ["changes": ["priority": 2, "notes": "n"]])
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.updated", "task.updated"])
        #expect(told.map { $0.data["fields_changed"] } == [["notes", "priority"], ["notes"]])
    }

    @Test func `A33, A23, A24: task.deleted for each; task.skipped; task.updated`() throws {
        try bulk("delete")
        #expect(
            try bench.told().map(\.data) == [
                ["task_id": .int(ids[0]), "title": "Task 1"], ["task_id": .int(ids[1]), "title": "Task 2"],
            ])
        let walk = try bench.make(
            "Walk", ["due_at": .local("09:00"), "rrule": "FREQ=DAILY", "ai_proposed": true], by: ann
        ).id
        try bench.take()
        _ = try bench.call("POST", "/api/tasks/\(walk)/skip-occurrence", as: ann)
        _ = try bench.call("POST", "/api/tasks/\(walk)/confirm", as: ann)
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.skipped", "task.updated"])
        #expect(told.last?.data["fields_changed"] == ["labels"])
    }

    @Test func `A60, U-8: task.updated for each snapshot, with the trigger`() throws {
        try bulk("edit", ["changes": ["notes": "a"]])
        try bulk("snooze", ["until": .local("15:00")])
        try bench.take()
        for (what, notes) in [("undo", ["a", "a", nil, nil]), ("redo", ["a", "a", "a", "a"])] {
            _ = try bench.call("POST", "/api/\(what)/batch", ["count": 2], as: ann)
            let told = try bench.told()
            #expect(told.map(\.event) == Array(repeating: "task.updated", count: 4))
            #expect(told.allSatisfy { $0.data["trigger"]?.string == what })
            #expect(told.map { $0.data["task"]?["notes"]?.string } == notes)
            try bench.take()
        }
    }

    @Test func `A-1, D40: one sync for everybody who sees one of the items, in one commit`() throws {
        let bob = try bench.add("bob")
        let eve = try bench.add("eve")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        func syncs(_ person: Bench.Person) throws -> Int {
            try bench.count("event WHERE user_id = \(person.id.rawValue)")
        }
        var before = try [ann, bob, eve].map(syncs)
        try bulk("edit", ["changes": ["notes": "private"]])
        #expect(try [ann, bob, eve].map(syncs) == [before[0] + 1, before[1], before[2]])
        try bulk("edit", ["changes": ["project_id": .int(house)]])
        before[0] += 1
        #expect(try [ann, bob, eve].map(syncs) == before.map { $0 + 1 })
    }
}
