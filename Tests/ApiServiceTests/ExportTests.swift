import ApiStore
import Domain
import FoundationEssentials
import HTTPServer
import JSON
import Testing
import Time

@Suite("A64 Export")
struct ExportTests {
    /// A file that goes out in pieces.
    private struct File {
        let status: Int
        let headers: [(name: String, value: String)]
        let pieces: HTTPPieces

        init(_ bench: Bench, _ query: String, as person: Bench.Person) throws {
            let response = try bench.respond(
                "GET", "/api/export\(query)", headers: [("Authorization", "Bearer \(person.token)")])
            guard case .pieces(let pieces) = response.body else {
                throw Missing(description: "pieces: \(response.status)")
            }
            status = response.status
            headers = response.headers
            self.pieces = pieces
        }

        func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

        func rest() throws -> [UInt8] {
            var all: [UInt8] = []
            while let piece = try pieces.next() { all += piece }
            return all
        }

        func json() throws -> JSONValue { try unwrap(try JSONValue(parsing: try rest())["data"]) }

        func text() throws -> String { String(decoding: try rest(), as: UTF8.self) }
    }

    /// `count` more rows like the task `id`.
    private func multiply(_ id: Int64, by count: Int, in bench: Bench) throws {
        let columns = try bench.rows(
            "SELECT name FROM pragma_table_info('task') WHERE name NOT IN ('id', 'title')")
        let list = columns.joined(separator: ", ")
        try bench.change(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO task (title, \(list)) SELECT 'n' || i, \(list) FROM n, task WHERE task.id = \(id)
            """)
    }

    @Test func `JSON: tasks in any state, projects, completions, and the time`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "Bob's", "shared": true], as: bob)
        _ = try bench.call("POST", "/api/projects", ["name": "Other", "shared": true], as: bob)
        let open = try bench.make(
            "open", ["project_id": .int(shared.id), "due_at": .local("09:00")], by: ann)
        let done = try bench.make("done", ["due_at": .local("09:30")], by: ann)
        try bench.act("done", done.id, as: ann)
        let gone = try bench.make("gone", by: ann)
        try bench.trash(gone.id, as: ann)
        let reminder = try bench.make("thought", ["is_reminder": true], by: ann)
        try bench.make("bob's", ["project_id": .int(shared.id)], by: bob)

        let file = try File(bench, "", as: ann)
        #expect(file.status == 200)
        #expect(file.header("Content-Type") == "application/json")
        #expect(file.header("Cache-Control") == "no-store")
        let data = try file.json()
        #expect(
            Set(data.object?.keys.map { $0 } ?? []) == ["tasks", "projects", "completions", "exported_at"])
        let expected = try [open, done, gone, reminder].map { try bench.get($0.id, as: ann).data }
        #expect(data["tasks"]?.array == expected)
        #expect(data["projects"]?.array?.map { $0["name"] } == ["Inbox", "Bob's"])
        #expect(
            data["projects"]?.array?.last
                == (try bench.call("GET", "/api/projects/\(shared.id)", as: ann).data))
        #expect(
            data["completions"]?.array == [
                [
                    "id": 1, "task_id": .int(done.id), "user_id": .int(ann.id.rawValue),
                    "completed_at": .local("10:00"), "due_at_was": .local("09:30"), "due_at_next": .null,
                ]
            ])
        #expect(data["exported_at"] == .local("10:00"))
    }

    @Test func `JSON: of an empty account, and of one with a thousand tasks and completions`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let empty = try File(bench, "?format=json", as: bob).json()
        #expect(empty["tasks"] == [] && empty["completions"] == [])
        #expect(empty["projects"]?.array?.count == 1)

        let id = try bench.make("n0", ["notes": .string(String(repeating: "ü", count: 2000))], by: ann).id
        try multiply(id, by: 999, in: bench)
        try bench.change(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
            INSERT INTO completion (task_id, user_id, completed_at)
            SELECT \(id), \(ann.id.rawValue), i / 300 FROM n
            """)
        let file = try File(bench, "", as: ann)
        var bytes: [UInt8] = []
        var longest = 0
        while let piece = try file.pieces.next() {
            longest = max(longest, piece.count)
            bytes += piece
        }
        let data = try unwrap(try JSONValue(parsing: bytes)["data"])
        let titles = data["tasks"]?.array?.compactMap { $0["title"]?.string } ?? []
        #expect(titles == (0...999).map { "n\($0)" })
        let rows = data["completions"]?.array?.compactMap { $0["id"]?.int } ?? []
        #expect(rows == Array(1...1000))
        // Some twenty pages at the least are never held together.
        #expect(bytes.count > 4_000_000 && longest < 250_000)
    }

