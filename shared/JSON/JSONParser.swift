/// RFC 8259, strictly: one value, UTF-8, no byte order mark, no comments, no trailing commas. Of a doubled member the
/// last one counts.
struct JSONParser {
    private let bytes: [UInt8]
    private var at = 0
    private var depth = 0

    /// Deeper nesting is refused, so that a text cannot exhaust the stack.
    static let maximalDepth = 500

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard at == bytes.count else { throw JSONSyntaxError() }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSONValue {
        skipBlanks()
        guard at < bytes.count else { throw JSONSyntaxError() }
        switch bytes[at] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        try enter()
        if !take("}") {
            repeat {
                skipBlanks()
                guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw JSONSyntaxError() }
                let key = try string()
                guard take(":") else { throw JSONSyntaxError() }
                members[key] = try value()
            } while take(",")
            guard take("}") else { throw JSONSyntaxError() }
        }
        depth -= 1
        return .object(members)
    }

    private mutating func array() throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        try enter()
        if !take("]") {
            repeat { elements.append(try value()) } while take(",")
            guard take("]") else { throw JSONSyntaxError() }
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func enter() throws(JSONSyntaxError) {
        at += 1
        depth += 1
        guard depth <= JSONParser.maximalDepth else { throw JSONSyntaxError() }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONSyntaxError)
        -> JSONValue
    {
        for byte in text.description.utf8 {
            guard at < bytes.count, bytes[at] == byte else { throw JSONSyntaxError() }
            at += 1
        }
        return value
    }

    // MARK: Strings

    private mutating func string() throws(JSONSyntaxError) -> String {
        at += 1
        let start = at
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                defer { at += 1 }
                return try utf8(bytes[start..<at])
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw JSONSyntaxError()
            default: at += 1
            }
        }
        throw JSONSyntaxError()
    }

    /// The rest of a string whose first backslash has been reached.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var text = Array(bytes[start..<at])
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            switch byte {
            case UInt8(ascii: "\""): return try utf8(text[...])
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw JSONSyntaxError()
            default: text.append(byte)
            }
        }
        throw JSONSyntaxError()
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONSyntaxError) {
        guard at < bytes.count else { throw JSONSyntaxError() }
        let byte = bytes[at]
        at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexQuad()
            if (0xD800..<0xDC00).contains(code) {
                // Half of a pair: the other half must follow.
                guard at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
                    bytes[at + 1] == UInt8(ascii: "u")
                else { throw JSONSyntaxError() }
                at += 2
                let low = try hexQuad()
                guard (0xDC00..<0xE000).contains(low) else { throw JSONSyntaxError() }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw JSONSyntaxError() }
            text.append(contentsOf: String(scalar).utf8)
        default: throw JSONSyntaxError()
        }
    }

    private mutating func hexQuad() throws(JSONSyntaxError) -> UInt32 {
        guard at + 4 <= bytes.count else { throw JSONSyntaxError() }
        var code: UInt32 = 0
        for byte in bytes[at..<at + 4] {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONSyntaxError()
            }
            code = code << 4 | UInt32(digit)
        }
        at += 4
        return code
    }

    private func utf8(_ bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONSyntaxError() }
        return text
    }

    // MARK: Numbers

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = at
        var isWhole = true
        if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at += 1 }
        let leading = at
        try digits()
        if bytes[leading] == UInt8(ascii: "0"), at > leading + 1 { throw JSONSyntaxError() }
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            isWhole = false
            at += 1
            try digits()
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .int(value) }
        guard let value = Double(text), value.isFinite else { throw JSONSyntaxError() }
        return .double(value)
    }

    /// One digit or more.
    private mutating func digits() throws(JSONSyntaxError) {
        let start = at
        while at < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) { at += 1 }
        guard at > start else { throw JSONSyntaxError() }
    }

    // MARK: Between values

    private mutating func skipBlanks() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0D: at += 1
            default: return
            }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: character) else { return false }
        at += 1
        return true
    }
}
