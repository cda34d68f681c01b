import Domain
import JSON
import Testing
import Time

@Suite("A39 to A42 Task segments")
struct SegmentRouteTests {
    private func member(_ bench: Bench, _ title: String, _ horizon: String = "weeks", by person: Bench.Person)
        throws
        -> Int64
    {
        try bench.make(title, ["horizon": .string(horizon)], by: person).id
    }

    private func consider(_ bench: Bench, _ body: JSONValue, as person: Bench.Person) throws -> Answer {
        try bench.call("POST", "/api/task-segments/consider", body, as: person)
    }

    @Test func `A39, 2.9: the segments in order, with their rows`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(try bench.call("GET", "/api/task-segments", as: ann)["segments"] == [])
        let week = try member(bench, "w", by: ann)
        let day = try member(bench, "d", "days", by: ann)
        _ = try member(bench, "some day", "someday", by: ann)
        _ = try bench.make("dated", ["due_at": .local("12:00"), "horizon": "days"], by: ann)
        let answer = try bench.call("GET", "/api/task-segments", as: ann)
        let segments = try unwrap(answer["segments"].array)
        #expect(segments.compactMap { $0["key"]?.string } == ["days", "weeks"])
        #expect(
            Set((segments[0].object ?? [:]).keys)
                == ["key", "label", "count", "tasks", "considered", "considered_items"])
        #expect(segments[0]["label"] == "Days")
        #expect(segments[0]["count"] == 1)
        #expect(segments[0]["tasks"]?.array?.first == (try bench.get(day, as: ann)).data)
        #expect(segments[1]["tasks"]?.array?.first?["id"] == .int(week))
        #expect(segments[1]["considered"] == 0)
        #expect(segments[1]["considered_items"] == [])
        expectRefused(try bench.call("GET", "/api/task-segments"), 401, "UNAUTHORIZED")
    }

    @Test func `A40, G-5: considered rows leave the list for their window; once is enough`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try member(bench, "w", by: ann)
        try bench.take()
        let body: JSONValue = ["task_ids": [.int(id), .int(id)]]
        let answer = try consider(bench, body, as: ann)
        #expect(answer.status == 200)
        #expect(Set((answer.data.object ?? [:]).keys) == ["considered", "tasks"])
        #expect(answer["considered"] == 1)
        #expect(answer["tasks"].array?.first == (try bench.get(id, as: ann)).data)
        let task = try bench.get(id, as: ann)
        #expect(task["segment_considered_on"] == "2026-10-14")
        #expect(task["completion_count"] == 0)
        #expect(task["due_at"] == .null)
        #expect(try bench.count("completion") == 0)
        #expect(try bench.count("statistic WHERE completions > 0") == 0)
        #expect(try bench.outbox().isEmpty)

        let segments = try bench.call("GET", "/api/task-segments", as: ann)["segments"].array
        #expect(segments?.first?["count"] == 0)
        #expect(segments?.first?["considered"] == 1)
        let (entries, events) = (try bench.count("undo"), try bench.count("event"))
        let again = try consider(bench, body, as: ann)
        #expect(again["considered"] == 0)
        #expect(again["tasks"].array?.count == 1)
        #expect(try bench.count("undo") == entries)
        #expect(try bench.count("event") == events)
        bench.at("10-18 00:00")
        #expect(
            try bench.call("GET", "/api/task-segments", as: ann)["segments"].array?.first?["count"] == 1)
    }

    @Test func `A40, U-1: undo and redo of considering some and of deferring all`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let first = try member(bench, "first", by: ann)
        let second = try member(bench, "second", by: ann)
        let third = try member(bench, "third", "days", by: ann)
        _ = try consider(bench, ["task_ids": [.int(first)]], as: ann)
        let all = try consider(bench, ["segment": "weeks"], as: ann)
        #expect(all["considered"] == 1)
        #expect(all["tasks"].array?.compactMap { $0["id"]?.int } == [second])
        #expect(try bench.item(second).segmentDeferredOn == LocalDate("2026-10-14"))
        #expect(try bench.item(first).segmentDeferredOn == nil)
        #expect(try bench.item(third).version == 1)
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "bulk_edit")
        #expect(undone["description"] == "Deferred 1 in Weeks")
        #expect(try bench.item(second).segmentDeferredOn == nil)
        #expect(try bench.undo(as: ann)["description"] == "Considered \"first\"")
        #expect(try bench.item(first).segmentConsideredOn == nil)
        try bench.redo(as: ann)
        #expect(try bench.item(first).segmentConsideredOn == LocalDate("2026-10-14"))
        #expect(try consider(bench, ["segment": "months", "defer": true], as: ann)["considered"] == 0)
    }

    @Test func `A40, G-6: defer some; A41, G-8: put them back`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try member(bench, "a", by: ann)
        let other = try member(bench, "b", by: ann)
        let body: JSONValue = ["task_ids": [.int(id), .int(other)], "defer": true]
        #expect(try consider(bench, body, as: ann)["considered"] == 2)
        #expect(try bench.item(id).segmentConsideredOn == nil)
        _ = try consider(bench, ["task_ids": [.int(id)]], as: ann)
        let restore: JSONValue = ["task_ids": [.int(id), .int(other)]]
        let answer = try bench.call("POST", "/api/task-segments/restore", restore, as: ann)
        #expect(Set((answer.data.object ?? [:]).keys) == ["restored", "tasks"])
        #expect(answer["restored"] == 2)
        #expect(answer["tasks"].array?.compactMap { $0["id"]?.int } == [id, other])
        for id in [id, other] {
            #expect(try bench.item(id).segmentConsideredOn == nil)
            #expect(try bench.item(id).segmentDeferredOn == nil)
        }
        #expect(try bench.call("POST", "/api/task-segments/restore", restore, as: ann)["restored"] == 0)
        #expect(try bench.undo(as: ann)["description"] == "Put back 2 tasks")
        #expect(try bench.item(id).segmentConsideredOn == LocalDate("2026-10-14"))
        #expect(try bench.item(other).segmentDeferredOn == LocalDate("2026-10-14"))
    }

    @Test func `A42, G-7, T-8: Target today is a first date, no snooze; the horizon stays`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try member(bench, "w", by: ann)
        try bench.take()
        let answer = try bench.call("POST", "/api/task-segments/target-today", ["task_id": .int(id)], as: ann)
        #expect(answer.status == 200)
        #expect(answer.data == (try bench.get(id, as: ann)).data)
        #expect(answer["due_at"] == .local("12:00"))
        #expect(answer["original_due_at"] == .local("12:00"))
        #expect(answer["horizon"] == "weeks")
        #expect(answer["snooze_count"] == 0)
        #expect(try bench.count("statistic WHERE snoozes > 0") == 0)
        #expect(try bench.outbox().isEmpty, "a first date dismisses nothing (N-40)")
        let again = try bench.call("POST", "/api/task-segments/target-today", ["task_id": .int(id)], as: ann)
        expectRefused(again, 400, "VALIDATION_ERROR", culprit: "task_ids")
        #expect(try bench.undo(as: ann)["undone_action"] == "edit")
        #expect(try bench.get(id, as: ann)["due_at"] == .null)
        #expect(try bench.call("GET", "/api/task-segments", as: ann)["segments"].array?.count == 1)
    }

    @Test func `T9: Target today takes a text in hand that waits for enrichment; considering does not`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.call("POST", "/api/tasks", ["title": "call bob", "horizon": "days"], as: ann).id
        _ = try consider(bench, ["task_ids": [.int(id)]], as: ann)
        #expect(try bench.count("job") == 1)
        _ = try bench.call("POST", "/api/task-segments/target-today", ["task_id": .int(id)], as: ann)
        #expect(try bench.count("job") == 0)
        #expect(try bench.item(id).labels == [])
    }

    @Test(
        arguments: [
            [:], ["task_ids": []], ["task_ids": "1"], ["task_ids": [0]], ["segment": "someday"],
            ["segment": "years"], ["segment": 1], ["task_ids": [1], "segment": "weeks"],
            ["segment": "weeks", "defer": false], ["task_ids": [1], "defer": "yes"], ["task_ids": [4711]],
        ] as [JSONValue])
    func `A40: what cannot be is refused`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try member(bench, "w", by: ann)
        #expect(id == 1)
        expectRefused(try consider(bench, body, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.item(id).version == 1)
    }

    @Test
    func `A40 to A42, A-5: a stranger's task, a shared one and one in no segment refuse the whole call`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let mine = try member(bench, "w", by: ann)
        let dated = try bench.make("x", ["due_at": .local("12:00")], by: ann).id
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        let shared = try bench.make("s", ["horizon": "days", "project_id": .int(house)], by: bob).id
        let foreign = try member(bench, "b", by: bob)
        for id in [dated, shared, foreign, 4711] {
            let body: JSONValue = ["task_ids": [.int(mine), .int(id)]]
            for path in ["consider", "restore"] {
                let answer = try bench.call("POST", "/api/task-segments/\(path)", body, as: ann)
                expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "task_ids")
                #expect(answer.body?["details"]?["task_ids"]?.string?.contains("\(id)") == true)
            }
            let answer = try bench.call(
                "POST", "/api/task-segments/target-today", ["task_id": .int(id)], as: ann)
            expectRefused(answer, 400, "VALIDATION_ERROR")
        }
        #expect(try bench.item(mine).version == 1)
        #expect(try bench.call("GET", "/api/task-segments", as: ann)["segments"].array?.count == 1)
    }

    @Test func `A42, A-3: another version than the one that was seen is a conflict`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try member(bench, "w", by: ann)
        try bench.patch(id, ["notes": "n"], as: ann)
        let body: JSONValue = ["task_id": .int(id), "version": 1]
        let answer = try bench.call("POST", "/api/task-segments/target-today", body, as: ann)
        expectRefused(answer, 409, "CONFLICT")
        #expect(answer.reason == "version_conflict")
    }
}
