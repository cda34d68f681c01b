import SQLite

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
