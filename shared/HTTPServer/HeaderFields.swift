/// The header fields of a request, kept as they came: one buffer for all of them, a string only for what is asked.
struct HeaderFields: Sendable {
    private struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var fields: [Field] = []

    init() {
        bytes.reserveCapacity(1024)
        fields.reserveCapacity(16)
    }

    mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        let middle = bytes.count
        bytes.append(contentsOf: value)
        fields.append(Field(name: start..<middle, value: middle..<bytes.count))
    }

    /// The first value of a field; names are compared without case (RFC 9110 section 5.1).
    func first(_ name: String) -> String? {
        for field in fields where matches(field, name) {
            return String(decoding: bytes[field.value], as: UTF8.self)
        }
        return nil
    }

    func all(_ name: String) -> [String] {
        var found: [String] = []
        for field in fields where matches(field, name) {
            found.append(String(decoding: bytes[field.value], as: UTF8.self))
        }
        return found
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        let wanted = name.utf8
        guard wanted.count == field.name.count else { return false }
        var position = field.name.lowerBound
        for byte in wanted {
            guard lowercase(bytes[position]) == lowercase(byte) else { return false }
            position += 1
        }
        return true
    }
}

/// ASCII only: field names are tokens.
private func lowercase(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}
