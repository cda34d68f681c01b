import JSON
import Testing
import Time

@Suite("A15, A18 Creating and editing")
struct TaskWriteTests {
    @Test func `a title alone is enriched; anything more is not; enrich decides where it is sent`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let project = try bench.call("POST", "/api/projects", ["name": "Work"], as: ann).id
        for (body, isEnriched) in [
            (["title": "a"], true), (["title": "a", "project_id": .int(project)], true),
            (["title": "a", "notes": "n"], true), (["title": "a", "is_reminder": true], true),
            (["title": "a", "progress_target": 3, "rrule": "FREQ=DAILY"], true),
            (["title": "a", "due_at": .local("12:00")], false), (["title": "a", "priority": 1], false),
            (["title": "a", "deadline_at": "2026-11-01"], false),
            (["title": "a", "rrule": "FREQ=DAILY"], false),
            (["title": "a", "is_reminder": true, "rrule": "FREQ=DAILY"], false),
            (["title": "a", "labels": ["home"], "create_label": true], false),
            (["title": "a", "enrich": false], false), (["title": "a", "priority": 1, "enrich": true], true),
            (["title": .string(String(repeating: "ä", count: 5001))], false),
        ] as [(JSONValue, Bool)] {
            let answer = try bench.call("POST", "/api/tasks", body, as: ann)
            #expect(answer.status == 201)
            let isWaiting = answer["labels"].array?.contains("ai-to-process") ?? false
            #expect(isWaiting == isEnriched, "\(body)")
            #expect(try bench.count("job WHERE task_id = \(answer.id)") == (isEnriched ? 1 : 0), "\(body)")
        }
    }

    @Test func `with the master switch off nothing is enriched, also when a person asks`() throws {
        let bench = try Bench(["OPENTASK_AI_ENABLED": "false"])
        let ann = try bench.add()
        let task = try bench.call("POST", "/api/tasks", ["title": "a", "enrich": true], as: ann)
        #expect(task["labels"] == [])
        #expect(try bench.patch(task.id, ["labels": ["ai-to-process"]], as: ann)["labels"] == [])
        #expect(try bench.count("job") == 0)
    }

    @Test func `L-2, L-3: new labels must be registered or be registered now; reserved names are refused`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let refused = try bench.call("POST", "/api/tasks", ["title": "a", "labels": ["groseries"]], as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR", culprit: "labels")
        #expect(refused.body?["error"]?.string?.contains("groseries") == true)
        let made = try bench.make("a", ["labels": ["Groceries"], "create_label": true], by: ann)
        #expect(made["labels"] == ["Groceries"])
        // L-1: compared without case, shown as first written.
        #expect(
            try bench.make("b", ["labels": ["GROCERIES", "groceries "]], by: ann)["labels"] == ["Groceries"])
        #expect(
            try bench.make("c", ["labels": ["ai-locked", "ai-added"]], by: ann)["labels"] == [
                "ai-locked", "ai-added",
            ])
        for name in ["ai-other", "AI-Other", "ai-"] {
            let body: JSONValue = ["title": "a", "labels": [.string(name)], "create_label": true]
            expectRefused(try bench.call("POST", "/api/tasks", body, as: ann), 400, "VALIDATION_ERROR")
        }
        // A stored label that is registered no more blocks no other edit.
        try bench.change("DELETE FROM label")
        let kept: JSONValue = ["labels": ["Groceries"], "priority": 1]
        #expect(try bench.patch(made.id, kept, as: ann)["fields_changed"] == ["priority"])
    }

    @Test func `flags of origin put their labels on`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(try bench.make("a", ["ai_proposed": true], by: ann)["labels"] == ["ai-proposed"])
        #expect(try bench.make("a", ["ai_added": true], by: ann)["labels"] == ["ai-added"])
    }

    @Test func `T6: a project must be visible to the caller, and to the owner of the task`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        for id in [bob.inbox, 4711] {
            let body: JSONValue = ["title": "a", "project_id": .int(id)]
            expectRefused(try bench.call("POST", "/api/tasks", body, as: ann), 404, "NOT_FOUND")
        }
        let task = try bench.make("a", ["project_id": .int(shared)], by: ann).id
        let stolen = try bench.call("PATCH", "/api/tasks/\(task)", ["project_id": .int(bob.inbox)], as: bob)
        expectRefused(stolen, 403, "FORBIDDEN")
        #expect(
            try bench.patch(task, ["project_id": .int(ann.inbox)], as: ann)["project_id"] == .int(ann.inbox))
    }

    @Test func `an edit names the fields that it changed and describes itself; nothing changed is nothing`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make(by: ann)
        let edited = try bench.patch(task.id, ["priority": 3, "notes": "n", "title": "Buy milk"], as: ann)
        #expect(Set(edited["fields_changed"].array ?? []) == ["priority", "notes"])
        #expect(edited["description"] == "Edited \"Buy milk\": notes, priority High")
        #expect(edited.version == 2)
        let events = try bench.count("event")
        let same = try bench.patch(task.id, ["priority": 3], as: ann)
        #expect(same["fields_changed"] == [])
        #expect(same["description"] == "")
        #expect(same.version == 2)
        #expect(try bench.count("undo") == 2)
        #expect(try bench.count("event") == events)
        #expect(try bench.patch(task.id, [:], as: ann)["fields_changed"] == [])
    }

    @Test func `one bad field refuses the whole edit`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make(by: ann)
        let answer = try bench.call("PATCH", "/api/tasks/\(task.id)", ["title": "x", "priority": 9], as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "priority")
        #expect(try bench.get(task.id, as: ann).data == task.data)
    }

    @Test func `A-3: another version than the one seen is 409 with the present task`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make(by: ann)
        let path = "/api/tasks/\(task.id)"
        #expect(try bench.call("PATCH", path, ["priority": 1, "version": 1], as: ann).status == 200)
        let present = try bench.get(task.id, as: ann).data
        for (body, headers) in [
            (["priority": 2, "version": 1], []), (["priority": 2], [("If-Match", "\"1\"")]),
            (["priority": 2], [("If-Match", "W/\"7\"")]),
        ] as [(JSONValue, [(String, String)])] {
            let answer = try bench.call("PATCH", path, body, as: ann, headers: headers)
            expectRefused(answer, 409, "CONFLICT")
            #expect(answer.reason == "version_conflict")
            #expect(answer.body?["current"] == present)
        }
        for (method, rest) in [("DELETE", ""), ("POST", "/done"), ("POST", "/snooze")] {
            let answer = try bench.call(method, path + rest, nil, as: ann, headers: [("If-Match", "1")])
            #expect(answer.reason == "version_conflict")
        }
        #expect(
            try bench.call("PATCH", path, ["priority": 2], as: ann, headers: [("If-Match", "2")]).status
                == 200)
    }

    @Test(arguments: ["0001-01-01", "1899-12-31", "2201-01-01", "9999-12-31"])
    func `1.5: a deadline by date lies between 1900 and 2200, as every instant does`(_ date: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let body: JSONValue = ["title": "a", "deadline_at": .string(date)]
        expectRefused(
            try bench.call("POST", "/api/tasks", body, as: ann), 400, "VALIDATION_ERROR",
            culprit: "deadline_at")
        let task = try bench.make("b", ["deadline_at": "2200-12-31"], by: ann)
        expectRefused(
            try bench.call("PATCH", "/api/tasks/\(task.id)", ["deadline_at": .string(date)], as: ann), 400,
            "VALIDATION_ERROR", culprit: "deadline_at")
    }

    @Test func `D-9, D-12, D-13: what a deadline does to a target, and how the answer says it`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("10-05 12:00")
        let task = try bench.make("a", ["deadline_at": "2026-10-16"], by: ann)
        #expect(task["deadline_at"] == .local("10-16 23:59"))
        #expect(task["deadline_all_day"] == true)
        #expect(task["due_at"] == .local("10-13 09:00"))
        #expect(task["target_source"] == "auto")

        let late = try bench.call(
            "PATCH", "/api/tasks/\(task.id)",
            ["due_at": .local("10-17 09:00"), "reset_original_due_at": true], as: ann)
        expectRefused(late, 400, "VALIDATION_ERROR", culprit: "due_at")
        #expect(late.reason == "target_after_deadline")

        let snoozed = try bench.patch(task.id, ["due_at": .local("10-17 09:00")], as: ann)
        #expect(snoozed["due_at"] == .local("10-16 23:59"))
        #expect(snoozed["stopped_at_deadline"] == true)
        let again = try bench.patch(task.id, ["due_at": .local("10-18 09:00")], as: ann)
        #expect(again["stopped_at_deadline"] == true, "D-13")
        #expect(again["fields_changed"] == [])
        #expect(again.version == snoozed.version)

        let moved = try bench.patch(task.id, ["deadline_at": .local("10-12 18:00")], as: ann)
        #expect(moved["target_changed"] == "automatic")
        #expect(moved["due_at"] == .local("10-09 09:00"))
        let plain = try bench.patch(task.id, ["notes": "n"], as: ann)
        #expect(plain.data.object?["stopped_at_deadline"] == nil)
        #expect(plain.data.object?["target_changed"] == nil)
    }
}
