import Domain
import JSON
import Testing
import Time

@Suite("A69, A70 A review by numbers")
struct ReviewTests {
    private func review(_ bench: Bench, as person: Bench.Person) throws -> Answer {
        let answer = try bench.call("GET", "/api/review", as: person)
        #expect(answer.status == 200)
        return answer
    }

    private func execute(
        _ bench: Bench, _ session: JSONValue, _ actions: JSONValue, as person: Bench.Person
    ) throws -> Answer {
        try bench.call(
            "POST", "/api/review/execute", ["session_id": session, "actions": actions], as: person)
    }

    /// Five tasks: two over target, one of them Urgent; two within a day; one later. Their ids by number.
    private func house(_ bench: Bench, _ ann: Bench.Person) throws -> [Int64] {
        let targets = [("09:00", 4), ("08:00", 1), ("12:00", 0), ("10-15 10:00", 3), ("10-15 10:01", 0)]
        let ids = try targets.map { target, priority in
            try bench.make(
                "P\(priority)", ["due_at": .local(target), "priority": .int(Int64(priority))], by: ann
            ).id
        }
        return [ids[1], ids[0], ids[2], ids[3]]
    }

    @Test func `A69: over target first, then the next 24 hours, each by target, numbered through`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let ids = try house(bench, ann)
        try bench.make("Think", ["is_reminder": true], by: ann)
        try bench.make("Undated", by: ann)
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        try bench.make("Bob's", ["due_at": .local("09:00"), "project_id": .int(house)], by: bob)

