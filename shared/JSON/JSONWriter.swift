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

    public mutating func object(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.key(key)
        try object(body)
    }

    public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    public mutating func array(_ key: StaticString, _ body: (inout JSONWriter) throws -> Void) rethrows {
        self.key(key)
        try array(body)
    }

    public mutating func member(_ key: StaticString, _ value: String?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: StaticString, _ value: Int?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: StaticString, _ value: Int64?) {
        member(key, value.map(Int.init))
    }

    public mutating func member(_ key: StaticString, _ value: Bool?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: StaticString, _ value: Double?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    public mutating func member(_ key: StaticString, _ value: JSONValue?) {
        self.key(key)
        if let value { self.value(value) } else { null() }
    }

    /// A member whose value is JSON text already, such as a column that holds JSON.
    public mutating func member(_ key: StaticString, json: String?) {
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
    public mutating func key(_ key: StaticString) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: key.description.utf8)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func digits(_ value: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = bytes.count
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    private mutating func string(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
            case 0x0A: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
            case 0x0D: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
            case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
            case 0..<0x20:
                bytes.append(contentsOf: Array("\\u00".utf8))
                bytes.append(JSONWriter.hex[Int(byte >> 4)])
                bytes.append(JSONWriter.hex[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let hex = Array("0123456789abcdef".utf8)
}
