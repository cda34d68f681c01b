import SQLite

/// What the database refused, in words that carry nothing of what people wrote.
public struct StoreFailure: Error, Hashable, CustomStringConvertible {
    /// The disk has no room. Nothing was written; reads go on.
    public let isFull: Bool
    /// A row that must be unique was there already.
    public let isUnique: Bool
    public let description: String

    init(_ error: SQLiteError) {
        isFull = error.isFull
        isUnique = error.isUnique
        description = error.description
    }
}
