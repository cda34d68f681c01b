import CSQLite

// SQLite's own lower() and NOCASE know ASCII only; people write names in other scripts too.
extension Database {
    /// Adds the SQL function `fold(text)`: the text without case, for any script. NULL stays NULL. For queries only: a
    /// schema that used it could not be read by other programs.
    func addFold() throws(SQLiteError) {
        let code = sqlite3_create_function_v2(
            handle, "fold", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
            { context, _, arguments in
                guard let argument = arguments?[0], let bytes = sqlite3_value_text(argument) else {
                    sqlite3_result_null(context)
                    return
                }
                let count = Int(sqlite3_value_bytes(argument))
                let text = String(
                    decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
                var folded = foldCase(text)
                folded.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        // An empty buffer has no address; NULL would be SQL NULL.
                        sqlite3_result_text(context, $0.baseAddress ?? emptyText, Int32($0.count), transient)
                    }
                }
            }, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, nil) }
    }
}

/// What two texts have in common that differ in case only: a key to compare and to look up by. The SQL function
/// `fold` gives the same.
public func foldCase(_ text: String) -> String {
    text.lowercased()
}
