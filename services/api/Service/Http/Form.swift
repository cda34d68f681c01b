import HTTPServer
import JSON

/// The fields of a sign-in form, sent as a form or as JSON (A7).
struct Form: Sendable {
    private var values: [String: String] = [:]

    init(_ request: HTTPRequest) throws(Failure) {
        let type = request.header("Content-Type")?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") {
            // The same encoding as a query's (https://url.spec.whatwg.org/#urlencoded-parsing).
            let text = String(decoding: request.body, as: UTF8.self)
            guard let parsed = try? HTTPRequest(method: "GET", target: "/?\(text)") else {
                throw .invalid("The form is not valid")
            }
            values = parsed.query
        } else {
            for (name, value) in try Fields(body: request.body, required: false).members {
                switch value {
                case .string(let text): values[name] = text
                case .bool(let flag): values[name] = flag ? "true" : "false"
                default: continue
                }
            }
        }
    }

    subscript(name: String) -> String? { values[name] }

    /// Where to go after signing in: a path of this server, never another site; nil: not said.
    var callback: String? {
        guard let path = values["callbackUrl"], path.hasPrefix("/"), !path.hasPrefix("//"),
            !path.hasPrefix("/\\"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return path
    }
}
