import Dispatch
import FoundationEssentials
import SQLite
import Synchronization
import TestSupport
import Testing

@Suite("A-12 Readers")
struct ReaderPoolTests {
    /// Two rows that every change keeps equal.
    private func database(_ folder: TemporaryFolder) throws -> (path: String, writer: Writer) {
        let path = folder.file("test.db")
        let database = try Database(path: path)
        try database.execute(
            "PRAGMA synchronous=OFF; CREATE TABLE pair (id INTEGER PRIMARY KEY, n INTEGER) STRICT;"
                + "INSERT INTO pair VALUES (1, 0), (2, 0)")
        return (path, Writer(database))
    }

    @Test func `many threads read, and none sees half a change`() throws {
        let folder = TemporaryFolder()
        let (path, writer) = try database(folder)
        // Fewer places than threads: connections are taken from others' places, and some are closed.
        let pool = ReaderPool(path: path, keeping: 3)
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 12) { thread in
            for _ in 0..<200 {
                do {
                    if thread == 0 {
                        try writer.write { _ = try $0.run("UPDATE pair SET n = n + 1") }
                    } else {
                        let seen = try pool.read { database in
                            let first = try database.first("SELECT n FROM pair WHERE id = 1") { $0.int(0) }
                            return (
                                first, try database.first("SELECT n FROM pair WHERE id = 2") { $0.int(0) }
                            )
                        }
                        if seen.0 != seen.1 { problems.withLock { $0.append("\(seen)") } }
                    }
                } catch {
                    problems.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(try pool.read { try $0.first("SELECT n FROM pair") { $0.int(0) } } == 200)
    }

    @Test func `what was thrown inside a read goes out, and the connection is good for the next`() throws {
        struct Stop: Error {}
        let folder = TemporaryFolder()
        let (path, writer) = try database(folder)
        let pool = ReaderPool(path: path, keeping: 1)
        #expect(throws: Stop.self) {
            try pool.read { database in
                _ = try database.first("SELECT n FROM pair") { $0.int(0) }
                throw Stop()
            }
        }
        // A read that was left open would go on to see the state of then.
        try writer.write { _ = try $0.run("UPDATE pair SET n = 7") }
        #expect(try pool.read { try $0.first("SELECT n FROM pair") { $0.int(0) } } == 7)
    }

    @Test func `reads inside reads have connections of their own, and all end with the pool`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("test.db")
        var writer: Writer? = try database(folder).writer
        do {
            let pool = ReaderPool(path: path, keeping: 2)
            // Five at once, of which two are kept.
            func read(_ depth: Int) throws -> [Int64?] {
                try pool.read { database in
                    let seen = try database.first("SELECT n FROM pair") { $0.int(0) }
                    return [seen] + (depth > 1 ? try read(depth - 1) : [])
                }
            }
            #expect(try read(5) == [0, 0, 0, 0, 0])
            #expect(try read(5) == [0, 0, 0, 0, 0])
        }
        // The last connection to close takes the journal with it (https://www.sqlite.org/wal.html section 2.1).
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        _ = try writer?.write { try $0.run("UPDATE pair SET n = 1") }
        writer = nil
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }
}
