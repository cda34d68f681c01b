public import Domain
import SQLite
public import Time

/// A period with what only its row knows (api 2.6).
public struct StoredPeriod: Hashable, Sendable {
    public let user: UserID
    public var period: Period
    /// 0 to 1,000; kept, meaningless.
    public let sortOrder: Int
    public let createdAt: Instant

    /// As a change of it keeps the whole row.
    public var columns: [String: FieldValue] {
        [
            "label": .text(period.label), "start_time": .text(period.start.description),
            "sort_order": .int(Int64(sortOrder)), "created_at": .int(createdAt.seconds),
        ]
    }

    public var key: FieldValue { .int(period.id.rawValue) }

    static let columnNames = "user_id, id, label, start_time, sort_order, created_at"

    init(row: Row) {
        user = UserID(rawValue: row.int(0))
        period = Period(
            id: Period.ID(rawValue: row.int(1)), label: row.text(2),
            start: LocalTime(row.text(3)) ?? .midnight)
        sortOrder = Int(row.int(4))
        createdAt = Instant(seconds: row.int(5))
    }
}

extension Snapshot {
    /// In order of their start (A43).
    public func storedPeriods(of user: UserID) throws -> [StoredPeriod] {
        try db.query(
            "SELECT \(StoredPeriod.columnNames) FROM time_slot WHERE user_id = ? ORDER BY start_time",
            [.int(user.rawValue)], row: StoredPeriod.init(row:))
    }

    /// The JSON text of a stored preference; nil: never set.
    public func preference(_ key: String, of user: UserID) throws -> String? {
        try db.first(
            "SELECT value FROM preference WHERE user_id = ? AND key = ?", [.int(user.rawValue), .text(key)]
        ) { $0.text(0) }
    }
}

extension Transaction {
    /// A44. Start and number have been checked (M-10).
    public func addPeriod(_ label: String, at start: LocalTime, sortOrder: Int, of user: UserID) throws
        -> Period.ID
    {
        try db.run(
            "INSERT INTO time_slot (user_id, label, start_time, sort_order, created_at) VALUES (?, ?, ?, ?, ?)",
            [
                .int(user.rawValue), .text(label), .text(start.description), .int(Int64(sortOrder)),
                .int(now.seconds),
            ])
        return Period.ID(rawValue: db.lastInsertRowID)
    }

    /// M-16: a new name moves nothing and makes no undo entry.
    public func rename(period id: Period.ID, to label: String, of user: UserID) throws {
        try db.run(
            "UPDATE time_slot SET label = ? WHERE user_id = ? AND id = ?",
            [.text(label), .int(user.rawValue), .int(id.rawValue)])
    }
}
