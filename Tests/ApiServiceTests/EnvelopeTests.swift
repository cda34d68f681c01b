import ApiService
import Domain
import HTTPServer
import JSON
import Testing

@Suite("api 1.3 to 1.7 Errors in the envelope")
struct EnvelopeTests {
    @Test(arguments: [
        "", "{", "[1]", "\"text\"", "nul", "{\"title\":\"a\"} x", "{\"title\":\"\u{1}\"}", "{'title':'a'}",
    ])
    func `a body that is no JSON object is 400`(_ text: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.send("POST", "/api/tasks", Array(text.utf8), as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "")
        #expect(try bench.count("task") == 0)
    }

    @Test(arguments: [
        [("Host", "a"), ("Host", "b")], [("Content-Length", "2"), ("Content-Length", "3")],
        [("Content-Length", "2"), ("Transfer-Encoding", "chunked")],
    ])
    func `a request that a proxy might read in another way is refused`(_ headers: [(String, String)]) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let named = headers.map { (name: $0.0, value: $0.1) }
        let answer = try bench.call("POST", "/api/tasks", ["title": "x"], as: ann, headers: named)
        expectRefused(answer, 400, "VALIDATION_ERROR")
        #expect(try bench.count("task") == 0)
    }

    @Test func `bytes that are not UTF-8 are no JSON`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let body = Array(#"{"title":""#.utf8) + [0xFF, 0xC0] + Array(#""}"#.utf8)
        expectRefused(try bench.send("POST", "/api/tasks", body, as: ann), 400, "VALIDATION_ERROR")
    }

    @Test(
        arguments: [
            ("title", [5, true, ["a"], ["a": 1], "a\u{0}b", "\u{0}"]), ("notes", [1, false]),
            ("short_title", [1]),
            ("priority", ["high", "3", true, 5, -1, .double(1.5)]),
            ("due_at", [5, "tomorrow", "2026-13-01", "0000-01-01T00:00:00Z", true]),
            ("deadline_at", [5, "soon", "2026-02-30"]),
            ("rrule", [5, "THIS IS NOT AN RRULE", "FREQ=SECONDLY"]),
            ("recurrence_mode", [1, "always"]), ("labels", ["home", [1], [["a"]], ["nolabel": 1]]),
            ("project_id", ["1", 0, -3, .double(1.5)]),
            ("auto_snooze_minutes", ["5", -1, 10_081, .double(0.5)]),
            ("is_reminder", [1, "true"]), ("is_tracked", [0]), ("progress_target", [0, 1001, "2"]),
            ("horizon", [1, "soon"]), ("short_months", [true, "first_day"]),
            ("quota_prompt_config", [1, "x", ["enabled": 1], ["slot": 1], ["numbers": ["0": 1]]]),
        ] as [(String, [JSONValue])])
    func `a field of the wrong type or value is 400 and named, on create and on edit`(
        _ field: String, _ values: [JSONValue]
    ) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make(by: ann)
        for value in values {
            var body: [String: JSONValue] = ["title": "x"]
            body[field] = value
            let created = try bench.call("POST", "/api/tasks", .object(body), as: ann)
            expectRefused(created, 400, "VALIDATION_ERROR")
            #expect(
                created.culprits.contains { $0.hasPrefix(field) }, "\(field) \(value): \(created.culprits)")

            let edited = try bench.call("PATCH", "/api/tasks/\(task.id)", .object([field: value]), as: ann)
            expectRefused(edited, 400, "VALIDATION_ERROR")
            #expect(edited.culprits.contains { $0.hasPrefix(field) }, "\(field) \(value): \(edited.culprits)")
        }
        #expect(try bench.count("task") == 1)
        #expect(try bench.get(task.id, as: ann).data == task.data)
    }

    @Test(arguments: ["title", "priority", "labels", "project_id", "recurrence_mode", "is_reminder"])
    func `null is refused where a field has no null`(_ field: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let answer = try bench.call("PATCH", "/api/tasks/\(id)", .object([field: .null]), as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: field)
    }

    @Test(arguments: ["", " \n\t ", "\u{3000}", String(repeating: "x", count: 10_001)])
    func `T-3: a title has 1 to 10,000 characters`(_ title: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/tasks", ["title": .string(title)], as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "title")
    }

    @Test func `T-3: lengths count code points, and 10,000 of them are taken`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let flags = String(repeating: "🇨🇭", count: 5000)
        #expect(try bench.make(flags, by: ann)["title"] == .string(flags))
    }

    @Test func `unknown keys are passed over`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/tasks", ["title": "x", "sauce": ["a": 1]], as: ann)
        #expect(answer.status == 201)
    }

    @Test(arguments: [
        "abc", "12abc", "-1", "0", "1.5", "%20", "99999999999999999999", "0x1", "１",
    ])
    func `1.4: an id is digits and above 0, on every route that has one`(_ id: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        for (method, rest) in [
            ("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/done"), ("POST", "/undone"),
            ("POST", "/snooze"), ("POST", "/restore"),
        ] {
            let target =
                "/api/tasks/"
                + id.utf8.map { $0 < 128 ? String(UnicodeScalar($0)) : "%\(String($0, radix: 16))" }.joined()
                + rest
            expectRefused(try bench.call(method, target, [:], as: ann), 400, "VALIDATION_ERROR")
        }
    }

    @Test func `an unknown id is 404, and so is another's, for every operation`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try bench.make(by: bob).id
        for target in ["/api/tasks/\(id)", "/api/tasks/4711"] {
            for (method, rest, body) in [
                ("GET", "", nil), ("PATCH", "", ["title": "mine"]), ("DELETE", "", nil),
                ("POST", "/done", nil),
                ("POST", "/undone", nil), ("POST", "/snooze", ["option": "60"]), ("POST", "/restore", nil),
            ] as [(String, String, JSONValue?)] {
                expectRefused(try bench.call(method, target + rest, body, as: ann), 404, "NOT_FOUND")
            }
        }
        #expect(try bench.item(id).version == 1)
    }

    @Test func `an unknown path is 404, a known one with another method 405 with Allow`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("GET", "/api/nothing", as: ann), 404, "NOT_FOUND")
        expectRefused(try bench.call("GET", "/api", as: ann), 404, "NOT_FOUND")
        expectRefused(try bench.call("GET", "/api/tasks/", as: ann), 404, "NOT_FOUND")
        for (method, path, allow) in [
            ("PUT", "/api/tasks", "GET, HEAD, POST"), ("POST", "/api/tasks/1", "DELETE, GET, HEAD, PATCH"),
            ("GET", "/api/tasks/1/done", "POST"), ("DELETE", "/api/health", "GET, HEAD"),
        ] {
            let answer = try bench.call(method, path, as: ann)
            expectRefused(answer, 405, "METHOD_NOT_ALLOWED")
            #expect(answer.header("Allow") == allow)
        }
    }

    @Test func `a body over its limit is 413 in the envelope`() throws {
        let bench = try Bench()
        #expect(bench.api.bodyLimit(method: "POST", path: "/api/tasks") == 1 << 20)
        let answer = try Answer(bench.api.refuse(.bodyTooLarge(limit: 1 << 20)))
        expectRefused(answer, 413, "PAYLOAD_TOO_LARGE")
        expectRefused(try Answer(bench.api.refuse(.malformed("x"))), 400, "VALIDATION_ERROR")
    }

    @Test(arguments: ["limit=0", "limit=x", "limit=1.5", "offset=-1", "project_id=0", "kind=chore"])
    func `1.6: a query value that cannot be is 400`(_ query: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("GET", "/api/tasks?\(query)", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `A1: healthy is who can ask the database`() throws {
        let bench = try Bench()
        let answer = try bench.call("GET", "/api/health")
        #expect(answer.status == 200)
        #expect(answer.body == ["status": "ok"])
    }

    @Test func `a failure of ours tells nothing but an id, which the log has too`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        _ = try bench.call("GET", "/api/tasks", as: ann)
        try bench.change("ALTER TABLE time_slot RENAME TO lost")
        let answer = try bench.call("POST", "/api/tasks", ["title": "my secret", "enrich": false], as: ann)
        expectRefused(answer, 500, "INTERNAL_ERROR")
        let text = try unwrap(answer.body?["error"]?.string)
        #expect(!text.contains("time_slot") && !text.contains("SQL"))
        let id = try unwrap(text.split(separator: " ").last)
        #expect(bench.log.all.contains { $0.contains("an operation failed") && $0.contains(id) })
        #expect(!bench.log.all.contains { $0.contains("my secret") })
        #expect(try bench.count("task") == 0)
    }
}
