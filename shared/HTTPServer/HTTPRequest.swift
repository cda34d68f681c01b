/// A complete request, head and body. Independent of the connection that it came on.
public struct HTTPRequest: Sendable {
    /// As sent; methods are case-sensitive. `HEAD` stays `HEAD`.
    public let method: String
    /// The path as sent: without query, still percent-encoded.
    public let path: String
    /// The parts of the path between slashes, percent-decoded. `/` has none; `/a/` has `a` and an empty one.
    /// The target `*` (OPTIONS for the whole server) is a segment of that name.
    public let segments: [String]
    /// The query's parameters in their order, percent-decoded, `+` as a blank.
    public let queryItems: [(name: String, value: String)]
    public var body: [UInt8]
    public let peer: HTTPPeer

    private let fields: HeaderFields

    init(method: String, target: RequestTarget, fields: HeaderFields, body: [UInt8], peer: HTTPPeer) {
        self.method = method
        path = target.path
        segments = target.segments
        queryItems = target.queryItems
        self.fields = fields
        self.body = body
        self.peer = peer
    }

    /// A request that did not come over a socket, for tests of a handler.
    ///
    /// - Throws: `HTTPRefusal.malformed`, as the server would refuse the target.
    public init(
        method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        peer: HTTPPeer = .unix
    ) throws(HTTPRefusal) {
        var fields = HeaderFields()
        for header in headers { fields.append(name: header.name.utf8, value: header.value.utf8) }
        self.init(
            method: method, target: try RequestTarget(target.utf8), fields: fields, body: body, peer: peer)
    }

    /// The query's parameters by name; the first of a name wins.
    public var query: [String: String] {
        Dictionary(queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The first header field of that name, whatever its case. Bytes that are not UTF-8 are replaced by U+FFFD.
    public func header(_ name: String) -> String? { fields.first(name) }

    /// All header fields of that name, in their order.
    public func headers(_ name: String) -> [String] { fields.all(name) }

    /// The value of a cookie as sent; the first of that name wins (RFC 6265 section 4.2).
    public func cookie(_ name: String) -> String? {
        for line in fields.all("Cookie") {
            for pair in line.utf8.split(separator: UInt8(ascii: ";")) {
                let trimmed = pair.drop { $0 == 0x20 || $0 == 0x09 }
                guard let equals = trimmed.firstIndex(of: UInt8(ascii: "=")),
                    trimmed[..<equals].elementsEqual(name.utf8)
                else { continue }
                return unquoted(trimmed[trimmed.index(after: equals)...])
            }
        }
        return nil
    }

    /// Without blanks around it, and without the quotes that the grammar allows around a value.
    private func unquoted(_ value: Substring.UTF8View) -> String {
        var value = value[...]
        while let last = value.last, last == 0x20 || last == 0x09 { value = value.dropLast() }
        if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
            value = value.dropFirst().dropLast()
        }
        return String(decoding: value, as: UTF8.self)
    }
}
