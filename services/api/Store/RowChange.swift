public import Domain
import JSON
import SQLite

/// A row that is no item and that an action changes along with items: a period, a preference (M-16, M-17). Undo gives
/// it back as it gives items back: field by field, where it still is as the action left it (U-4).
public struct RowChange: Hashable, Sendable {
    public enum Table: String, Sendable {
        /// The key is the id.
        case period = "time_slot"
        /// The key is the name; the one column is its JSON text.
        case preference
    }

    public var table: Table
    public var key: FieldValue
    /// The changed columns, all of them for a row that comes or goes; nil: there is no row.
    public var before: [String: FieldValue]?
    public var after: [String: FieldValue]?

    public init(
        _ table: Table, _ key: FieldValue, from before: [String: FieldValue]?, to after: [String: FieldValue]?
    ) {
        self.table = table
        self.key = key
        self.before = before
        self.after = after
    }

    var isChanged: Bool { before != after }
}

extension RowChange.Table {
    var keyColumn: String {
        switch self {
        case .period: "id"
        case .preference: "key"
        }
    }

    var columns: [String] {
        switch self {
        case .period: ["label", "start_time", "sort_order", "created_at"]
        case .preference: ["value"]
        }
    }

    static let integers: Set<String> = ["sort_order", "created_at"]
}

extension Snapshot {
    /// The columns of a row of this user; nil: there is none.
    func row(_ key: FieldValue, of table: RowChange.Table, user: UserID) throws -> [String: FieldValue]? {
        let columns = table.columns
        return try db.first(
            """
            SELECT \(columns.joined(separator: ", ")) FROM \(table.rawValue)
            WHERE user_id = ? AND \(table.keyColumn) = ?
            """, [.int(user.rawValue), key.sql]
        ) { row in
            Dictionary(
                uniqueKeysWithValues: columns.enumerated().map { index, name in
                    let isInteger = RowChange.Table.integers.contains(name)
                    return (name, isInteger ? .int(row.int(index)) : .text(row.text(index)))
                })
        }
    }
}

extension Transaction {
    /// Writes rows of this user.
    func write(_ rows: [RowChange], of user: UserID) throws {
        for row in rows where row.isChanged { try put(row.after, into: row, of: user) }
    }

    /// Makes, changes or removes a row; `columns` nil: removes it.
    func put(_ columns: [String: FieldValue]?, into row: RowChange, of user: UserID) throws {
        let table = row.table
        if table == .preference { knownPreferences[user] = nil }
        let place = "user_id = ? AND \(table.keyColumn) = ?"
        let who: [SQLValue] = [.int(user.rawValue), row.key.sql]
        guard let columns, !columns.isEmpty else {
            if columns == nil { try db.run("DELETE FROM \(table.rawValue) WHERE \(place)", who) }
            return
        }
        let named = columns.sorted { $0.key < $1.key }
        let values = named.map(\.value.sql)
        if try self.row(row.key, of: table, user: user) == nil {
            let names = (["user_id", table.keyColumn] + named.map(\.key)).joined(separator: ", ")
            let marks = Array(repeating: "?", count: named.count + 2).joined(separator: ", ")
            try db.run("INSERT INTO \(table.rawValue) (\(names)) VALUES (\(marks))", who + values)
        } else {
            let assignments = named.map { "\($0.key) = ?" }.joined(separator: ", ")
            try db.run("UPDATE \(table.rawValue) SET \(assignments) WHERE \(place)", values + who)
        }
    }
}
