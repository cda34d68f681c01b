import Domain
import JSON
import Testing

@Suite("A-14, 1.8 Limits")
struct LimitTests {
    /// Copies of a task, put there by hand: fifty thousand calls would take minutes.
    private func copy(_ id: Int64, times count: Int, in bench: Bench) throws {
        try bench.change(
            """
            CREATE TEMP TABLE one AS SELECT * FROM task WHERE id = \(id);
            UPDATE one SET id = NULL;
            CREATE TEMP TABLE n (i INTEGER);
            WITH RECURSIVE up(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up WHERE i < \(count))
            INSERT INTO n SELECT i FROM up;
            BEGIN;
            INSERT INTO task SELECT one.* FROM one, n;
            COMMIT;
            """)
    }

    @Test
    func `A-14: a user has at most 50,000 open items; finished and trashed ones, and others', do not count`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try bench.make(by: ann).id
        try copy(id, times: 49_998, in: bench)
        let last = try bench.make("the last", by: ann).id
        let refused = try bench.call(
            "POST", "/api/tasks", ["title": "one too many", "enrich": false], as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR")
        #expect(refused.reason == "too_many_items")
        #expect(refused.body?["error"]?.string?.contains("50000") == true)
        #expect(try bench.count("task") == 50_000)
        try bench.make("bob has room", by: bob)
        try bench.act("done", last, as: ann)
        let next = try bench.make("room again", by: ann).id
        #expect(try bench.call("POST", "/api/tasks", ["title": "x"], as: ann).reason == "too_many_items")
        try bench.trash(next, as: ann)
        try bench.make("and again", by: ann)
    }

    @Test func `A-14: a thousand ids are taken by every bulk call, one more by none`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        try copy(id, times: 1000, in: bench)
        let all = Array(id...id + 1000)
        let calls: [(String, [String: JSONValue])] = [
            ("snooze", ["delta_minutes": 5]), ("edit", ["changes": ["notes": "n"]]), ("done", [:]),
            ("delete", [:]),
        ]
        for (name, more) in calls {
            var body = more
            body["ids"] = .ids(all)
            let refused = try bench.call("POST", "/api/tasks/bulk/\(name)", .object(body), as: ann)
            expectRefused(refused, 400, "VALIDATION_ERROR", culprit: "ids")
            body["ids"] = .ids(all.dropLast())
            let taken = try bench.call("POST", "/api/tasks/bulk/\(name)", .object(body), as: ann)
            #expect(taken.status == 200 && taken["tasks_affected"] == 1000, "\(name)")
            #expect(
                try bench.rows("SELECT count(DISTINCT version) FROM task WHERE id <= \(all[999])") == ["1"])
            if name != "delete" { #expect(try bench.undo(as: ann)["tasks_affected"] == 1000) }
        }
        #expect(try bench.item(all[1000]).version == 1)
    }
}

extension JSONValue {
    static func ids(_ ids: ArraySlice<Int64>) -> JSONValue { .ids(Array(ids)) }
}
