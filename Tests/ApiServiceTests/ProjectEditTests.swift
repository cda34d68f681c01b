import Domain
import JSON
import Testing
import Time

@Suite("A52 to A55, L-10 to L-16 Changing projects")
struct ProjectEditTests {
    private struct House {
        let bench: Bench
        let ann: Bench.Person
        let bob: Bench.Person

        init() throws {
            bench = try Bench()
            ann = try bench.add("ann")
            bob = try bench.add("bob")
        }

        func project(_ name: String, _ more: [String: JSONValue] = [:], by person: Bench.Person) throws
            -> Int64
        {
            var body = more
            body["name"] = .string(name)
            let answer = try bench.call("POST", "/api/projects", .object(body), as: person)
            #expect(answer.status == 201)
            return answer.id
        }

        func patch(_ id: Int64, _ body: JSONValue, as person: Bench.Person) throws -> Answer {
            try bench.call("PATCH", "/api/projects/\(id)", body, as: person)
        }

        /// Events since the last call, by user.
        func told() throws -> [String] {
            let users = try bench.rows("SELECT user_id FROM event ORDER BY id")
            try bench.change("DELETE FROM event")
            return users
        }

        func order(of person: Bench.Person) throws -> [String] {
            let listed = try bench.call("GET", "/api/projects", as: person)["projects"].array ?? []
            return listed.compactMap { $0["name"]?.string }
        }
    }

