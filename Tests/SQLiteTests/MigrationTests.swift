import Dispatch
import FoundationEssentials
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite("Migrations")
struct MigrationTests {
    private let folder = TemporaryFolder()
    private let first = "CREATE TABLE a (n INTEGER) STRICT; INSERT INTO a VALUES (1)"
    private let second = "ALTER TABLE a ADD COLUMN m TEXT"

    private func open() throws -> Database { try Database(path: folder.file("test.db")) }

    private func version(_ database: Database) throws -> Int64? {
        try database.first("PRAGMA user_version") { $0.int(0) }
    }

    @Test func `a new file gets every step, an old one those that it lacks, each once`() throws {
        let path = folder.file("test.db")
        do {
            let database = try open()
            try Migrations([first]).migrate(database, backup: path)
            #expect(try version(database) == 1)
            try Migrations([first]).migrate(database, backup: path)
            #expect(try database.query("SELECT n FROM a") { $0.int(0) } == [1])
        }
        #expect(!FileManager.default.fileExists(atPath: path + ".before-2"))
        let database = try open()
        try Migrations([first, second]).migrate(database, backup: path)
        #expect(try version(database) == 2)
        #expect(try database.query("SELECT m IS NULL FROM a") { $0.bool(0) } == [true])
        // The backup is the file as it was.
        let backup = try Database(path: path + ".before-2", mode: .readOnly)
        #expect(try version(backup) == 1)
        #expect(try backup.query("SELECT n FROM a") { $0.int(0) } == [1])
        #expect(throws: SQLiteError.self) { try backup.query("SELECT m FROM a") { $0.text(0) } }
    }

    @Test func `a step that fails leaves the file at the version before`() throws {
        let database = try open()
        #expect(throws: SQLiteError.self) {
            try Migrations([first, "CREATE TABLE b (n INTEGER) STRICT; NONSENSE"]).migrate(database)
        }
        #expect(try version(database) == 1)
        #expect(try database.first("SELECT count(*) FROM sqlite_schema WHERE name = 'b'") { $0.int(0) } == 0)
        try Migrations([first, second]).migrate(database)
        #expect(try version(database) == 2)
    }

    @Test(arguments: [3, 1000, -1])
    func `a file of a newer release is refused with words, and left as it is`(_ number: Int) throws {
        let path = folder.file("test.db")
        try open().execute("CREATE TABLE later (n INTEGER) STRICT; PRAGMA user_version=\(number)")
        let before = try Data(contentsOf: URL(filePath: path))
        let error = #expect(throws: SchemaIsNewer.self) {
            try Migrations([first, second]).migrate(try open(), backup: path)
        }
        #expect(error?.found == number && error?.known == 2)
        #expect(error?.description.contains("version \(number)") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(!FileManager.default.fileExists(atPath: path + ".before-2"))
    }

    @Test func `two processes that start together migrate once`() throws {
        let steps = (1...20).map { "CREATE TABLE t\($0) (n INTEGER) STRICT; INSERT INTO t\($0) VALUES (1)" }
        let errors = Mutex<[String]>([])
        let path = folder.file("test.db")
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            do {
                try Migrations(steps).migrate(try Database(path: path))
            } catch {
                errors.withLock { $0.append("\(error)") }
            }
        }
        #expect(errors.withLock { $0 } == [])
        #expect(try open().first("SELECT sum(t1.n) FROM t1, t20") { $0.int(0) } == 1)
        #expect(try version(open()) == 20)
    }
}
