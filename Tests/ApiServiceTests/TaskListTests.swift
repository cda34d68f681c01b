import JSON
import Testing
import Time

@Suite("A14, A16 Lists and counts")
struct TaskListTests {
    private func titles(_ bench: Bench, _ query: String, _ person: Bench.Person) throws -> [String] {
        let answer = try bench.call("GET", "/api/tasks\(query)", as: person)
        #expect(answer.status == 200)
        let titles = answer["tasks"].array?.compactMap { $0["title"]?.string } ?? []
        #expect(answer["count"] == .int(Int64(titles.count)))
        return titles
    }

    @Test func `the order: by target, then quotas, reminders, undated ones; ties by priority, then id`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        for (title, more) in [
            ("undated low", ["priority": 1]), ("reminder", ["is_reminder": true]),
            ("quota", ["progress_target": 2, "rrule": "FREQ=DAILY"]),
            ("later", ["due_at": .local("10-20 09:00")]),
            ("undated", [:]), ("over", ["due_at": .local("09:00")]),
            ("same hour", ["due_at": .local("09:00")]),
            ("same hour, high", ["due_at": .local("09:00"), "priority": 3]),
        ] as [(String, [String: JSONValue])] {
            try bench.make(title, more, by: ann)
        }
        let expected = [
            "same hour, high", "over", "same hour", "later", "quota", "reminder", "undated low", "undated",
        ]
        #expect(try titles(bench, "", ann) == expected)
        #expect(try titles(bench, "?limit=3", ann) == Array(expected.prefix(3)))
        #expect(try titles(bench, "?limit=3&offset=3", ann) == Array(expected[3..<6]))
        #expect(try titles(bench, "?limit=5000&offset=8", ann) == [])
    }

    @Test func `each filter of A14`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let project = try bench.call("POST", "/api/projects", ["name": "Work"], as: ann).id
        func make(_ title: String, _ more: [String: JSONValue] = [:]) throws -> Int64 {
            try bench.make(title, more, by: ann).id
        }
        _ = try make("open")
        _ = try make("over", ["due_at": .local("10:00")])
        _ = try make("ahead", ["due_at": .local("10:01"), "project_id": .int(project)])
        _ = try make("daily", ["rrule": "FREQ=DAILY", "labels": ["home"], "create_label": true])
        _ = try make("reminder", ["is_reminder": true])
        _ = try make("tracked", ["is_tracked": true, "rrule": "FREQ=DAILY"])
        try bench.act("done", try make("finished"), as: ann)
        try bench.trash(try make("trashed"), as: ann)

        #expect(try titles(bench, "?done=true", ann) == ["finished"])
        #expect(try titles(bench, "?done=TRUE&kind=task", ann).contains("open"), "only `true` is true")
        #expect(try titles(bench, "?trashed=true", ann) == ["trashed"])
        #expect(try titles(bench, "?archived=true&done=true", ann) == ["finished"])
        #expect(try titles(bench, "?archived=true", ann) == [])
        #expect(try titles(bench, "?overdue=true", ann) == ["over"])
        #expect(try titles(bench, "?kind=reminder", ann) == ["reminder"])
        #expect(try titles(bench, "?kind=quota", ann) == ["tracked"])
        #expect(try titles(bench, "?kind=task", ann) == ["over", "ahead", "daily", "open"])
        #expect(try titles(bench, "?recurring=true&kind=task", ann) == ["daily"])
        #expect(try titles(bench, "?recurring=false&kind=task", ann) == ["over", "ahead", "open"])
        #expect(try titles(bench, "?one_off=true&kind=task", ann) == ["over", "ahead", "open"])
        #expect(try titles(bench, "?project_id=\(project)", ann) == ["ahead"])
        #expect(try titles(bench, "?project=\(project)", ann) == ["ahead"])
        #expect(try titles(bench, "?project=\(ann.inbox)&project_id=\(project)", ann) == ["ahead"])
        #expect(try titles(bench, "?label=home", ann) == ["daily"])
        #expect(try titles(bench, "?label=hom", ann) == [])
        #expect(
            try titles(bench, "?nothing=1&kind=reminder", ann) == ["reminder"], "unknown ones are ignored")
    }

    @Test func `1.13: own tasks and those of shared projects; over target only own ones`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        try bench.make("private", ["due_at": .local("09:00")], by: ann)
        try bench.make("shared", ["due_at": .local("09:00"), "project_id": .int(shared)], by: ann)
        try bench.make("bob's", ["due_at": .local("09:30")], by: bob)
        #expect(try titles(bench, "", bob) == ["shared", "bob's"])
        #expect(try titles(bench, "?overdue=true", bob) == ["bob's"])
        #expect(try titles(bench, "?overdue=true", ann) == ["private", "shared"])
        #expect(try titles(bench, "?project_id=\(ann.inbox)", bob) == [])
    }

    @Test func `a list over several shared projects is one list, in its order, each item once, page by page`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        var projects: [Int64] = [ann.inbox]
        for name in ["House", "Garden", "Car"] {
            let owner = name == "Car" ? bob : ann
            projects.append(
                try bench.call(
                    "POST", "/api/projects", ["name": .string(name), "shared": true], as: owner
                ).id)
        }
        for number in 0..<40 {
            let project = projects[number % 4]
            let owner = number % 4 == 0 || number % 3 == 0 ? ann : bob
            try bench.make(
                "task \(number)",
                [
                    "project_id": .int(project), "priority": .int(Int64(number % 3)),
                    "due_at": number % 5 == 0 ? .null : .local("10-2\(number % 7) 09:00"),
                ], by: owner)
        }
        let all = try titles(bench, "?limit=1000", ann)
        #expect(all.count == 40 && Set(all).count == 40)
        #expect(try titles(bench, "?limit=1000", bob).count == 30)
        // The order, by the rows themselves.
        let sorted = try bench.rows(
            "SELECT title FROM task ORDER BY due_at IS NULL, due_at, priority DESC, id")
        #expect(all == sorted)
        var pages: [String] = []
        for offset in stride(from: 0, to: 49, by: 7) {
            pages += try titles(bench, "?limit=7&offset=\(offset)", ann)
        }
        #expect(pages == all)
        #expect(try titles(bench, "?offset=9223372036854775807", ann) == [])
        #expect(try titles(bench, "?project_id=\(projects[1])&limit=1000", bob).count == 10)
        let found = try bench.call("GET", "/api/tasks?search=task&limit=1000", as: ann)
        #expect(found["tasks"].array?.compactMap { $0["title"]?.string } == all)
    }

    @Test func `T-17: counts are the user's own open ordinary tasks; today is the local day`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        for (title, more) in [
            ("midnight", ["due_at": .local("00:00")]), ("now", ["due_at": .local("10:00")]),
            ("last minute", ["due_at": .local("23:59")]), ("tomorrow", ["due_at": .local("10-15 00:00")]),
            ("yesterday", ["due_at": .local("10-13 23:59")]), ("undated", [:]),
            ("reminder", ["is_reminder": true]), ("quota", ["progress_target": 2, "rrule": "FREQ=DAILY"]),
        ] as [(String, [String: JSONValue])] {
            try bench.make(title, more, by: ann)
        }
        try bench.act("done", try bench.make("done", ["due_at": .local("09:00")], by: ann).id, as: ann)
        try bench.trash(try bench.make("gone", ["due_at": .local("09:00")], by: ann).id, as: ann)
        try bench.make("bob's", ["due_at": .local("09:00"), "project_id": .int(shared)], by: bob)

        let counts = try bench.call("GET", "/api/tasks/counts", as: ann)
        #expect(counts.data == ["total": 6, "overdue": 3, "today": 3])
        #expect(
            try bench.call("GET", "/api/tasks/counts", as: bob).data == [
                "total": 1, "overdue": 1, "today": 1,
            ])
    }

    @Test func `A16: a local day of 25 hours has all its hours`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("11-01 12:00")
        try bench.make("first", ["due_at": "2026-11-01T05:00:00Z"], by: ann)
        try bench.make("last", ["due_at": "2026-11-02T05:59:00Z"], by: ann)
        try bench.make("next day", ["due_at": "2026-11-02T06:00:00Z"], by: ann)
        #expect(try bench.call("GET", "/api/tasks/counts", as: ann)["today"] == 2)
    }
}
