import Domain
import JSON
import Testing
import Time

@Suite("A47 to A49, L-1 to L-6 Labels")
struct LabelTests {
    private func register(_ bench: Bench, _ names: String..., by person: Bench.Person) throws {
        for name in names {
            #expect(
                try bench.call("POST", "/api/labels", ["name": .string(name)], as: person).status == 200)
        }
    }

    private func events(_ bench: Bench, of person: Bench.Person) throws -> Int {
        try bench.count("event WHERE user_id = \(person.id.rawValue)")
    }

    @Test func `A48, L-1: a label is registered once, as first written, in any script`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.call(
            "POST", "/api/labels", ["name": " Äpfel ", "facet": "operational", "icon": "x", "color": "red"],
            as: ann)
        #expect(made.status == 200)
        #expect(
            made.data == [
                "id": made["id"], "user_id": .int(ann.id.rawValue), "name": "Äpfel", "facet": "operational",
                "icon": "x", "color": "red", "created_at": .local("10:00"),
            ])
        for name in ["Äpfel", "äPFEL"] {
            let again = try bench.call(
                "POST", "/api/labels", ["name": .string(name), "color": "blue"], as: ann)
            #expect(again.data == made.data)
        }
        _ = try bench.call("POST", "/api/labels", ["name": "b"], as: ann)
        _ = try bench.call("POST", "/api/labels", ["name": "A"], as: ann)
        let list = try bench.call("GET", "/api/labels", as: ann)
        #expect(list["count"] == 3)
        #expect(list["labels"].array?.map { $0["name"] } == ["A", "b", "Äpfel"], "by facet, then name")
    }

    @Test(
        arguments: [
            [:], ["name": " "], ["name": "ai-mine"], ["name": "x", "facet": "other"],
            ["name": "x", "color": "beige"],
            ["name": "x", "icon": 5], ["name": "a\u{0}b"],
            ["name": .string(String(repeating: "x", count: 101))],
        ] as [JSONValue])
    func `A48: what is no label is refused`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("POST", "/api/labels", body, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.count("label") == 0)
    }

    @Test func `A48, L-3: a system label cannot be registered, and none that begins like one`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for name in ["ai-added", "AI-mine", "ai-"] {
            let answer = try bench.call("POST", "/api/labels", ["name": .string(name)], as: ann)
            expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "name")
        }
    }

    @Test func `A48: an existing name tells nobody anything`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try register(bench, "home", by: ann)
        let before = try events(bench, of: ann)
        try register(bench, "HOME", by: ann)
        #expect(try events(bench, of: ann) == before)
    }

    @Test
    func `Golden 113, L-2: a new label groseries without the flag is refused, with it it is registered`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let body: JSONValue = ["title": "Milk", "labels": ["groseries"], "enrich": false]
        let refused = try bench.call("POST", "/api/tasks", body, as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR", culprit: "labels")
        #expect(refused.body?["error"]?.string?.contains("groseries") == true)
        #expect(try bench.count("task") == 0 && bench.count("label") == 0)

        let made = try bench.make("Milk", ["labels": ["groseries"], "create_label": true], by: ann)
        #expect(made["labels"] == ["groseries"])
        #expect(try bench.rows("SELECT name FROM label") == ["groseries"])
    }

    @Test func `A49, L-6: tasks keep a label that left the registry, and it cannot be added anew`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try register(bench, "Haus/Garten", by: ann)
        let task = try bench.make("Mow", ["labels": ["haus/garten"]], by: ann)
        let undoable = try bench.call("GET", "/api/undo/status", as: ann)["undoable_count"]
        let told = try events(bench, of: ann)

        let gone = try bench.call("DELETE", "/api/labels/HAUS%2Fgarten", as: ann)
        #expect(gone.status == 200 && gone.data == ["deleted": true])
        #expect(try bench.call("GET", "/api/labels", as: ann)["count"] == 0)
        #expect(try events(bench, of: ann) == told + 1)
        #expect(try bench.get(task.id, as: ann)["labels"] == ["Haus/Garten"])
        #expect(try bench.get(task.id, as: ann).version == task.version)
        #expect(try bench.call("GET", "/api/undo/status", as: ann)["undoable_count"] == undoable)
        // L-2: what is on the task does not block another edit.
        try bench.patch(task.id, ["priority": 2, "labels": ["Haus/Garten"]], as: ann)
        let other = try bench.call(
            "POST", "/api/tasks", ["title": "x", "labels": ["Haus/Garten"]], as: ann)
        expectRefused(other, 400, "VALIDATION_ERROR", culprit: "labels")

        let again = try bench.call("DELETE", "/api/labels/HAUS%2Fgarten", as: ann)
        expectRefused(again, 404, "NOT_FOUND")
        expectRefused(try bench.call("DELETE", "/api/labels/ai-added", as: ann), 404, "NOT_FOUND")
    }

    @Test func `A49, L-6: remove_from_tasks takes it off everywhere, as one entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try register(bench, "old", "kept", by: ann)
        let open = try bench.make("open", ["labels": ["kept", "old"]], by: ann)
        let done = try bench.make("done", ["labels": ["old"]], by: ann)
        try bench.act("done", done.id, as: ann)
        let gone = try bench.make("gone", ["labels": ["old", "kept"]], by: ann)
        try bench.trash(gone.id, as: ann)
        let none = try bench.make("none", ["labels": ["kept"]], by: ann)
        let before = try bench.count("undo")
        let told = try events(bench, of: ann)

        let answer = try bench.call("DELETE", "/api/labels/OLD", ["remove_from_tasks": true], as: ann)
        #expect(answer.status == 200)
        for (task, labels) in [(open, ["kept"]), (done, []), (gone, ["kept"]), (none, ["kept"])] {
            #expect(try bench.item(task.id).labels == labels)
        }
        #expect(try bench.item(none.id).version == none.version)
        #expect(try bench.count("undo") == before + 1)
        #expect(try events(bench, of: ann) == told + 1)
        #expect(
            try bench.rows("SELECT action || ': ' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                #"bulk_edit: Removed the label "old" from 3 tasks"#
            ])

        #expect(try bench.undo(as: ann)["tasks_affected"] == 3)
        for (task, labels) in [(open, ["kept", "old"]), (done, ["old"]), (gone, ["old", "kept"])] {
            #expect(try bench.item(task.id).labels == labels)
        }
        try bench.redo(as: ann)
        #expect(try bench.item(open.id).labels == ["kept"])
    }

    @Test func `A49: with nothing to take off there is no entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try register(bench, "old", by: ann)
        let answer = try bench.call("DELETE", "/api/labels/old", ["remove_from_tasks": true], as: ann)
        #expect(answer.status == 200)
        #expect(try bench.count("undo") == 0)
    }

    @Test func `A47, A49, 1.13: a stranger's labels are his own`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        try register(bench, "home", by: ann)
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann)
        let task = try bench.make("Sweep", ["labels": ["home"], "project_id": .int(house.id)], by: ann)
        #expect(try bench.call("GET", "/api/labels", as: bob)["count"] == 0)
        expectRefused(try bench.call("DELETE", "/api/labels/home", as: bob), 404, "NOT_FOUND")
        try register(bench, "home", by: bob)
        let answer = try bench.call("DELETE", "/api/labels/home", ["remove_from_tasks": true], as: bob)
        #expect(answer.status == 200)
        #expect(try bench.get(task.id, as: ann)["labels"] == ["home"])
        #expect(try bench.call("GET", "/api/labels", as: ann)["count"] == 1)
    }

    @Test func `A49: a body that is not what it says is refused, and nothing is removed`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try register(bench, "home", by: ann)
        let answer = try bench.call("DELETE", "/api/labels/home", ["remove_from_tasks": "yes"], as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "remove_from_tasks")
        #expect(try bench.count("label") == 1)
    }
}
