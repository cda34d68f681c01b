import Domain
import SQLite
import Synchronization
public import Time

/// opentask.db: its only writer and reader. `read { }` and `write { }` are the only doors.
public final class Store: Sendable {
    /// Where the file lies.
    public let path: String
    private let writer: Writer
    private let readers: ReaderPool
    let allowsQuotaPrompts: Bool
    private let present = Mutex(Condition())

    private struct Condition {
        /// What the last write met; nil: it was done.
        var ofWrites: StorageTrouble?
        /// A page that was read was no page: stays so until the next start.
        var isDamaged = false
    }

    /// Opens the file, making it and its tables if it is new.
    ///
    /// - Parameter quotaPrompts: false: no quota reminders for anyone.
    /// - Throws: `StoreUnusable` when a newer release wrote it, or it is damaged; `SQLiteError`.
    public init(path: String, quotaPrompts: Bool = true) throws {
        self.path = path
        allowsQuotaPrompts = quotaPrompts
        let database: Database
        do {
            database = try Database(path: path)
            try Schema.migrations.migrate(database, backup: path)
        } catch {
            throw StoreUnusable(error, path: path) ?? error
        }
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
            throw noted(StoreFailure(error, isWrite: false))
        }
    }

    /// One change, durable when this returns. Writers that wait together are committed together.
    ///
    /// - Parameter clock: asked once, inside the transaction.
    /// - Throws: what `body` throws; `StoreFailure` for what the database refuses. Then nothing was written.
    public func write<T>(at clock: any Clock, _ body: (Transaction) throws -> T) throws -> T {
        do {
            let value = try writer.write {
                try body(Transaction($0, now: clock.now(), allowsQuotaPrompts: allowsQuotaPrompts))
            }
            present.withLock { $0.ofWrites = nil }
            return value
        } catch let error as SQLiteError {
            throw noted(StoreFailure(error, isWrite: true))
        }
    }

    private func noted(_ failure: StoreFailure) -> StoreFailure {
        guard let trouble = failure.trouble else { return failure }
        var failure = failure
        present.withLock { present in
            if failure.isWrite {
                failure.isNews = present.ofWrites != trouble
                present.ofWrites = trouble
            } else if trouble == .damaged {
                failure.isNews = !present.isDamaged
                present.isDamaged = true
            }
        }
        return failure
    }

    /// What is known to be wrong with the storage, by the reads and writes so far; nil: nothing.
    public var trouble: StorageTrouble? {
        present.withLock { $0.isDamaged ? .damaged : $0.ofWrites }
    }

    /// Writes something that means nothing, so that `trouble` says how it is now.
    public func probe(at clock: any Clock) {
        // try? : what it meets is noted.
        try? write(at: clock) { try $0.setSetting("probe", String($0.now.seconds)) }
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
