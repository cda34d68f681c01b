import JSON

/// Pieces of JSON text that is known to be well-formed.
enum JSONText {
    /// The string that a literal, quotes included, stands for; nil when it is none or names half of a surrogate pair.
    static func string(_ literal: ArraySlice<UInt8>) -> String? {
        guard literal.count >= 2, literal.first == UInt8(ascii: "\"") else { return nil }
        let inside = literal.dropFirst().dropLast()
        if !inside.contains(UInt8(ascii: "\\")) { return String(decoding: inside, as: UTF8.self) }
        // Rare: names of members and methods have no escapes when a program wrote them.
        do { return try JSONCoding.decode(String.self, from: literal) } catch { return nil }
    }

    /// `true` and `false`; nil for any other value.
    static func bool(_ text: ArraySlice<UInt8>) -> Bool? {
        switch text.first {
        case UInt8(ascii: "t"): true
        case UInt8(ascii: "f"): false
        default: nil
        }
    }

    static func isNull(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "n") }

    static func isObject(_ text: ArraySlice<UInt8>) -> Bool { text.first == UInt8(ascii: "{") }

    /// The literal for a string, quotes included.
    static func literal(_ string: String) -> [UInt8] {
        var writer = JSONWriter(capacity: string.utf8.count + 2)
        writer.value(string)
        return writer.bytes
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
