/// The target of a request line, taken apart (RFC 9112 section 3.2, RFC 3986 section 3.3 and 3.4).
struct RequestTarget: Sendable {
    /// As sent, without query.
    var path: String
    /// Percent-decoded; `/` has none, `/a/` has `a` and an empty one, `*` has itself.
    var segments: [String]
    /// Percent-decoded, `+` is a blank; `a` without `=` has an empty value.
    var queryItems: [(name: String, value: String)]

    /// Takes the origin form (`/path?query`), the absolute form (`http://host/path?query`) and `*`.
    init(_ target: some Collection<UInt8>) throws(HTTPRefusal) {
        let bytes = Self.withoutAuthority(Array(target)[...])
        let queryMark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let rawPath = bytes[..<(queryMark ?? bytes.endIndex)]
        guard let path = String(validating: rawPath, as: UTF8.self) else {
            throw .malformed("the path is not UTF-8")
        }
        self.path = path
        segments = try Self.segments(of: rawPath)
        queryItems = if let queryMark { try Self.items(of: bytes[(queryMark + 1)...]) } else { [] }
    }

    static func segments(of path: ArraySlice<UInt8>) throws(HTTPRefusal) -> [String] {
        guard path.first == UInt8(ascii: "/") else {
            guard path.elementsEqual("*".utf8) else { throw .malformed("the target is no path") }
            return ["*"]
        }
        var rest = path.dropFirst()
        guard !rest.isEmpty else { return [] }
        var segments: [String] = []
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            segments.append(try decode(rest[..<slash], plusIsBlank: false))
            rest = rest[(slash + 1)...]
        }
        segments.append(try decode(rest, plusIsBlank: false))
        return segments
    }

    private static func items(of query: ArraySlice<UInt8>) throws(HTTPRefusal) -> [(
        name: String, value: String
    )] {
        var items: [(name: String, value: String)] = []
        for item in query.split(separator: UInt8(ascii: "&")) {
            let equals = item.firstIndex(of: UInt8(ascii: "="))
            let value = if let equals { item[(equals + 1)...] } else { ArraySlice<UInt8>() }
            items.append(
                (
                    try decode(item[..<(equals ?? item.endIndex)], plusIsBlank: true),
                    try decode(value, plusIsBlank: true)
                ))
        }
        return items
    }

    /// A proxy may send the absolute form, and a server must take it (RFC 9112 section 3.2.2).
    private static func withoutAuthority(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = target.first, first != UInt8(ascii: "/") else { return target }
        let text = String(decoding: target.prefix(8), as: UTF8.self).lowercased()
        let scheme = text.hasPrefix("http://") ? 7 : text.hasPrefix("https://") ? 8 : 0
        guard scheme > 0 else { return target }
        let rest = target.dropFirst(scheme)
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else {
            return [UInt8(ascii: "/")]
        }
        return rest[end] == UInt8(ascii: "/") ? rest[end...] : [UInt8(ascii: "/")] + rest[end...]
    }

    private static func decode(_ text: ArraySlice<UInt8>, plusIsBlank: Bool) throws(HTTPRefusal) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            let byte = text[position]
            if byte == UInt8(ascii: "%") {
                guard position + 2 < text.endIndex, let high = digit(text[position + 1]),
                    let low = digit(text[position + 2])
                else { throw .malformed("bad percent-encoding") }
                decoded.append(high << 4 | low)
                position += 3
            } else {
                decoded.append(plusIsBlank && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                position += 1
            }
        }
        // What comes after would take a NUL for the end of the text, or for two different texts.
        guard !decoded.contains(0) else { throw .malformed("NUL in the request target") }
        guard let string = String(validating: decoded, as: UTF8.self) else {
            throw .malformed("the request target is not UTF-8")
        }
        return string
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
