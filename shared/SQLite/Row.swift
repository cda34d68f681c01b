import CSQLite

/// One row of a result, valid only while the closure that was given it runs. Columns count from 0.
public struct Row {
    let statement: OpaquePointer

    public func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL
    }

    public func int(_ column: Int) -> Int64 {
        sqlite3_column_int64(statement, Int32(column))
    }

    public func optionalInt(_ column: Int) -> Int64? {
        isNull(column) ? nil : int(column)
    }

    public func bool(_ column: Int) -> Bool {
        int(column) != 0
    }

    public func real(_ column: Int) -> Double {
        sqlite3_column_double(statement, Int32(column))
    }

    /// Text of the column; empty for NULL.
    public func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    public func optionalText(_ column: Int) -> String? {
        isNull(column) ? nil : text(column)
    }

    public func blob(_ column: Int) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
    }
}