        let answer = try review(bench, as: ann)
        #expect(Set(try unwrap(answer.data.object).keys) == ["session_id", "groups", "total_tasks"])
        #expect(answer["total_tasks"] == 4)
        #expect(
            answer["session_id"].string?.wholeMatch(
                of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        let groups = answer["groups"].array ?? []
        #expect(groups.map { $0["label"]?.string } == ["Overdue", "Today"])
        let rows = groups.flatMap { $0["tasks"]?.array ?? [] }
        #expect(rows.map { $0["seq"]?.int } == [1, 2, 3, 4])
        #expect(rows.map { $0["id"]?.int } == ids)
        #expect(
            rows[0] == [
                "seq": 1, "id": .int(ids[0]), "title": "P1", "due_at": .local("08:00"), "priority": 1,
                "rrule": nil, "labels": [],
            ])
        #expect(groups[0]["tasks"]?.array?.count == 2)
        // An empty group is left out, and so is a list of nothing.
        #expect(try review(bench, as: bob)["groups"].array?.map { $0["label"]?.string } == ["Overdue"])
        #expect(try review(bench, as: try bench.add("eve")).data.object?["groups"] == [])
    }

    @Test func `A70, S-4: each step is a bulk action with an entry of its own; Urgent goes too`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try house(bench, ann)
        let session = try review(bench, as: ann)["session_id"]
        let entries = try bench.count("undo")
        let answer = try execute(
            bench, session,
            [
                ["type": "skip", "targets": ["3"]],
                ["type": "snooze", "targets": ["2", "4"], "until": .local("18:00")],
                ["type": "done", "targets": ["1-1", "1"]],
            ], as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "executed": true, "total_affected": 3,
                "results": [
                    ["type": "skip", "taskIds": .ids([ids[2]]), "count": 1],
                    ["type": "snooze", "taskIds": .ids([ids[1], ids[3]]), "count": 2],
                    ["type": "done", "taskIds": .ids([ids[0]]), "count": 1],
                ],
            ])
        #expect(try bench.get(ids[1], as: ann)["due_at"] == .local("18:00"))
        #expect(try bench.get(ids[2], as: ann)["due_at"] == .local("12:00"))
        #expect(try bench.get(ids[0], as: ann)["done"] == true)
        #expect(try bench.count("undo") == entries + 2)
        #expect(try bench.undo(as: ann)["undone_action"] == "bulk_done")
        #expect(try bench.undo(as: ann)["undone_action"] == "bulk_snooze")

        // Used up.
        let again = try execute(bench, session, [["type": "done", "targets": ["1"]]], as: ann)
        expectRefused(again, 409, "CONFLICT", culprit: "session_id")
    }

    @Test func `A70, S-10, C-3: what was done, thrown away or advanced meanwhile is left out`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.make("Walk", ["due_at": .local("07:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let ids = [walk] + (try house(bench, ann))
        let session = try review(bench, as: ann)["session_id"]
        try bench.act("done", walk, as: ann)
        try bench.act("done", ids[1], as: ann)
        try bench.trash(ids[2], as: ann)
        let answer = try execute(bench, session, [["type": "done", "targets": ["1-4"]]], as: ann)
        #expect(answer["total_affected"] == 1)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("10-15 07:00"))
        #expect(try bench.get(walk, as: ann)["completion_count"] == 1)
        #expect(try bench.get(ids[3], as: ann)["done"] == true)
    }

    @Test func `A70: a step sees what the steps before it did`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let walk = try bench.make("Walk", ["due_at": .local("07:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let session = try review(bench, as: ann)["session_id"]
        let answer = try execute(
            bench, session,
            [
                ["type": "snooze", "targets": ["1"], "until": .local("12:00")],
                ["type": "done", "targets": ["1"]], ["type": "done", "targets": ["1"]],
            ], as: ann)
        // The second Done is for the occurrence after: a person who says it twice means it.
        #expect(answer["total_affected"] == 3)
        #expect(try bench.get(walk, as: ann)["due_at"] == .local("10-16 07:00"))
    }

    @Test func `A70, A-5: the whole body is checked first; the numbers stay good`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let ids = try house(bench, ann)
        let session = try review(bench, as: ann)["session_id"]
        let good: JSONValue = ["type": "done", "targets": ["1"]]
        let wrong: [(JSONValue, String)] = [
            ([], "actions"), ("all", "actions"), (.null, "actions"), ([7], "actions.0"),
            ([["targets": ["1"]]], "actions.0.type"),
            ([["type": "bury", "targets": ["1"]]], "actions.0.type"),
            ([good, ["type": "done"]], "actions.1.targets"),
            ([["type": "done", "targets": []]], "actions.0.targets"),
            ([["type": "done", "targets": [1]]], "actions.0.targets.0"),
            ([["type": "done", "targets": ["1", "x"]]], "actions.0.targets.1"),
            ([["type": "done", "targets": ["0"]]], "actions.0.targets.0"),
            ([["type": "done", "targets": ["3-1"]]], "actions.0.targets.0"),
            ([["type": "snooze", "targets": ["1"]]], "actions.0.until"),
            ([["type": "snooze", "targets": ["1"], "until": "later"]], "actions.0.until"),
        ]
        for (actions, culprit) in wrong {
            expectRefused(
                try execute(bench, session, actions, as: ann), 400, "VALIDATION_ERROR", culprit: culprit)
        }
        for target in ["5", "1-5", "500"] {
            let missing = try execute(
                bench, session, [good, ["type": "done", "targets": [.string(target)]]], as: ann)
            expectRefused(missing, 404, "NOT_FOUND")
        }
        expectRefused(try execute(bench, session, [good], as: bob), 409, "CONFLICT", culprit: "session_id")
        expectRefused(try execute(bench, "no-such", [good], as: ann), 409, "CONFLICT", culprit: "session_id")
        expectRefused(try execute(bench, 7, [good], as: ann), 400, "VALIDATION_ERROR", culprit: "session_id")
        #expect(try bench.get(ids[0], as: ann)["done"] == false)
        #expect(try execute(bench, session, [good], as: ann)["total_affected"] == 1)
    }

    @Test func `A69: a session lives an hour and no longer, and a user has so many`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        _ = try house(bench, ann)
        let action: JSONValue = [["type": "skip", "targets": ["1"]]]
        let first = try review(bench, as: ann)["session_id"]
        bench.advance(seconds: 3599)
        #expect(try execute(bench, first, action, as: ann).status == 200)
        let second = try review(bench, as: ann)["session_id"]
        bench.advance(seconds: 3600)
        expectRefused(try execute(bench, second, action, as: ann), 409, "CONFLICT")
        let many = try (1...9).map { _ in try review(bench, as: ann)["session_id"] }
        expectRefused(try execute(bench, many[0], action, as: ann), 409, "CONFLICT")
        for session in many.dropFirst() {
            #expect(try execute(bench, session, action, as: ann).status == 200)
        }
    }

    @Test func `A69: at most 500 tasks, the oldest first`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("Old", ["due_at": .local("08:00")], by: ann).id
        for _ in 1...510 { try bench.make("x", ["due_at": .local("09:00")], by: ann) }
        let answer = try review(bench, as: ann)
        #expect(answer["total_tasks"] == 500)
        #expect(answer["groups"].array?.first?["tasks"]?.array?.first?["id"]?.int == id)
    }

    @Test func `A70, A-4: a repeat with its key gets the first answer, though the session is over`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try house(bench, ann)
        let session = try review(bench, as: ann)["session_id"]
        for _ in 1...2 {
            let answer = try bench.call(
                "POST", "/api/review/execute",
                ["session_id": session, "actions": [["type": "done", "targets": ["1"]]]], as: ann,
                headers: [("Idempotency-Key", "r1")])
            #expect(answer.status == 200 && answer["total_affected"] == 1)
        }
        #expect(try bench.get(ids[0], as: ann)["completion_count"] == 1)
        expectRefused(try bench.call("GET", "/api/review"), 401, "UNAUTHORIZED")
    }
}
