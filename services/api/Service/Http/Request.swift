import ApiStore
import HTTPServer
import JSON
import Time

/// One call of one operation: the request, who asks, and the parameters of its path.
struct Request: Sendable {
    let http: HTTPRequest
    let parameters: [String: String]
    /// Present on every route that needs one.
    let signedIn: Caller?

    /// The caller of a route that needs one.
    var caller: Caller {
        get throws(Failure) {
            guard let signedIn else { throw .unauthorized }
            return signedIn
        }
    }

    /// api 1.4: digits only, above 0.
    func id(_ name: String = "id") throws(Failure) -> Int64 {
        let text = parameters[name] ?? ""
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let id = Int64(text), id > 0
        else {
            throw .invalid("An id is a whole number above 0", [name: "not an id"])
        }
        return id
    }

    /// The body's members; nil-safe when it is optional.
    func fields(required: Bool = false) throws(Failure) -> Fields {
        try Fields(body: http.body, required: required)
    }

    /// api 1.6: exactly `true` is true, any other value is false, absent is nil.
    func flag(_ name: String) -> Bool? {
        http.query[name].map { $0 == "true" }
    }

    /// A number that is too large for us is the largest that we know: limits are cut, and nobody has that id.
    func integer(_ name: String, atLeast minimum: Int) throws(Failure) -> Int? {
        guard let text = http.query[name] else { return nil }
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
        guard let value = Int(text) ?? (isNumber ? Int.max : nil), value >= minimum else {
            throw .invalid(
                "\(name) must be a whole number from \(minimum)", [name: "not a whole number from \(minimum)"]
            )
        }
        return value
    }

    /// the version that the caller has seen, from the body or `If-Match`.
    func seenVersion(_ fields: Fields) throws(Failure) -> Int? {
        if let version = try fields.optionalInt("version", in: 0...Int(Int32.max)) { return version }
        guard let header = http.header("If-Match"), header != "*" else { return nil }
        let digits = header.trimmingPrefix("W/").filter { $0 != "\"" }
        guard let version = Int(digits) else { throw .invalid("If-Match must be a version") }
        return version
    }
}

extension HTTPResponse {
    /// `{"data": …}` (api 1.3).
    ///
    /// - Parameter capacity: bytes that are likely to be written.
    static func data(
        status: Int = 200, capacity: Int = 2048, _ write: (inout JSONWriter) throws -> Void
    ) rethrows -> HTTPResponse {
        var writer = JSONWriter(capacity: capacity)
        try writer.object { writer in
            writer.key("data")
            try write(&writer)
        }
        return .json(status: status, writer.bytes)
    }

    /// JSON as it stands, never to be kept by a cache (api 1.1).
    static func json(status: Int = 200, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")], body: .bytes(body)
        )
    }

    init(_ failure: Failure) {
        self = .json(status: failure.status, failure.body)
        headers += failure.headers.map { ($0.name, $0.value) }
    }
}
