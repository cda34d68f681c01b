import CSQLite

// SQLite's own lower() and NOCASE know ASCII only; people write names in other scripts too.
extension Database {
    /// Adds the SQL function `fold(text)`: the text without case, for any script. NULL stays NULL. For queries only: a
    /// schema that used it could not be read by other programs.
    func addFold() throws(SQLiteError) {
        try addTextFunction("fold") { $0.map(foldCase) }
    }

    /// Adds an SQL function of one text, which may be NULL.
    func addTextFunction(
        _ name: String, _ function: @escaping @Sendable (String?) -> String?
    ) throws(SQLiteError) {
        let boxed = Unmanaged.passRetained(TextFunction(function)).toOpaque()
        // On failure, too, SQLite lets go of what it was given.
        let code = sqlite3_create_function_v2(
            handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, boxed,
            { context, _, arguments in
                guard let boxed = sqlite3_user_data(context), let argument = arguments?[0] else { return }
                let function = Unmanaged<TextFunction>.fromOpaque(boxed).takeUnretainedValue()
                let text = sqlite3_value_text(argument).map { bytes in
                    let count = Int(sqlite3_value_bytes(argument))
                    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
                }
                guard var result = function.body(text) else {
                    sqlite3_result_null(context)
                    return
                }
                result.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        // An empty buffer has no address; NULL would be SQL NULL.
                        sqlite3_result_text(context, $0.baseAddress ?? emptyText, Int32($0.count), transient)
                    }
                }
            }, nil, nil,
            { boxed in
                if let boxed { Unmanaged<TextFunction>.fromOpaque(boxed).release() }
            })
        if code != SQLITE_OK { throw error(code, nil) }
    }
}

/// What SQLite holds of a function of ours.
private final class TextFunction {
    let body: @Sendable (String?) -> String?
    init(_ body: @escaping @Sendable (String?) -> String?) { self.body = body }
}

/// What two texts have in common that differ in case only: a key to compare and to look up by. The SQL function
/// `fold` gives the same.
public func foldCase(_ text: String) -> String {
    text.lowercased()
}
