import Domain
import JSON
import TestSupport
import Testing
import Time

@Suite("api 1.3, 507 A full disk", .enabled(if: SmallDisk.isAllowed, "may not mount a file system here"))
struct FullDiskTests {
    @Test func `writes are refused and leave nothing, reads go on, and with room it works again`() throws {
        let disk = try SmallDisk()
        let bench = try Bench(["OPENTASK_DB_PATH": disk.path + "/opentask.db"])
        let ann = try bench.add()
        let id = try bench.make("kept", ["due_at": .local("09:00")], by: ann).id
        let health = { try bench.call("GET", "/api/health") }
        #expect(try health().status == 200)
        try disk.fill()
        let long = JSONValue.string(String(repeating: "x", count: 90_000))
        var refused = 0
        for _ in 1...20 {
            let answer = try bench.call(
                "POST", "/api/tasks", ["title": "lost", "notes": long, "enrich": false], as: ann)
            guard answer.status != 201 else { continue }  // what the write-ahead log had room for
            expectRefused(answer, 507, "INSUFFICIENT_STORAGE")
            refused += 1
        }
        #expect(refused > 0)
        let count = try bench.count("task")
        #expect(try bench.count("undo") == count, "with each task its entry, with none else")
        #expect(try bench.get(id, as: ann)["title"] == "kept")
        // Also a quarter of an hour later, when the use of the token would be noted.
        bench.advance(seconds: 3600)
        #expect(try bench.call("GET", "/api/tasks/counts", as: ann).status == 200)
        #expect(bench.log.all.count { $0.contains("the storage fails") && $0.contains("13") } == 1)
        #expect(try health().status == 503)
        #expect(try health().body?["message"]?.string?.hasPrefix("The disk is full") == true)

        disk.makeRoom()
        #expect(try bench.make("found", by: ann).status == 201)
        #expect(try bench.act("done", id, as: ann)["done"] == true)
        #expect(try health().status == 200)
        #expect(try bench.rows("PRAGMA integrity_check") == ["ok"])
        try bench.change("INSERT INTO task_text (task_text) VALUES ('integrity-check')")
    }
}
