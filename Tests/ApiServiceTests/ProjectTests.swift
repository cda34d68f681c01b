import Domain
import JSON
import Testing
import Time

@Suite("A50, A51 Projects")
struct ProjectTests {
    @Test func `A50: own and shared ones by order, with the caller's counts`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call(
            "POST", "/api/projects", ["name": "House", "shared": true, "sort_order": 9], as: ann)
        #expect(house.status == 201)
        _ = try bench.call("POST", "/api/projects", ["name": "Secret"], as: ann)
        let project: JSONValue = .int(house.id)
        try bench.make("a", ["project_id": project, "due_at": .local("09:00")], by: ann)
        try bench.make("b", ["project_id": project, "due_at": .local("11:00")], by: ann)
        try bench.make("r", ["project_id": project, "is_reminder": true], by: ann)
        try bench.make("q", ["project_id": project, "is_tracked": true, "rrule": "FREQ=DAILY"], by: ann)
        try bench.make("c", ["project_id": project, "due_at": .local("09:00")], by: bob)

        let answer = try bench.call("GET", "/api/projects", as: bob)
        #expect(answer["count"] == 2)
        let projects = try unwrap(answer["projects"].array)
        #expect(projects.map { $0["name"] } == ["Inbox", "House"])
        #expect(
            projects.last?.object == [
                "id": project, "owner_id": .int(ann.id.rawValue), "name": "House", "shared": true,
                "sort_order": 9,
                "color": house["color"], "active_count": 1, "overdue_count": 1, "created_at": .local("10:00"),
            ])
        let own = try bench.call("GET", "/api/projects", as: ann)["projects"].array ?? []
        #expect(own.map { $0["name"] } == ["Inbox", "House", "Secret"])
        #expect(own[1]["active_count"] == 2)
        #expect(own[1]["overdue_count"] == 1)
    }

    @Test func `A51: a new one goes to the end, in a colour that none of the user's has`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var colors: Set<String> = []
        for index in 1...8 {
            let answer = try bench.call("POST", "/api/projects", ["name": .string("P\(index)")], as: ann)
            #expect(answer["sort_order"] == .int(Int64(index)))
            colors.insert(try unwrap(answer["color"].string))
        }
        #expect(colors == ["red", "orange", "yellow", "green", "blue", "purple", "pink", "gray"])
        #expect(try bench.call("POST", "/api/projects", ["name": "P9"], as: ann)["color"].string != nil)
    }

    @Test(
        arguments: [
            [:], ["name": ""], ["name": "  "], ["name": 5], ["name": "inbox"],
            ["name": "a\u{0}b"], ["name": "x", "color": "beige"],
            ["name": "x", "shared": 1], ["name": "x", "sort_order": "1"],
            ["name": .string(String(repeating: "x", count: 201))],
        ] as [JSONValue])
    func `A51: what is no project is refused`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("POST", "/api/projects", body, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.count("project") == 1)
    }

    @Test func `D40: a shared project is told to everybody, a private one to its owner`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.add("bob")
        func told() throws -> [String] { try bench.rows("SELECT user_id FROM event ORDER BY id") }
        _ = try bench.call("POST", "/api/projects", ["name": "a"], as: ann)
        #expect(try told() == ["1"])
        _ = try bench.call("POST", "/api/projects", ["name": "b", "shared": true], as: ann)
        #expect(try told() == ["1", "1", "2"])
    }
}