    @Test func `it is of one moment, whatever happens while it goes out`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("n0", by: ann).id
        try multiply(id, by: 200, in: bench)
        let file = try File(bench, "", as: ann)
        var text = String(decoding: try unwrap(try file.pieces.next()), as: UTF8.self)
        text += String(decoding: try unwrap(try file.pieces.next()), as: UTF8.self)
        try bench.change("UPDATE task SET title = 'late' WHERE id > 100; DELETE FROM task WHERE id > 150")
        try bench.make("later", by: ann)
        text += try file.text()
        let data = try unwrap(try JSONValue(parsing: Array(text.utf8))["data"])
        let titles = data["tasks"]?.array?.compactMap { $0["title"]?.string } ?? []
        #expect(titles == (0...200).map { "n\($0)" })
    }

    @Test func `CSV of tasks: the columns in their order, RFC 4180, dangerous cells made harmless`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for name in ["=home", "work"] {
            _ = try bench.call("POST", "/api/labels", ["name": .string(name)], as: ann)
        }
        let notes = "says \"hi\",\r\nand\nmore; ünï 日本"
        let task = try bench.make(
            "=1+1",
            [
                "notes": .string(notes), "labels": ["=home", "work"], "deadline_at": "2026-10-20T18:00",
                "due_at": .local("10-16 09:00"), "priority": 2,
            ], by: ann)
        let plain = try bench.make("plain", by: ann)
        let file = try File(bench, "?format=csv&type=tasks", as: ann)
        #expect(file.header("Content-Type") == "text/csv; charset=utf-8")
        #expect(
            file.header("Content-Disposition")
                == "attachment; filename=\"opentask-tasks-2026-10-14.csv\"")
        let stamp = "2026-10-14T15:00:00.000Z"
        let expected = [
            "\"id\",\"title\",\"done\",\"priority\",\"due_at\",\"rrule\",\"project_id\",\"labels\",\"notes\","
                + "\"created_at\",\"updated_at\",\"is_recurring\",\"is_snoozed\",\"deleted_at\",\"archived_at\","
                + "\"deadline_at\"",
            "\"\(task.id)\",\"'=1+1\",\"false\",\"2\",\"2026-10-16T14:00:00.000Z\",\"\",\"\(ann.inbox)\","
                + "\"'=home;work\",\"says \"\"hi\"\",\r\nand\nmore; ünï 日本\",\"\(stamp)\",\"\(stamp)\",\"false\","
                + "\"false\",\"\",\"\",\"2026-10-20T23:00:00.000Z\"",
            "\"\(plain.id)\",\"plain\",\"false\",\"0\",\"\",\"\",\"\(ann.inbox)\",\"\",\"\",\"\(stamp)\","
                + "\"\(stamp)\",\"false\",\"false\",\"\",\"\",\"\"",
        ]
        #expect(try file.text() == expected.map { $0 + "\r\n" }.joined())
        // Exact in JSON.
        let json = try File(bench, "", as: ann).json()["tasks"]?.array?.first
        #expect(json?["title"] == "=1+1" && json?["notes"] == .string(notes))
    }

    @Test(arguments: [
        ("=1", "'=1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("\tx", "'\tx"), ("\rx", "'\rx"),
        ("'=1", "'=1"), ("1=1", "1=1"), (" =1", " =1"), ("x@y", "x@y"),
    ])
    func `CSV: a cell that a spreadsheet would run gets an apostrophe, no other one`(
        _ notes: String, _ cell: String
    ) throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.make("t", ["notes": .string(notes)], by: ann)
        let text = try File(bench, "?format=csv&type=tasks", as: ann).text()
        #expect(text.contains(",\"\(cell)\",\"2026-"))
    }

    @Test func `CSV of projects, with the user's own date in the name`() throws {
        let bench = try Bench()
        let ann = try bench.add("ann", zone: "Asia/Tokyo")
        let answer = try bench.call(
            "POST", "/api/projects", ["name": "-House", "color": "red"], as: ann)
        try bench.make("x", ["project_id": .int(answer.id), "due_at": .local("09:00")], by: ann)
        let file = try File(bench, "?format=csv&type=projects", as: ann)
        #expect(
            file.header("Content-Disposition")
                == "attachment; filename=\"opentask-projects-2026-10-15.csv\"")
        let stamp = "2026-10-14T15:00:00.000Z"
        #expect(
            try file.text() == """
                "id","name","sort_order","color","active_count","overdue_count","created_at"\r
                "\(ann.inbox)","Inbox","0","","0","0","\(stamp)"\r
                "\(answer.id)","'-House","1","red","1","1","\(stamp)"\r

                """)
    }

    @Test(arguments: ["?format=xml", "?format=csv", "?format=csv&type=labels", "?type=x", "?format="])
    func `other values are refused`(_ query: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(try bench.call("GET", "/api/export\(query)", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `few go out at once; one that has ended, or whose reader is gone, makes room`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var files = try (1...4).map { _ in try File(bench, "", as: ann) }
        let refused = try bench.call("GET", "/api/export", as: ann)
        expectRefused(refused, 503, "SERVICE_UNAVAILABLE")
        #expect(refused.header("Retry-After") != nil)
        _ = try files[0].rest()
        let next = try File(bench, "", as: ann)
        #expect(try bench.call("GET", "/api/export", as: ann).status == 503)
        files.removeLast()
        #expect(try File(bench, "", as: ann).rest().isEmpty == false)
        #expect(try next.rest().isEmpty == false)
    }
}
