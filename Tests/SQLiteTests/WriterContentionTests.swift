import Dispatch
import FoundationEssentials
import SQLite
import Synchronization
import Testing

@Suite("Writers that wait together")
struct WriterContentionTests {
    /// The process ended here with "closure argument was escaped": whoever led still held the change of a writer that
    /// it had woken. Since the first version of `Writer`.
    @Test func `each write of many threads is there, in the end, once`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "writer-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try Database(path: folder.path + "/test.db")
        try database.execute("PRAGMA synchronous=OFF; CREATE TABLE number (n INTEGER PRIMARY KEY) STRICT")
        let writer = Writer(database)
        let refused = Mutex(0)

        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for index in 0..<500 {
                do {
                    // Every tenth is taken already, and must not hurt the others of its batch.
                    let number = index % 10 == 9 && thread > 0 ? index : thread * 1000 + index
                    _ = try writer.write {
                        try $0.run("INSERT INTO number VALUES (?)", [.int(Int64(number))])
                    }
                } catch {
                    refused.withLock { $0 += 1 }
                }
            }
        }

        let count = Int(try writer.write { try $0.first("SELECT count(*) FROM number") { $0.int(0) } } ?? 0)
        // 50 numbers of thread 0, each also wanted by seven others: one of the eight gets each.
        #expect(count == 8 * 450 + 50)
        #expect(refused.withLock { $0 } == 7 * 50)
    }
}
