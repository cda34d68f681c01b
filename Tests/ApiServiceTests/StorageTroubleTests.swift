import ApiService
import ApiStore
import FoundationEssentials
import JSON
import SQLite
import Testing

@Suite("api 1.3, 507 and 503 A database that is held or damaged")
struct StorageTroubleTests {
    private func message(_ bench: Bench) throws -> String {
        let health = try bench.call("GET", "/api/health")
        guard health.status == 503 else { return "\(health.status)" }
        #expect(health.body?["status"] == "error")
        return health.body?["message"]?.string ?? ""
    }

    @Test
    func `while another program holds the file changes are refused, reading goes on; then it works again`()
        throws
    {
        let live = try LiveBench()
        let bench = live.bench
        let ann = live.ann
        let id = try bench.make("kept", by: ann).id
        let reader = try live.open()
        #expect(try reader.next()?.data["type"] == "connected")
        let other = try Database(path: bench.store.path)
        try other.execute("BEGIN IMMEDIATE")
        let refused = try bench.call("PATCH", "/api/tasks/\(id)", ["title": "lost"], as: ann)
        expectRefused(refused, 507, "INSUFFICIENT_STORAGE")
        #expect(refused.body?["error"]?.string?.hasPrefix("Another program holds the database") == true)
        #expect(try bench.get(id, as: ann)["title"] == "kept")
        bench.advance(seconds: 3600)  // the use of the token would be noted
        #expect(try bench.call("GET", "/api/tasks", as: ann)["count"] == 1)
        #expect(try message(bench) == "Another program holds the database: changes are refused")

        try other.execute("ROLLBACK")
        #expect(try message(bench) == "200", "found out by trying")
        try bench.patch(id, ["title": "changed"], as: ann)
        #expect(try reader.next()?.data["type"] == "sync")
        #expect(bench.log.all.count { $0.contains("the storage fails") } == 1)
    }

    /// A copy of the bench's file whose first page of `table` is no page.
    private func damaged(_ table: String, of bench: Bench) throws -> Bench {
        try bench.change("PRAGMA wal_checkpoint(TRUNCATE)")
        let root = try unwrap(
            Int(try bench.rows("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0]))
        let size = try unwrap(Int(try bench.rows("PRAGMA page_size")[0]))
        var bytes = try Data(contentsOf: URL(filePath: bench.store.path))
        bytes.replaceSubrange((root - 1) * size..<root * size, with: Data(repeating: 0x55, count: size))
        let path = bench.folder + "/damaged.db"
        try bytes.write(to: URL(filePath: path))
        return try Bench(["OPENTASK_DB_PATH": path])
    }

    @Test func `a damaged page: what needs it is refused and changes nothing, all else goes on`() throws {
        let whole = try Bench()
        let ann = try whole.add()
        let id = try whole.make("kept", by: ann).id
        let bench = try damaged("undo", of: whole)
        for _ in 1...2 {
            let answer = try bench.call("PATCH", "/api/tasks/\(id)", ["title": "lost"], as: ann)
            expectRefused(answer, 507, "INSUFFICIENT_STORAGE")
            #expect(answer.body?["error"]?.string?.hasPrefix("The database is damaged") == true)
        }
        #expect(try bench.get(id, as: ann)["title"] == "kept")
        #expect(try bench.call("GET", "/api/tasks", as: ann)["count"] == 1)
        #expect(bench.log.all.count { $0.contains("the storage fails") } == 1)
        expectRefused(try bench.call("GET", "/api/undo/history", as: ann), 503, "SERVICE_UNAVAILABLE")
        #expect(try message(bench) == "The database is damaged: changes are refused")
    }

    @Test func `a damaged page of the tasks: reading them is a 503 with a sentence, never half a list`()
        throws
    {
        let whole = try Bench()
        let ann = try whole.add()
        try whole.make("gone", by: ann)
        let bench = try damaged("task", of: whole)
        let answer = try bench.call("GET", "/api/tasks?limit=5", as: ann)
        expectRefused(answer, 503, "SERVICE_UNAVAILABLE")
        expectRefused(
            try bench.call("POST", "/api/tasks", ["title": "new", "enrich": false], as: ann), 507,
            "INSUFFICIENT_STORAGE")
        #expect(try message(bench) == "The database is damaged: changes are refused")
    }
}