    @Test func `A53: own and shared ones, with the caller's counts; another's private one is not found`()
        throws
    {
        let house = try House()
        let shared = try house.project("Shared", ["shared": true, "color": "pink"], by: house.ann)
        let secret = try house.project("Secret", by: house.ann)
        try house.bench.make("b", ["project_id": .int(shared), "due_at": .local("09:00")], by: house.bob)
        let answer = try house.bench.call("GET", "/api/projects/\(shared)", as: house.bob)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "id": .int(shared), "owner_id": .int(house.ann.id.rawValue), "name": "Shared",
                "shared": true, "sort_order": 1, "color": "pink", "active_count": 1, "overdue_count": 1,
                "created_at": .local("10:00"),
            ])
        #expect(try house.bench.call("GET", "/api/projects/\(shared)", as: house.ann)["active_count"] == 0)
        #expect(try house.bench.call("GET", "/api/projects/\(secret)", as: house.ann).status == 200)
        for path in ["\(secret)", "999"] {
            expectRefused(
                try house.bench.call("GET", "/api/projects/\(path)", as: house.bob), 404, "NOT_FOUND")
        }
        expectRefused(
            try house.bench.call("GET", "/api/projects/x", as: house.bob), 400, "VALIDATION_ERROR")
    }

    @Test func `A54: what is named changes, no entry is written, and its viewers are told once`() throws {
        let house = try House()
        let id = try house.project("House", by: house.ann)
        let undo = try house.bench.count("undo")
        _ = try house.told()
        let answer = try house.patch(
            id, ["name": " Home ", "sort_order": 9, "color": "gray"], as: house.ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "id": .int(id), "owner_id": .int(house.ann.id.rawValue), "name": "Home", "shared": false,
                "sort_order": 9, "color": "gray", "active_count": 0, "overdue_count": 0,
                "created_at": .local("10:00"),
            ])
        #expect(try house.told() == ["1"])
        #expect(try house.patch(id, ["color": .null], as: house.ann)["color"] == .null)
        _ = try house.told()

        for body: JSONValue in [["name": "Home"], [:], ["unknown": 1]] {
            let same = try house.patch(id, body, as: house.ann)
            #expect(same.status == 200 && same["name"] == "Home" && same["sort_order"] == 9)
        }
        #expect(try house.told().isEmpty, "nothing has changed")
        #expect(try house.bench.count("undo") == undo)
    }

    @Test(
        arguments: [
            ["name": .null], ["name": ""], ["name": "inbox"], ["name": 1], ["shared": .null],
            ["shared": "yes"],
            ["sort_order": .null], ["sort_order": -1], ["sort_order": .double(1.5)], ["color": "beige"],
            ["name": "fine", "color": 7], ["name": .string(String(repeating: "x", count: 201))],
        ] as [JSONValue])
    func `A54: one bad field refuses the whole`(_ body: JSONValue) throws {
        let house = try House()
        let id = try house.project("House", by: house.ann)
        expectRefused(try house.patch(id, body, as: house.ann), 400, "VALIDATION_ERROR")
        #expect(try house.order(of: house.ann) == ["Inbox", "House"])
    }

    @Test func `A54, A55, L-11: a shared one of another is 403, a private or unknown one 404`() throws {
        let house = try House()
        let shared = try house.project("Shared", ["shared": true], by: house.ann)
        let secret = try house.project("Secret", by: house.ann)
        for (id, status, code) in [
            (shared, 403, "FORBIDDEN"), (secret, 404, "NOT_FOUND"), (999, 404, "NOT_FOUND"),
            (house.ann.inbox, 404, "NOT_FOUND"),
        ] {
            expectRefused(try house.patch(id, ["name": "Mine"], as: house.bob), status, code)
            expectRefused(
                try house.bench.call("DELETE", "/api/projects/\(id)", as: house.bob), status, code)
        }
        #expect(try house.order(of: house.ann) == ["Inbox", "Shared", "Secret"])
    }

    @Test func `A54, A55, L-10: the Inbox is neither renamed nor shared nor deleted`() throws {
        let house = try House()
        let inbox = house.ann.inbox
        for body: JSONValue in [["name": "Tray"], ["shared": true]] {
            expectRefused(try house.patch(inbox, body, as: house.ann), 400, "VALIDATION_ERROR")
        }
        #expect(
            try house.patch(inbox, ["name": "Inbox", "color": "red"], as: house.ann)["color"] == "red")
        expectRefused(
            try house.bench.call("DELETE", "/api/projects/\(inbox)", as: house.ann), 400,
            "VALIDATION_ERROR")
    }

    @Test func `A54, L-11: sharing lets everybody in, and tells everybody`() throws {
        let house = try House()
        let id = try house.project("House", by: house.ann)
        let task = try house.bench.make("Sweep", ["project_id": .int(id)], by: house.ann)
        #expect(try house.bench.get(task.id, as: house.bob).status == 404)
        _ = try house.told()
        #expect(try house.patch(id, ["shared": true], as: house.ann)["shared"] == true)
        #expect(try house.told() == ["1", "2"])
        #expect(try house.bench.get(task.id, as: house.bob).status == 200)
        try house.bench.act("done", task.id, as: house.bob)
    }

    @Test
    func `A54, L-15: when it is no longer shared, others' tasks go to their Inboxes, also done and trashed`()
        throws
    {
        let house = try House()
        let id = try house.project("House", ["shared": true], by: house.ann)
        let place: [String: JSONValue] = ["project_id": .int(id)]
        let own = try house.bench.make("ann's", place, by: house.ann)
        let open = try house.bench.make("bob's", place, by: house.bob)
        let done = try house.bench.make("done", place, by: house.bob)
        try house.bench.act("done", done.id, as: house.bob)
        let gone = try house.bench.make("gone", place, by: house.bob)
        try house.bench.trash(gone.id, as: house.ann)
        let undo = try house.bench.count("undo")
        let version = try house.bench.item(open.id).version
        _ = try house.told()

        #expect(try house.patch(id, ["shared": false], as: house.ann)["shared"] == false)
        for task in [open, done, gone] {
            #expect(try house.bench.item(task.id).project.rawValue == house.bob.inbox)
        }
        #expect(try house.bench.item(own.id).project.rawValue == id)
        #expect(try house.bench.item(open.id).version == version + 1)
        #expect(try house.bench.get(own.id, as: house.bob).status == 404)
        #expect(try house.bench.get(open.id, as: house.ann).status == 404)
        #expect(try house.bench.count("undo") == undo, "U-10")
        #expect(try house.told() == ["1", "2"])
    }

    @Test
    func `Golden 114, A55, L-14: A's tasks go to A's Inbox, B's to B's, in any state, and all are told`()
        throws
    {
        let house = try House()
        let id = try house.project("House", ["shared": true], by: house.ann)
        let place: [String: JSONValue] = ["project_id": .int(id)]
        let anns = try house.bench.make("ann's", place, by: house.ann)
        let bobs = try house.bench.make("bob's", place, by: house.bob)
        let done = try house.bench.make("done", place, by: house.bob)
        try house.bench.act("done", done.id, as: house.ann)
        let gone = try house.bench.make("gone", place, by: house.ann)
        try house.bench.trash(gone.id, as: house.bob)
        let undo = try house.bench.count("undo")
        try house.bench.take()
        _ = try house.told()

        let answer = try house.bench.call("DELETE", "/api/projects/\(id)", as: house.ann)
        #expect(answer.status == 200)
        #expect(answer["tasks_moved_to_inbox"] == true)
        #expect(answer["message"].string?.isEmpty == false)
        for (task, inbox) in [
            (anns, house.ann.inbox), (bobs, house.bob.inbox), (done, house.bob.inbox),
            (gone, house.ann.inbox),
        ] {
            #expect(try house.bench.item(task.id).project.rawValue == inbox)
        }
        #expect(try house.told() == ["1", "2"])
        #expect(try house.bench.count("undo") == undo, "U-10")
        #expect(try house.bench.outbox().isEmpty, "no target has moved")
        expectRefused(
            try house.bench.call("DELETE", "/api/projects/\(id)", as: house.ann), 404, "NOT_FOUND")
        #expect(try house.order(of: house.ann) == ["Inbox"])
    }

    @Test func `A55, L-14: without an Inbox of an owner nothing happens`() throws {
        let house = try House()
        let id = try house.project("House", ["shared": true], by: house.ann)
        let task = try house.bench.make("bob's", ["project_id": .int(id)], by: house.bob)
        try house.bench.change("UPDATE project SET is_inbox = 0 WHERE id = \(house.bob.inbox)")
        _ = try house.told()
        expectRefused(
            try house.bench.call("DELETE", "/api/projects/\(id)", as: house.ann), 400, "VALIDATION_ERROR")
        #expect(try house.bench.item(task.id).project.rawValue == id)
        #expect(try house.told().isEmpty)
    }

    @Test func `A55: an empty one moves nothing`() throws {
        let house = try House()
        let id = try house.project("House", by: house.ann)
        _ = try house.told()
        let answer = try house.bench.call("DELETE", "/api/projects/\(id)", as: house.ann)
        #expect(answer["tasks_moved_to_inbox"] == false)
        #expect(try house.told() == ["1"], "a private one concerns nobody else")
    }

    @Test func `U-4, L-14: undo leaves a task where it is when its old project is gone or hidden`() throws {
        let house = try House()
        let id = try house.project("House", ["shared": true], by: house.ann)
        let task = try house.bench.make("bob's", ["project_id": .int(id)], by: house.bob)
        try house.bench.patch(
            task.id, ["project_id": .int(house.bob.inbox), "priority": 3], as: house.bob)
        _ = try house.patch(id, ["shared": false], as: house.ann)
        let hidden = try house.bench.undo(as: house.bob)
        #expect(hidden["skipped_fields"] == ["project_id"])
        let item = try house.bench.item(task.id)
        #expect(item.project.rawValue == house.bob.inbox && item.priority == .unset)

        try house.bench.redo(as: house.bob)
        _ = try house.bench.call("DELETE", "/api/projects/\(id)", as: house.ann)
        #expect(try house.bench.undo(as: house.bob)["skipped_fields"] == ["project_id"])
        #expect(try house.bench.item(task.id).project.rawValue == house.bob.inbox)
    }

    @Test func `U-9, 1.13: undo leaves alone what its user cannot see any more, and tells him nothing of it`()
        throws
    {
        let house = try House()
        let bench = house.bench
        let id = try house.project("House", ["shared": true], by: house.ann)
        let task = try bench.make("ann's", ["project_id": .int(id)], by: house.ann)
        try bench.patch(task.id, ["priority": 3], as: house.bob)
        try bench.act("done", task.id, as: house.bob)
        _ = try bench.call(
            "POST", "/api/webhooks", ["url": "http://127.0.0.1:9/", "events": ["task.updated"]], as: house.bob
        )
        _ = try house.patch(id, ["shared": false], as: house.ann)
        try bench.patch(task.id, ["notes": "for ann alone"], as: house.ann)
        try bench.take()
        let before = try bench.item(task.id)
        let statistics = try bench.rows("SELECT user_id || ' ' || completions FROM statistic ORDER BY 1")

        let done = try bench.undo(as: house.bob)
        #expect(done["undone_action"] == "done" && done["tasks_affected"] == 0)
        #expect(try bench.undo(as: house.bob)["undone_action"] == "edit")
        try bench.redo(as: house.bob)
        #expect(try bench.item(task.id) == before)
        #expect(try bench.count("completion WHERE task_id = \(task.id)") == 1)
        #expect(
            try bench.rows("SELECT user_id || ' ' || completions FROM statistic ORDER BY 1") == statistics)
        #expect(try bench.take().isEmpty)

        // Shared again, it is his to redo.
        _ = try house.patch(id, ["shared": true], as: house.ann)
        try bench.undo(as: house.bob)
        #expect(try bench.item(task.id).priority == .unset)
        try bench.redo(as: house.bob)
        try bench.redo(as: house.bob)
        let after = try bench.item(task.id)
        #expect(after.priority == .high && after.completionCount == 1 && after.done)
        #expect(try bench.count("completion WHERE task_id = \(task.id)") == 1)
        #expect(
            try bench.rows("SELECT user_id || ' ' || completions FROM statistic ORDER BY 1") == statistics)
    }

    @Test func `A52: own projects get their order, others' and unknown ones are left alone`() throws {
        let house = try House()
        let a = try house.project("A", by: house.ann)
        _ = try house.project("B", ["shared": true], by: house.ann)
        let c = try house.project("C", by: house.ann)
        let bobs = try house.project("Bob's", ["shared": true, "sort_order": 50], by: house.bob)
        _ = try house.told()
        let answer = try house.bench.call(
            "PATCH", "/api/projects/reorder",
            ["project_ids": [.int(c), .int(bobs), .int(a), .int(999), .int(c)]], as: house.ann)
        #expect(answer.status == 200 && answer.data == ["reordered": 2])
        #expect(try house.order(of: house.ann) == ["C", "A", "Inbox", "B", "Bob's"])
        #expect(
            try house.bench.rows("SELECT sort_order FROM project WHERE id = \(bobs)") == ["50"])
        #expect(try house.told() == ["1", "2"], "a shared one has moved")

        let same = try house.bench.call(
            "PATCH", "/api/projects/reorder", ["project_ids": [.int(c), .int(a)]], as: house.ann)
        #expect(same.data == ["reordered": 2])
        #expect(try house.told().isEmpty)
    }

    @Test(
        arguments: [
            [:], ["project_ids": []], ["project_ids": "1"], ["project_ids": ["1"]],
            ["project_ids": [.double(1.5)]], ["project_ids": [0]], ["project_ids": [998, 999]],
            ["project_ids": .null],
        ] as [JSONValue])
    func `A52: nothing to order is refused`(_ body: JSONValue) throws {
        let house = try House()
        expectRefused(
            try house.bench.call("PATCH", "/api/projects/reorder", body, as: house.ann), 400,
            "VALIDATION_ERROR")
    }

    @Test func `A-4: a repeated request with its key changes nothing more`() throws {
        let house = try House()
        let id = try house.project("House", by: house.ann)
        let key = [(name: "Idempotency-Key", value: "k1")]
        func rename(_ headers: [(name: String, value: String)]) throws -> Answer {
            try house.bench.call(
                "PATCH", "/api/projects/\(id)", ["name": "Home"], as: house.ann, headers: headers)
        }
        let first = try rename(key)
        _ = try house.patch(id, ["name": "Other"], as: house.ann)
        let again = try rename(key)
        #expect(again.status == 200 && again.data == first.data)
        #expect(try house.order(of: house.ann) == ["Inbox", "Other"])
    }
}
