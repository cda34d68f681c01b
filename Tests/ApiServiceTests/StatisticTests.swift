import Domain
import JSON
import TestSupport
import Testing
import Time

@Suite("A67, A68, C-5, C-13 What was done")
struct StatisticTests {
    private func sums(_ completions: Int64, _ created: Int64, _ snoozes: Int64) -> JSONValue {
        ["completions": .int(completions), "tasks_created": .int(created), "snoozes": .int(snoozes)]
    }

    @Test func `A67: without dates today, the last 7 and 30 days, and all`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let empty = try bench.call("GET", "/api/stats", as: ann)
        #expect(
            empty.data == [
                "today": .null, "week": sums(0, 0, 0), "month": sums(0, 0, 0), "all_time": sums(0, 0, 0),
            ])
        for (date, count) in [
            ("2026-10-14", 1), ("2026-10-08", 10), ("2026-10-07", 100), ("2026-09-15", 1000),
            ("2026-09-14", 10_000), ("2024-02-29", 100_000),
        ] {
            try bench.change(
                """
                INSERT INTO statistic (user_id, date, completions, tasks_created, snoozes)
                VALUES (\(ann.id.rawValue), '\(date)', \(count), \(2 * count), \(3 * count))
                """)
        }
        func of(_ count: Int64) -> JSONValue { sums(count, 2 * count, 3 * count) }
        let answer = try bench.call("GET", "/api/stats?start=2026-10-14", as: ann)
        #expect(
            answer.data == [
                "today": [
                    "id": 20_261_014, "user_id": .int(ann.id.rawValue), "date": "2026-10-14",
                    "completions": 1,
                    "tasks_created": 2, "snoozes": 3,
                ], "week": of(11), "month": of(1111), "all_time": of(111_111),
            ])

        let days = try bench.call("GET", "/api/stats?start=2026-09-15&end=2026-10-08", as: ann)
        #expect(
            days["stats"].array?.map { $0["date"] } == ["2026-09-15", "2026-10-07", "2026-10-08"],
            "oldest first, both ends, idle days left out")
        let bob = try bench.add("bob")
        #expect(try bench.call("GET", "/api/stats", as: bob).data == empty.data)
        let none = try bench.call("GET", "/api/stats?start=2000-01-01&end=2100-01-01", as: bob)
        #expect(none.data == ["stats": []])
    }

    @Test(arguments: [
        "start=2026-10-15&end=2026-10-14", "start=x&end=2026-10-14", "start=2026-10-14&end=2026-02-30",
        "start=2026-10-14&end=", "start=14.10.2026",
    ])
    func `A67: what is no span of dates is refused`(_ query: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("GET", "/api/stats?\(query)", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `C-5: each counts for the date of who acts; first dates are no snoozes`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let kei = try bench.add("kei", zone: "Asia/Tokyo")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann)
        bench.at("21:00")  // Thursday 11:00 in Tokyo
        let task = try bench.make("x", ["project_id": .int(house.id)], by: ann)
        try bench.patch(task.id, ["due_at": .local("10-15 09:00")], as: kei)  // a first date
        try bench.act("snooze", task.id, ["until": .local("10-16 09:00")], as: kei)
        try bench.act("done", task.id, as: kei)
        func days(_ person: Bench.Person) throws -> [JSONValue?] {
            try bench.call("GET", "/api/stats?start=2026-10-01&end=2026-10-31", as: person)["stats"].array?
                .map { day in
                    .array(["date", "completions", "tasks_created", "snoozes"].map { day[$0] ?? .null })
                } ?? []
        }
        #expect(try days(ann) == [["2026-10-14", 0, 1, 0]])
        #expect(try days(kei) == [["2026-10-15", 1, 0, 1]])
    }

    @Test func `C-5: undo takes off on the date it was added, and redo adds it there again`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", by: ann)
        try bench.act("done", task.id, as: ann)
        func completions() throws -> [String] {
            try bench.rows("SELECT date || ' ' || completions FROM statistic ORDER BY date")
        }
        #expect(try completions() == ["2026-10-14 1"])
        bench.at("10-15 08:00")
        try bench.undo(as: ann)
        #expect(try completions() == ["2026-10-14 0"])
        try bench.redo(as: ann)
        #expect(try completions() == ["2026-10-14 1"])
        #expect(try bench.call("GET", "/api/stats", as: ann)["today"] == .null)
    }

    @Test func `A68: one's own, newest first, with what the tasks are now`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let once = try bench.make("once", ["due_at": .local("09:00")], by: ann)
        let daily = try bench.make("daily", ["rrule": "FREQ=DAILY", "due_at": .local("09:30")], by: ann)
        try bench.act("done", once.id, as: ann)
        bench.advance(seconds: 60)
        try bench.act("done", daily.id, as: ann)
        try bench.patch(once.id, ["title": "renamed"], as: ann)
        let answer = try bench.call("GET", "/api/completions", as: ann)
        #expect(answer.status == 200 && answer["count"] == 2)
        let listed = try unwrap(answer["completions"].array)
        #expect(
            listed.first?.object == [
                "id": listed[0]["id"] ?? .null, "task_id": .int(daily.id), "user_id": .int(ann.id.rawValue),
                "completed_at": .local("10:01"), "due_at_was": .local("09:30"),
                "due_at_next": .local("10-15 09:30"), "task_title": "daily", "project_id": .int(ann.inbox),
                "is_reminder": false, "is_tracked": false, "progress_target": 1,
            ])
        #expect(listed[1]["task_title"] == "renamed" && listed[1]["due_at_next"] == .null)
        #expect(try bench.call("GET", "/api/completions", as: bob)["count"] == 0)

        let ofTask = try bench.call("GET", "/api/completions?task_id=\(once.id)", as: ann)
        #expect(ofTask["completions"].array?.map { $0["task_id"] } == [.int(once.id)])
        let foreign = try bench.call("GET", "/api/completions?task_id=\(once.id)", as: bob)
        #expect(foreign.status == 200 && foreign["count"] == 0)
    }

    @Test func `A68: a day of UTC, and a span that holds its start and not its end; filters combine`() throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        var ids: [String: Int64] = [:]
        // 18:59:59 in Chicago is the last second of that day in UTC.
        for (title, time) in [
            ("a", "18:59:59"), ("b", "19:00"), ("c", "10-15 18:59:59"), ("d", "10-15 19:00"),
        ] {
            bench.at(time)
            ids[title] = try bench.make(title, by: ann).id
            try bench.act("done", ids[title] ?? 0, as: ann)
        }
        func titles(_ query: String) throws -> String {
            let answer = try bench.call("GET", "/api/completions?\(query)", as: ann)
            #expect(answer.status == 200)
            return (answer["completions"].array ?? []).compactMap { $0["task_title"]?.string }.joined()
        }
        #expect(try titles("date=2026-10-15") == "cb")
        #expect(try titles("since=2026-10-15T00:00:00Z&until=2026-10-16T00:00:00Z") == "cb")
        #expect(try titles("since=2026-10-14T19:00:00-05:00&until=2026-10-15T19:00:00-05:00") == "cb")
        #expect(try titles("since=2026-10-15T02:00:00%2B02:00&until=2026-10-16T02:00:00+02:00") == "cb")
        #expect(
            try titles("since=2026-10-14T19:00&until=2026-10-15T19:00") == "cb", "local without an offset")
        #expect(try titles("since=2026-10-16T00:00:00Z&until=2026-10-15T00:00:00Z") == "")
        #expect(try titles("date=2026-10-15&task_id=\(ids["c"] ?? 0)") == "c")
        #expect(try titles("date=2026-10-15&since=2026-10-15T12:00:00Z&until=2027-01-01T00:00:00Z") == "c")
    }

    @Test(arguments: [
        "since=2026-10-15T00:00:00Z", "until=2026-10-15T00:00:00Z", "since=x&until=2026-10-15T00:00:00Z",
        "date=today", "date=2026-13-01", "task_id=x", "task_id=0",
    ])
    func `A68: half a pair and bad values are refused`(_ query: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("GET", "/api/completions?\(query)", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `A68: at most the newest 1000`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", by: ann)
        try bench.change(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1005)
            INSERT INTO completion (task_id, user_id, completed_at)
            SELECT \(task.id), \(ann.id.rawValue), i FROM n
            """)
        let answer = try bench.call("GET", "/api/completions", as: ann)
        #expect(answer["count"] == 1000)
        #expect(answer["completions"].array?.last?["completed_at"] == "1970-01-01T00:00:06.000Z")
    }

    @Test func `C-13: today's are those of the viewer's local day, also when it has 25 hours`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let day = try unwrap(LocalDate("2026-11-01"))
        for (title, seconds) in [("before", -1), ("first", 0), ("last", 25 * 3600 - 1), ("after", 25 * 3600)]
        {
            bench.clock.set(Bench.zone.instant(day, .midnight).adding(seconds: Int64(seconds)))
            let id = try bench.make(title, by: ann).id
            try bench.act("done", id, as: ann)
        }
        let span = Bench.zone.day(day)
        let answer = try bench.call(
            "GET", "/api/completions?since=\(span.lowerBound.iso8601)&until=\(span.upperBound.iso8601)",
            as: ann)
        #expect(answer["completions"].array?.map { $0["task_title"] } == ["last", "first"])
    }
}
