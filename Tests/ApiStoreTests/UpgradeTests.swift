import ApiStore
import Domain
import FoundationEssentials
import Glibc
import SQLite
import TestSupport
import Testing
import Time

@Suite("Upgrades of opentask.db")
struct UpgradeTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.file("opentask.db") }

    /// A file as the first release leaves it.
    private func makeFirst(_ path: String) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "version-1.sql")
        try Database(path: path).execute(try String(contentsOf: script, encoding: .utf8))
    }

    private func query(_ path: String, _ sql: String) throws -> [String] {
        try Database(path: path, mode: .readOnly).query(sql) { $0.text(0) }
    }

    private func status(_ path: String) throws -> stat {
        var found = stat()
        try #require(stat(path, &found) == 0)
        return found
    }

    private func expectUpgraded(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try Store(path: path)
        #expect(try query(path, "PRAGMA user_version") == ["2"], sourceLocation: sourceLocation)
        #expect(try query(path, "PRAGMA integrity_check") == ["ok"], sourceLocation: sourceLocation)
        #expect(
            try query(path, "SELECT title FROM task ORDER BY id") == [
                "Café con leche", "Paint the fence", "Bought milk", "Thrown away",
            ], sourceLocation: sourceLocation)
        for (typed, id) in [("cafe", 1), ("grun coats", 2)] as [(String, Int64)] {
            var filter = TaskFilter()
            filter.search = Search(typed)
            let found = try store.read {
                try $0.taskStamps(
                    filter, visibleTo: UserID(rawValue: 1), now: Instant(seconds: 1_790_001_000))
            }
            #expect(found.map(\.id.rawValue) == [id], "\(typed)", sourceLocation: sourceLocation)
        }
        try Database(path: path).execute("INSERT INTO task_text (task_text) VALUES ('integrity-check')")
    }

    @Test func `the first release's file is upgraded, its words are found, and it is kept as it was`() throws
    {
        try makeFirst(path)
        try expectUpgraded()
        let backup = path + ".before-2"
        #expect(try query(backup, "PRAGMA user_version") == ["1"])
        #expect(try query(backup, "PRAGMA integrity_check") == ["ok"])
        #expect(try query(backup, "SELECT count(*) FROM task") == ["4"])
        #expect(try query(backup, "SELECT count(*) FROM sqlite_schema WHERE name = 'task_text'") == ["0"])
        #expect(try status(backup).st_mode & 0o777 == 0o600, "it holds all that the file holds")
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(beside.filter { $0.contains("partial") || $0.hasPrefix("opentask.db.before-2-") } == [])
    }

    @Test func `a backup that was cut off is taken again`() throws {
        try makeFirst(path)
        for end in ["", "-wal", "-shm"] {
            try Data("half a backup".utf8).write(to: URL(filePath: path + ".before-2.partial" + end))
        }
        try expectUpgraded()
        #expect(try query(path + ".before-2", "SELECT count(*) FROM task") == ["4"])
    }

    @Test func `an upgrade that was cut off leaves the file as it was, and is done at the next start`() throws
    {
        // The files as they lie on the disk while the step's transaction is under way: what a kill leaves.
        let cutOff = folder.file("cut-off.db")
        try makeFirst(cutOff)
        let upgrading = try Database(path: cutOff, cacheKiB: 8)
        try upgrading.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE task_text_half (t TEXT) STRICT;
            UPDATE task SET title = 'half';
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO task_text_half SELECT hex(randomblob(50)) FROM n;
            """)
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: cutOff + end, toPath: path + end)
        }
        #expect(try status(path + "-wal").st_size > 100_000, "pages have been written")
        try expectUpgraded()
    }

    @Test(arguments: [
        "PRAGMA user_version = 3", "PRAGMA user_version = 1000",
    ])
    func `a newer release's file is refused for good, and left as it is`(_ script: String) throws {
        try makeFirst(path)
        try Database(path: path).execute(script)
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: StoreUnusable.self) { try Store(path: path) }
        #expect(error?.description.contains("install the release that wrote it") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func `what is no database is refused for good`() throws {
        try Data(repeating: 0x55, count: 8192).write(to: URL(filePath: path))
        let error = #expect(throws: StoreUnusable.self) { try Store(path: path) }
        #expect(error?.description.contains(path) == true)
    }
}
