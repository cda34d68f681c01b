import Domain
import SQLite
public import Time

/// opentask.db: its only writer and reader. `read { }` and `write { }` are the only doors.
public final class Store: Sendable {
    /// Where the file lies.
    public let path: String
    private let writer: Writer
    private let readers: ReaderPool
    let allowsQuotaPrompts: Bool

    /// Opens the file, making it and its tables if it is new.
    ///
    /// - Parameter quotaPrompts: false: no quota reminders for anyone.
    /// - Throws: `SQLiteError`; `SchemaIsNewer` when a newer release wrote it.
    public init(path: String, quotaPrompts: Bool = true) throws {
        self.path = path
        allowsQuotaPrompts = quotaPrompts
        let database = try Database(path: path)
        try Schema.migrations.migrate(database, backup: path)
        writer = Writer(database)
        readers = ReaderPool(path: path)
    }

    /// One committed state, for as long as the closure runs.
    ///
    /// - Throws: what `body` throws; `StoreFailure` for what the database refuses.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        do {
            return try readers.read { try body(Snapshot($0, allowsQuotaPrompts: allowsQuotaPrompts)) }
        } catch let error as SQLiteError {
            throw StoreFailure(error)
        }
    }

    /// One change, durable when this returns. Writers that wait together are committed together.
    ///
    /// - Parameter clock: asked once, inside the transaction.
    /// - Throws: what `body` throws; `StoreFailure` for what the database refuses. Then nothing was written.
    public func write<T>(at clock: any Clock, _ body: (Transaction) throws -> T) throws -> T {
        do {
            return try writer.write {
                try body(Transaction($0, now: clock.now(), allowsQuotaPrompts: allowsQuotaPrompts))
            }
        } catch let error as SQLiteError {
            throw StoreFailure(error)
        }
    }
}

/// What can be asked of one committed state. Valid only inside the bracket that gave it.
public class Snapshot {
    let db: Database
    /// the server's own switch; users' preferences have it in them.
    let allowsQuotaPrompts: Bool

    init(_ db: Database, allowsQuotaPrompts: Bool) {
        self.db = db
        self.allowsQuotaPrompts = allowsQuotaPrompts
    }
}

/// A change under way: everything a snapshot can tell, and what alters it. Valid only inside its bracket.
public final class Transaction: Snapshot {
    /// The one now of this change.
    public let now: Instant

    var knownPreferences: [UserID: Preferences] = [:]

    init(_ db: Database, now: Instant, allowsQuotaPrompts: Bool) {
        self.now = now
        super.init(db, allowsQuotaPrompts: allowsQuotaPrompts)
    }
}
