import CSQLite
import Glibc

/// One connection to a database file. Use it from one thread at a time; `Writer` and `ReaderPool` see to that.
///
/// Statements are prepared once and kept (https://www.sqlite.org/c3ref/prepare.html).
public final class Database {
    let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    public enum Mode: Sendable {
        case readWrite, readOnly
    }

    /// Opens or creates the file in WAL mode, `synchronous=FULL`, foreign keys on.
    ///
    /// - Parameter cacheKiB: page cache of this connection; small for the many readers.
    public init(path: String, mode: Mode = .readWrite, cacheKiB: Int = 2048) throws(SQLiteError) {
        var handle: OpaquePointer?
        let flags =
            (mode == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw SQLiteError(extendedCode: code, message: "\(message): \(path)")
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, 5000)
        if mode == .readWrite {
            try execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;")
        }
        try execute("PRAGMA foreign_keys=ON; PRAGMA cache_size=-\(cacheKiB); PRAGMA trusted_schema=OFF;")
        try addFold()
        try addSearchText()
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs a script of statements without parameters.
    public func execute(_ script: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, script) }
    }

    /// Runs one statement.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ arguments: [SQLValue] = []) throws(SQLiteError) -> Int {
        let statement = try prepare(sql, arguments)
        defer { reset(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw error(code, sql) }
        return Int(sqlite3_changes(handle))
    }

    /// All rows of a query, each mapped by `row`.
    public func query<T>(_ sql: String, _ arguments: [SQLValue] = [], row: (Row) -> T) throws(SQLiteError)
        -> [T]
    {
        var result: [T] = []
        try each(sql, arguments) { result.append(row($0)) }
        return result
    }

    /// The first row of a query, mapped by `row`; nil if there is none.
    public func first<T>(_ sql: String, _ arguments: [SQLValue] = [], row: (Row) -> T) throws(SQLiteError)
        -> T?
    {
        let statement = try prepare(sql, arguments)
        defer { reset(statement) }
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return nil }
        guard code == SQLITE_ROW else { throw error(code, sql) }
        return row(Row(statement: statement))
    }

    /// Calls `body` for each row of a query, without keeping them.
    public func each(_ sql: String, _ arguments: [SQLValue] = [], _ body: (Row) -> Void) throws(SQLiteError) {
        let statement = try prepare(sql, arguments)
        defer { reset(statement) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code, sql) }
            body(Row(statement: statement))
        }
    }

    /// The id of the row that the last INSERT made.
    public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether BEGIN is in force. SQLite itself rolls back after a full disk or an I/O error.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` between BEGIN and COMMIT; what it throws rolls everything back.
    public func transaction<T>(immediate: Bool = true, _ body: () throws -> T) throws -> T {
        try run(immediate ? "BEGIN IMMEDIATE" : "BEGIN")
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            if isInTransaction { try run("ROLLBACK") }
            throw error
        }
    }

    /// A consistent copy of the whole database, taken while others read and write (the online backup API). Only its
    /// owner can read it. It is there completely or not at all, whatever happens meanwhile.
    public func backup(to path: String) throws(SQLiteError) {
        let partial = path + ".partial"
        for name in [partial, partial + "-wal", partial + "-shm"] { unlink(name) }
        let file = open(partial, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.systemError("cannot make \(partial)") }
        close(file)
        try copy(to: partial)
        guard rename(partial, path) == 0 else { throw Self.systemError("cannot rename \(partial)") }
    }

    private func copy(to path: String) throws(SQLiteError) {
        let copy = try Database(path: path)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.error(sqlite3_extended_errcode(copy.handle), nil)
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw copy.error(code, nil) }
        // One file, which says nothing of a log beside it.
        try copy.execute("PRAGMA journal_mode=DELETE")
    }

    private static func systemError(_ what: String) -> SQLiteError {
        let code = errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_CANTOPEN
        return SQLiteError(extendedCode: code, message: "\(what): \(String(cString: strerror(errno)))")
    }

    private func prepare(_ sql: String, _ arguments: [SQLValue]) throws(SQLiteError) -> OpaquePointer {
        let statement: OpaquePointer
        if let kept = statements[sql] {
            statement = kept
        } else {
            var made: OpaquePointer?
            let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
            guard code == SQLITE_OK, let made else { throw error(code, sql) }
            statements[sql] = made
            statement = made
        }
        for (index, argument) in arguments.enumerated() {
            let code = bind(argument, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else {
                reset(statement)
                throw error(code, sql)
            }
        }
        return statement
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .int(let value): sqlite3_bind_int64(statement, index, value)
        case .real(let value): sqlite3_bind_double(statement, index, value)
        case .text(var value):
            value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty buffer has no address; NULL would bind as SQL NULL.
                    sqlite3_bind_text(
                        statement, index, $0.baseAddress ?? emptyText, Int32($0.count), transient)
                }
            }
        case .blob(let value):
            value.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : sqlite3_bind_blob(statement, index, value, Int32(value.count), transient)
        }
    }

    private func reset(_ statement: OpaquePointer) {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func error(_ code: Int32, _ sql: String?) -> SQLiteError {
        SQLiteError(extendedCode: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }
}

/// SQLITE_TRANSIENT: SQLite copies the bytes before the call returns. The macro is a cast that Swift cannot import.
let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
// A constant of the C library that lives as long as the program and is never written.
nonisolated(unsafe) let emptyText = sqlite3_libversion() + strlen(sqlite3_libversion())
