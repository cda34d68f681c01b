import SQLite

/// What the database refused, in words that carry nothing of what people wrote.
public struct StoreFailure: Error, Hashable, CustomStringConvertible {
    /// nil: the statement was at fault, not the storage.
    public let trouble: StorageTrouble?
    /// Something was to be changed; nothing was.
    public let isWrite: Bool
    /// The storage worked until now: worth a line in the log.
    public var isNews = true
    /// A row that must be unique was there already.
    public let isUnique: Bool
    public let description: String

    init(_ error: SQLiteError, isWrite: Bool) {
        trouble = StorageTrouble(error)
        self.isWrite = isWrite
        isUnique = error.isUnique
        description = error.description
    }

    /// The disk has no room. Nothing was written; reads go on.
    public var isFull: Bool { trouble == .full }
}

/// What is wrong with the storage. The raw value says it to people.
public enum StorageTrouble: String, Hashable, Sendable {
    case full = "The disk is full"
    case locked = "Another program holds the database"
    case unwritable = "The disk does not take what is written"
    case damaged = "The database is damaged"

    init?(_ error: SQLiteError) {
        if error.isFull {
            self = .full
        } else if error.isBusy {
            self = .locked
        } else if error.isCorrupt {
            self = .damaged
        } else if error.isDisk {
            self = .unwritable
        } else {
            return nil
        }
    }
}

/// The file cannot be opened with this program, however often it is tried: a person has to act.
public struct StoreUnusable: Error, Hashable, CustomStringConvertible {
    public let description: String

    /// nil: another try may help.
    init?(_ error: any Error, path: String) {
        switch error {
        case let error as SchemaIsNewer: description = error.description
        case let error as SQLiteError where error.isCorrupt:
            description = "\(path) is damaged or no database (\(error.message)): restore a backup"
        default: return nil
        }
    }
}
