import ApiService
import Domain
import Interfaces
import JSON
import Testing

@Suite("L-10 to L-16, A-11, U-1, T-15 Projects that are shared, and whose things are whose")
struct SharingTests {
    private func project(_ bench: Bench, _ name: String, shared: Bool, by person: Bench.Person) throws
        -> Answer
    {
        let answer = try bench.call(
            "POST", "/api/projects", ["name": .string(name), "shared": .bool(shared)], as: person)
        #expect(answer.status == 201)
        return answer
    }

    @Test func `L-10: each user has one Inbox, its name is taken, and new projects go to the end`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let refused = try bench.call("POST", "/api/projects", ["name": "inbox"], as: ann)
        #expect(refused.status == 400 && refused.culprits == ["name"])
        _ = try project(bench, "Home", shared: false, by: ann)
        _ = try project(bench, "Work", shared: false, by: ann)
        let listed = try bench.call("GET", "/api/projects", as: ann)["projects"].array ?? []
        #expect(listed.map { $0["name"]?.string } == ["Inbox", "Home", "Work"])
    }

    @Test func `L-11, A-11: two people on one shared task are told of each other, and each undoes his own`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add("ann")
        let bob = try bench.add("bob")
        let house = try project(bench, "House", shared: true, by: ann)
        let task = try bench.make("Sweep the stairs", ["project_id": .int(house.id)], by: ann)

        let done = try bench.call("POST", "/api/tasks/\(task.id)/done", [:], as: bob)
        #expect(done.status == 200 && done["done"] == true)
        let second = try bench.call("POST", "/api/tasks/\(task.id)/done", [:], as: ann)
        #expect(second.status == 200 && second["already_done"] == true)
        #expect(try bench.get(task.id, as: ann)["completion_count"] == 1)

        // Ann's newest entry is the creation, bob's is the completion (U-2).
        #expect(try bench.call("POST", "/api/undo", [:], as: bob)["undone_action"] == "done")
        #expect(try bench.get(task.id, as: ann)["done"] == false)
        #expect(try bench.call("POST", "/api/undo", [:], as: bob).status == 400)
        #expect(try bench.call("GET", "/api/undo/status", as: ann)["undoable_count"] == 1)
    }

    @Test func `L-11: a private project is nobody else's`() throws {
        let bench = try Bench()
        let ann = try bench.add("ann")
        let bob = try bench.add("bob")
        let secret = try project(bench, "Secret", shared: false, by: ann)
        let refused = try bench.call(
            "POST", "/api/tasks", ["title": "x", "project_id": .int(secret.id)], as: bob)
        #expect(refused.status == 404)
        let task = try bench.make(by: bob)
        let moved = try bench.call("PATCH", "/api/tasks/\(task.id)", ["project_id": .int(secret.id)], as: bob)
        #expect(moved.status == 404)
        let names = try bench.call("GET", "/api/projects", as: bob)["projects"].array ?? []
        #expect(names.map { $0["name"]?.string } == ["Inbox"])
    }

    @Test
    func
        `L-12, X-1: who acts on a shared task does not own it: time and devices are its owner's, undo is his`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add("ann")
        let kei = try bench.add("kei", zone: "Asia/Tokyo")
        let house = try project(bench, "House", shared: true, by: ann)
        let task = try bench.make(
            "Sweep", ["project_id": .int(house.id), "rrule": "FREQ=DAILY", "due_at": .local("09:00")],
            by: ann)
        try bench.take()
        let done = try bench.call("POST", "/api/tasks/\(task.id)/done", [:], as: kei)
        #expect(done["user_id"] == .int(ann.id.rawValue))
        #expect(done["due_at"] == .local("10-15 09:00"), "09:00 in Chicago, not in Tokyo")
        let messages = try bench.take()
        #expect(!messages.isEmpty && messages.allSatisfy { $0.user == ann.id.rawValue })
        // In Tokyo it is Thursday: what is counted, and what is undone, is kei's.
        #expect(
            try bench.rows("SELECT user_id || ' ' || date || ' ' || completions FROM statistic ORDER BY 1")
                == [
                    "1 2026-10-14 0", "2 2026-10-15 1",
                ])
        #expect(try bench.call("POST", "/api/undo", [:], as: kei)["undone_action"] == "done")
        #expect(try bench.get(task.id, as: ann)["due_at"] == .local("09:00"))
        #expect(try bench.get(task.id, as: ann)["user_id"] == .int(ann.id.rawValue))
    }

    @Test func `L-13: a task is not moved to where its owner cannot see it`() throws {
        let bench = try Bench()
        let ann = try bench.add("ann")
        let bob = try bench.add("bob")
        let house = try project(bench, "House", shared: true, by: ann)
        let secret = try project(bench, "Secret", shared: false, by: ann)
        let task = try bench.make("Bob's", ["project_id": .int(house.id)], by: bob)
        let refused = try bench.call(
            "PATCH", "/api/tasks/\(task.id)", ["project_id": .int(secret.id)], as: ann)
        #expect(refused.status == 403)
        #expect(try bench.get(task.id, as: bob)["project_id"] == .int(house.id))
    }

    @Test func `L-16: a project counts the caller's own ordinary tasks`() throws {
        let bench = try Bench()
        let ann = try bench.add("ann")
        let bob = try bench.add("bob")
        let house = try project(bench, "House", shared: true, by: ann)
        let place: JSONValue = .int(house.id)
        try bench.make("over target", ["project_id": place, "due_at": "2026-10-14T09:00"], by: ann)
        try bench.make("ahead", ["project_id": place, "due_at": "2026-10-14T11:00"], by: ann)
        try bench.make("thought", ["project_id": place, "is_reminder": true], by: ann)
        try bench.make("bob's", ["project_id": place], by: bob)
        let listed = try bench.call("GET", "/api/projects", as: ann)["projects"].array ?? []
        let counted = try unwrap(listed.first { $0["id"]?.int == house.id })
        #expect(counted["active_count"] == 2 && counted["overdue_count"] == 1)
    }

    @Test func `U-1: one action is one entry, and nothing changed is none`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("Buy milk", by: ann)
        let edit: JSONValue = ["title": "Buy bread", "priority": 3, "notes": "rye"]
        _ = try bench.call("PATCH", "/api/tasks/\(task.id)", edit, as: ann)
        _ = try bench.call("PATCH", "/api/tasks/\(task.id)", edit, as: ann)
        #expect(try bench.call("GET", "/api/undo/status", as: ann)["undoable_count"] == 2)
        _ = try bench.call("POST", "/api/undo", [:], as: ann)
        let back = try bench.get(task.id, as: ann)
        #expect(back["title"] == "Buy milk" && back["priority"] == 0 && back["notes"] == .null)
    }

    @Test func `T-15, T-18: over target comes longest first, then by priority, then by id`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for (title, due, priority) in [
            ("late", "2026-10-14T09:30", 4), ("first low", "2026-10-14T08:00", 1),
            ("first", "2026-10-14T08:00", 1),
            ("first high", "2026-10-14T08:00", 3), ("ahead", "2026-10-14T11:00", 4),
        ] {
            try bench.make(title, ["due_at": .string(due), "priority": .int(Int64(priority))], by: ann)
        }
        let listed = try bench.call("GET", "/api/tasks?overdue=true", as: ann)["tasks"].array ?? []
        #expect(listed.map { $0["title"]?.string } == ["first high", "first low", "first", "late"])
    }
}
