import SQLite
import TestSupport
import Testing

@Suite("A connection")
struct DatabaseTests {
    private let folder = TemporaryFolder()

    private func open(_ name: String = "test.db") throws -> Database {
        try Database(path: folder.file(name))
    }

    @Test(
        arguments: [
            .null, .int(0), .int(.min), .int(.max), .real(0.1), .real(-1e300), .text(""),
            .text("ä\u{1F600}\u{0}b"),
            .blob([]), .blob([0, 255, 0]),
        ] as [SQLValue])
    func `every value comes back as it was`(_ value: SQLValue) throws {
        let database = try open()
        try database.execute("CREATE TABLE v (v ANY) STRICT")
        try database.run("INSERT INTO v VALUES (?)", [value])
        let back = try database.first("SELECT v, typeof(v) FROM v") { row -> SQLValue in
            switch row.text(1) {
            case "null": .null
            case "integer": .int(row.int(0))
            case "real": .real(row.real(0))
            case "text": .text(row.text(0))
            default: .blob(row.blob(0))
            }
        }
        #expect(back == value)
    }

    @Test func `durable, and with foreign keys`() throws {
        let database = try open()
        func pragma(_ name: String) throws -> String? {
            try database.first("PRAGMA \(name)") { $0.text(0) }
        }
        #expect(try pragma("journal_mode") == "wal")
        #expect(try pragma("synchronous") == "2", "FULL: what was committed is there after the power went")
        #expect(try pragma("foreign_keys") == "1")
        #expect(try pragma("trusted_schema") == "0")
    }

    @Test func `a transaction that throws leaves nothing, and its connection goes on`() throws {
        struct Stop: Error {}
        let database = try open()
        try database.execute("CREATE TABLE n (n INTEGER PRIMARY KEY) STRICT")
        #expect(throws: Stop.self) {
            try database.transaction {
                try database.run("INSERT INTO n VALUES (1)")
                throw Stop()
            }
        }
        #expect(!database.isInTransaction)
        try database.transaction { _ = try database.run("INSERT INTO n VALUES (2)") }
        #expect(try database.query("SELECT n FROM n") { $0.int(0) } == [2])
    }

    @Test func `an error has the code, the words and the statement, and never what was bound`() throws {
        let database = try open()
        try database.execute("CREATE TABLE t (name TEXT PRIMARY KEY, n INTEGER CHECK (n > 0)) STRICT")
        let insert = "INSERT INTO t VALUES (?, ?)"
        try database.run(insert, ["my secret", 1])
        let twice = #expect(throws: SQLiteError.self) { try database.run(insert, ["my secret", 1]) }
        #expect(twice?.isUnique == true && twice?.isConstraint == true && twice?.isFull == false)
        let refused = #expect(throws: SQLiteError.self) { try database.run(insert, ["my secret2", 0]) }
        #expect(refused?.isConstraint == true && refused?.isUnique == false)
        for error in [twice, refused] {
            #expect(error?.description.contains("secret") == false)
            #expect(error?.description.contains(insert) == true)
        }
        let syntax = #expect(throws: SQLiteError.self) { try database.run("SELEKT 1") }
        #expect(syntax?.code == 1)
        // A statement that failed can be used again.
        try database.run(insert, ["other", 2])
    }

    @Test func `what is no database is refused with the path`() throws {
        #expect(throws: SQLiteError.self) { try Database(path: "/nowhere/at/all.db") }
        let database = try open()
        #expect(throws: SQLiteError.self) {
            try Database(path: folder.file("missing.db"), mode: .readOnly)
        }
        _ = database
    }

    @Test func `a full file is told apart, everything is rolled back, and after room is made it goes on`()
        throws
    {
        let database = try open()
        try database.execute("CREATE TABLE b (b BLOB) STRICT; PRAGMA max_page_count=20")
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction {
                for _ in 1...100 {
                    try database.run("INSERT INTO b VALUES (?)", [.blob([UInt8](repeating: 7, count: 4000))])
                }
            }
        }
        #expect(error?.isFull == true)
        #expect(!database.isInTransaction)
        #expect(try database.first("SELECT count(*) FROM b") { $0.int(0) } == 0)
        try database.execute("PRAGMA max_page_count=1000")
        try database.run("INSERT INTO b VALUES (x'00')")
        #expect(try database.first("SELECT count(*) FROM b") { $0.int(0) } == 1)
    }

    @Test(arguments: [
        ("ÄPFEL", "äpfel"), ("ЖУК", "жук"), ("İ", "i\u{307}"), ("ABC xyz", "abc xyz"), ("", ""),
        ("123", "123"),
    ])
    func `fold is without case in every script, as the function of the same name`(
        _ text: String, _ folded: String
    ) throws {
        let database = try open()
        #expect(try database.first("SELECT fold(?)", [.text(text)]) { $0.text(0) } == folded)
        #expect(foldCase(text) == folded)
    }

    @Test func `fold of NULL is NULL, and no schema can come to depend on it`() throws {
        let database = try open()
        #expect(try database.first("SELECT fold(NULL) IS NULL") { $0.bool(0) } == true)
        try database.execute("CREATE TABLE t (t TEXT) STRICT")
        #expect(throws: SQLiteError.self) { try database.execute("CREATE INDEX i ON t (fold(t))") }
    }

    @Test func `a reader sees one committed state, however long it looks`() throws {
        let database = try open()
        try database.execute("CREATE TABLE n (n INTEGER) STRICT")
        let pool = ReaderPool(path: folder.file("test.db"))
        try pool.read { reader in
            #expect(try reader.first("SELECT count(*) FROM n") { $0.int(0) } == 0)
            try database.run("INSERT INTO n VALUES (1)")
            #expect(try reader.first("SELECT count(*) FROM n") { $0.int(0) } == 0)
            #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO n VALUES (2)") }
        }
        #expect(try pool.read { try $0.first("SELECT count(*) FROM n") { $0.int(0) } } == 1)
    }

    @Test func `a reader that throws gives its connection back in order`() throws {
        struct Stop: Error {}
        _ = try open()
        let pool = ReaderPool(path: folder.file("test.db"))
        for _ in 1...3 {
            #expect(throws: Stop.self) {
                try pool.read { reader in
                    _ = try reader.first("SELECT 1") { $0.int(0) }
                    throw Stop()
                }
            }
        }
        #expect(try pool.read { try $0.first("SELECT 7") { $0.int(0) } } == 7)
    }
}
