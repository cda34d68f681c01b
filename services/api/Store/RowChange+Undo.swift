import Domain
import JSON
import SQLite

extension RowChange {
    /// As an undo entry keeps them; nil for none.
    static func encode(_ rows: [RowChange]) -> String? {
        guard !rows.isEmpty else { return nil }
        func state(_ columns: [String: FieldValue]?) -> JSONValue {
            columns.map { .object($0.mapValues(\.json)) } ?? .null
        }
        var writer = JSONWriter(capacity: 256)
        writer.array { writer in
            for row in rows {
                writer.object { writer in
                    writer.member("table", row.table.rawValue)
                    writer.member("key", row.key.json)
                    writer.member("before_state", state(row.before))
                    writer.member("after_state", state(row.after))
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func decode(_ text: String?) throws -> [RowChange] {
        guard let text else { return [] }
        return try JSONValue(parsing: Array(text.utf8)).array?.compactMap(RowChange.init(json:)) ?? []
    }

    private init?(json: JSONValue) {
        guard let table = json["table"]?.string.flatMap(Table.init(rawValue:)), let key = json["key"] else {
            return nil
        }
        func state(_ member: String) -> [String: FieldValue]? {
            json[member]?.object?.mapValues(FieldValue.init(json:))
        }
        self.init(table, FieldValue(json: key), from: state("before_state"), to: state("after_state"))
    }
}

/// What undo or redo made of an entry's rows.
struct RowReplay {
    /// U-4: columns that were left alone.
    var skipped: [String] = []
    /// A period could not be given back, taken away or moved as the entry has it; so nothing is that moved with it.
    var isHeldBack = false
}

extension Transaction {
    /// U-4 for rows. The period of an entry comes first in it: without it the rest would point nowhere.
    func replay(_ rows: [RowChange], of user: UserID, forward: Bool) throws -> RowReplay {
        var result = RowReplay()
        for row in rows where !result.isHeldBack {
            let left = forward ? row.before : row.after
            let wanted = forward ? row.after : row.before
            let present = try self.row(row.key, of: row.table, user: user)
            switch (left, wanted) {
            case (let left?, let wanted?):
                // Gone since: nothing to give anything back to.
                guard let present else { result.isHeldBack = true; break }
                var values: [String: FieldValue] = [:]
                for (column, value) in wanted where left[column] != value {
                    let isMine = present[column] == left[column]
                    if isMine, try fits(column, value, row, of: user) {
                        values[column] = value
                    } else if present[column] != value {
                        result.skipped.append(column)
                        if column == "start_time" { result.isHeldBack = true }
                    }
                }
                try put(values, into: row, of: user)
            case (nil, let wanted?):
                guard present == nil, try fits("start_time", wanted["start_time"], row, of: user) else {
                    result.hold(row)
                    break
                }
                try put(wanted, into: row, of: user)
            case (let left?, nil):
                guard present == left, try canGo(row, of: user) else {
                    result.hold(row)
                    break
                }
                try put(nil, into: row, of: user)
            case (nil, nil): break
            }
        }
        result.skipped.sort()
        return result
    }

    /// M-10: no two periods of a user start together, and he has at most 24.
    private func fits(
        _ column: String, _ value: FieldValue?, _ row: RowChange, of user: UserID
    ) throws -> Bool {
        guard row.table == .period, column == "start_time" else { return true }
        let others = try db.query(
            "SELECT start_time FROM time_slot WHERE user_id = ? AND id <> ?",
            [.int(user.rawValue), row.key.sql]
        ) { FieldValue.text($0.text(0)) }
        return others.count < Period.limits.upperBound && !others.contains { $0 == value }
    }

    /// M-10: the last period stays.
    private func canGo(_ row: RowChange, of user: UserID) throws -> Bool {
        guard row.table == .period else { return true }
        return try periods(of: user).count > Period.limits.lowerBound
    }
}

extension RowReplay {
    fileprivate mutating func hold(_ row: RowChange) {
        skipped.append(row.table == .period ? "start_time" : row.table.rawValue)
        isHeldBack = isHeldBack || row.table == .period
    }
}
