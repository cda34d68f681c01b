/// Walks over JSON text (RFC 8259) without building values: says whether it is well-formed and where its parts are.
///
/// A message is looked at once by this and its parameters once by the decoder, which then knows their type. The walk
/// also bounds how deep values are nested, before anything that recurses sees them.
struct JSONScanner {
    enum Failure: Error {
        case malformed
        case tooDeep
    }

    let bytes: [UInt8]
    private(set) var position = 0
    private var depthLeft: Int

    /// - Throws: `malformed` when `bytes` are not UTF-8.
    init(_ bytes: [UInt8], depth: Int) throws(Failure) {
        do { _ = try UTF8Span(validating: bytes.span) } catch { throw .malformed }
        self.bytes = bytes
        depthLeft = depth
    }

    /// The text is one object and nothing else; `member` gets each key and where its value is.
    mutating func document(member: (String, Range<Int>) throws(Failure) -> Void) throws(Failure) {
        skipSpace()
        try object(isDocument: true, member: member)
        skipSpace()
        guard position == bytes.count else { throw .malformed }
    }

    private mutating func object(
        isDocument: Bool, member: (String, Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        try open("{")
        skipSpace()
        if take("}") { return close() }
        while true {
            let key = position
            try string()
            let keyEnd = position
            skipSpace()
            guard take(":") else { throw .malformed }
            skipSpace()
            let start = position
            try value()
            if isDocument, let name = JSONText.string(bytes[key..<keyEnd]) {
                try member(name, start..<position)
            }
            skipSpace()
            if take("}") { return close() }
            guard take(",") else { throw .malformed }
            skipSpace()
        }
    }

    private mutating func array() throws(Failure) {
        try open("[")
        skipSpace()
        if take("]") { return close() }
        while true {
            try value()
            skipSpace()
            if take("]") { return close() }
            guard take(",") else { throw .malformed }
            skipSpace()
        }
    }

    private mutating func value() throws(Failure) {
        guard position < bytes.count else { throw .malformed }
        switch bytes[position] {
        case UInt8(ascii: "{"): try object(isDocument: false) { _, _ in }
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func string() throws(Failure) {
        guard take("\"") else { throw .malformed }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            // Most bytes are neither, and a message is mostly strings.
            if byte >= 0x20, byte != 0x22, byte != 0x5C { continue }
            if byte == UInt8(ascii: "\"") { return }
            guard byte == UInt8(ascii: "\\") else { throw .malformed }
            try escape()
        }
        throw .malformed
    }

    private mutating func escape() throws(Failure) {
        guard position < bytes.count else { throw .malformed }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard position < bytes.count, JSONText.hexDigit(bytes[position]) != nil else {
                    throw .malformed
                }
                position += 1
            }
        default: throw .malformed
        }
    }

    private mutating func number() throws(Failure) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        guard position > start else { throw .malformed }
    }

    private mutating func word(_ word: StaticString) throws(Failure) {
        for byte in word.description.utf8 {
            guard position < bytes.count, bytes[position] == byte else { throw .malformed }
            position += 1
        }
    }

    private mutating func open(_ bracket: Unicode.Scalar) throws(Failure) {
        guard take(bracket) else { throw .malformed }
        guard depthLeft > 0 else { throw .tooDeep }
        depthLeft -= 1
    }

    private mutating func close() { depthLeft += 1 }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }
}
