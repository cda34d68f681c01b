/// What SQLite refused, and with which words. Arguments are never part of it: they may be people's words.
public struct SQLiteError: Error, Hashable, CustomStringConvertible {
    /// Primary result code, https://www.sqlite.org/rescode.html.
    public var code: Int32 { extendedCode & 0xFF }
    public let extendedCode: Int32
    public let message: String
    /// The statement's text; nil when no statement was involved.
    public let sql: String?

    public init(extendedCode: Int32, message: String, sql: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    /// SQLITE_FULL: the disk has no room. Nothing was written.
    public var isFull: Bool { code == 13 }
    /// SQLITE_BUSY or SQLITE_LOCKED: somebody else holds the file.
    public var isBusy: Bool { code == 5 || code == 6 }
    /// SQLITE_CORRUPT or SQLITE_NOTADB.
    public var isCorrupt: Bool { code == 11 || code == 26 }
    /// SQLITE_READONLY, SQLITE_IOERR or SQLITE_CANTOPEN: the disk does not do what it is asked.
    public var isDisk: Bool { code == 8 || code == 10 || code == 14 }
    /// SQLITE_CONSTRAINT of any kind.
    public var isConstraint: Bool { code == 19 }
    /// SQLITE_CONSTRAINT_UNIQUE or _PRIMARYKEY.
    public var isUnique: Bool { extendedCode == 2067 || extendedCode == 1555 }

    public var description: String {
        "SQLite \(extendedCode): \(message)" + (sql.map { " in: \($0.prefix(200))" } ?? "")
    }
}
