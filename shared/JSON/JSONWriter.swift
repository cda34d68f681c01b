/// Writes JSON bytes directly, member by member: the way of every HTTP answer, where a list of tasks is many values
/// of one shape and building a tree first would cost more than the query.
///
/// The caller nests correctly; a member outside an object is a mistake of ours and traps in debug builds.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    public init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    public mutating func object(_ key: JSONKey, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.key(key)
        try object(body)
    }

    public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    public mutating func array(_ key: JSONKey, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.key(key)
        try array(body)
    }

    public mutating func member(_ key: JSONKey, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: JSONKey, _ value: Int?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: JSONKey, _ value: Int64?) {
        member(key, value.map(Int.init))
    }

    public mutating func member(_ key: JSONKey, _ value: Bool?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: JSONKey, _ value: Double?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: JSONKey, _ value: JSONValue?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// A member whose value is JSON text already, such as a column that holds JSON.
    public mutating func member(_ key: JSONKey, json: String?) {
        self.key(key)
        if let json { raw(json) } else { null() }
    }

    /// A member with a name that is only known at run time.
    public mutating func member(named key: String, _ value: JSONValue) {
        comma()
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        self.value(value)
    }

    public mutating func value(_ value: String) {
        comma()
        string(value)
    }

    public mutating func value(_ value: Int) {
        comma()
        digits(value)
    }

    public mutating func value(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// A number; JSON has none for infinity and NaN, which become null.
    public mutating func value(_ value: Double) {
        if !value.isFinite {
            null()
        } else if value == value.rounded(), abs(value) < 1e15 {
            self.value(Int(value))
        } else {
            raw("\(value)")
        }
    }

    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): self.value(value)
        case .int(let value): self.value(Int(value))
        case .double(let value): self.value(value)
        case .string(let value): self.value(value)
        case .array(let values): array { writer in for value in values { writer.value(value) } }
        case .object(let members):
            object { writer in
                for (key, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.member(named: key, value)
                }
            }
        }
    }

    public mutating func null() { raw("null") }

    /// JSON text as it stands, as one value.
    public mutating func raw(_ json: String) {
        comma()
        bytes.append(contentsOf: json.utf8)
    }

    /// JSON bytes as they stand, as one value.
    public mutating func raw(_ json: [UInt8]) {
        comma()
        bytes.append(contentsOf: json)
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// The name of a member whose value is written next.
    public mutating func key(_ key: JSONKey) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: key.text.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func digits(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let rest = value.magnitude
        var weight: UInt = 1
        while rest / weight >= 10 { weight *= 10 }
        while weight > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(rest / weight % 10))
            weight /= 10
        }
    }

    private mutating func string(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        // Nearly every text goes out as it is: copied at once, not byte by byte.
        if value.utf8.contains(where: JSONWriter.isEscaped) {
            for byte in value.utf8 { escape(byte) }
        } else {
            bytes.append(contentsOf: value.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259 section 7: quotation mark, reverse solidus and the control characters.
    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        guard JSONWriter.isEscaped(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: Array("u00".utf8))
            bytes.append(JSONWriter.hex[Int(byte >> 4)])
            bytes.append(JSONWriter.hex[Int(byte & 15)])
        }
    }

    private static let hex = Array("0123456789abcdef".utf8)
}

/// The name of a member, from a literal: it needs no escaping. (A `StaticString` would say the same, and is copied into
/// a new string each time.)
public struct JSONKey: ExpressibleByStringLiteral, Sendable {
    let text: String

    public init(stringLiteral text: String) { self.text = text }
}
