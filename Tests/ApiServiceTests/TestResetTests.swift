import ApiStore
import Domain
import JSON
import Testing

@Suite("A96 Back to the fixed test state")
struct TestResetTests {
    private func person(_ name: String, _ letter: Character, _ id: Int64) -> Bench.Person {
        Bench.Person(
            id: UserID(rawValue: id), name: name, token: String(repeating: letter, count: 64), inbox: id)
    }

    @Test(arguments: [nil, "0", "false"])
    func `without the mode the path is unknown like any other`(_ value: String?) throws {
        let bench = try Bench(value.map { ["OPENTASK_TEST_MODE": $0] } ?? [:])
        let ann = try bench.add()
        let unknown = try bench.call("POST", "/api/test/nothing", as: ann)
        let answer = try bench.call("POST", "/api/test/reset", as: ann)
        #expect(answer.status == 404)
        #expect(answer.body == unknown.body)
        #expect(try bench.call("GET", "/api/auth/me", as: ann).status == 200)
    }

    @Test func `everything is gone, two accounts are there, and ids begin anew`() throws {
        let bench = try Bench(["OPENTASK_TEST_MODE": "1"])
        let ann = try bench.add()
        try bench.make("Old", ["labels": ["x"], "create_label": true], by: ann)
        try bench.make("Typed", ["enrich": true], by: ann)
        try bench.act("done", 1, as: ann)
        _ = try bench.call("PATCH", "/api/user/preferences", ["default_sort": "title"], as: ann)
        let lastEvent = try bench.store.read { try $0.lastEventID() }

        let answer = try bench.call("POST", "/api/test/reset")
        #expect(answer.status == 200)
        #expect(answer.data == ["ok": true])
        #expect(try bench.call("GET", "/api/auth/me", as: ann).status == 401)
        for table in [
            "task", "job", "undo", "event", "completion", "preference", "label", "outbox", "statistic",
            "activity", "request", "enrichment",
        ] {
            #expect(try bench.count(table) == 0, "\(table)")
        }
        let test = person("test", "a", 1)
        let other = person("other", "b", 2)
        #expect(
            try bench.call("GET", "/api/auth/me", as: test).data == [
                "id": 1, "name": "test", "email": "test@example.org", "timezone": "America/Chicago",
                "default_grouping": "project", "is_demo": false,
            ])
        #expect(try bench.call("GET", "/api/auth/me", as: other)["id"] == 2)
        #expect(try bench.make("First", by: test).id == 1)
        // What pages and push have counted goes on.
        #expect(try bench.store.read { try $0.lastEventID() } > lastEvent)

        #expect(try bench.call("POST", "/api/test/reset", as: test).status == 200)
        #expect(try bench.make("First again", by: test).id == 1)
        #expect(try bench.rows("SELECT integrity_check FROM pragma_integrity_check") == ["ok"])
        #expect(try bench.count("pragma_foreign_key_check") == 0)
    }

    @Test func `the mode says that it is on`() throws {
        let bench = try Bench(["OPENTASK_TEST_MODE": "1"])
        #expect(bench.log.all.contains { $0.hasPrefix("warning test mode") })
        #expect(try Bench().log.all.isEmpty)
    }
}
