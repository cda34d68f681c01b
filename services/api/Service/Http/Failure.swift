import ApiStore
public import JSON

/// What an operation answers when it does not do what was asked (api 1.3). Nothing was changed.
public struct Failure: Error, Hashable, Sendable {
    public var status: Int
    public var code: String
    /// For people.
    public var text: String
    /// Dotted path of a field to one text.
    public var details: [String: String] = [:]
    /// Values in `details` that are no texts about a field, such as the numbers of a run that is under way.
    public var facts: [String: JSONValue] = [:]
    /// The word of the rule that refused.
    public var reason: String?
    /// The present resource of a version conflict, as JSON.
    public var current: [UInt8]?
    public var headers: [Header] = []

    public struct Header: Hashable, Sendable {
        public var name: String
        public var value: String
    }

    public static func invalid(_ text: String, _ details: [String: String] = [:], reason: String? = nil)
        -> Failure
    {
        Failure(status: 400, code: "VALIDATION_ERROR", text: text, details: details, reason: reason)
    }

    /// A refused field of the body.
    public static func invalid(field: String, _ text: String) -> Failure {
        .invalid("\(field): \(text)", [field: text])
    }

    public static let unauthorized = Failure(
        status: 401, code: "UNAUTHORIZED", text: "Sign in, or send a valid token")

    public static func forbidden(_ text: String) -> Failure {
        Failure(status: 403, code: "FORBIDDEN", text: text)
    }

    public static func notFound(_ what: String) -> Failure {
        Failure(status: 404, code: "NOT_FOUND", text: "\(what) not found")
    }

    public static func conflict(
        _ text: String, _ details: [String: String] = [:], reason: String? = nil, current: [UInt8]? = nil
    ) -> Failure {
        Failure(
            status: 409, code: "CONFLICT", text: text, details: details, reason: reason, current: current)
    }

    public static func methodNotAllowed(_ allow: [String]) -> Failure {
        Failure(
            status: 405, code: "METHOD_NOT_ALLOWED", text: "This path takes \(allow.joined(separator: ", "))",
            headers: [Header(name: "Allow", value: allow.joined(separator: ", "))])
    }

    public static func tooLarge(_ limit: Int) -> Failure {
        Failure(status: 413, code: "PAYLOAD_TOO_LARGE", text: "A body here has at most \(limit) bytes")
    }

    public static func rateLimited(seconds: Int64) -> Failure {
        Failure(
            status: 429, code: "RATE_LIMITED", text: "Too many failed sign-ins: try again in \(seconds) s",
            headers: [Header(name: "Retry-After", value: String(seconds))])
    }

    /// A-14.
    public static let tooManyItems = Failure.invalid(
        "You have \(Transaction.openItemLimit) open items; finish or delete some of them first",
        reason: "too_many_items")

    /// What the operation needs is off or does not answer.
    public static func unavailable(_ text: String) -> Failure {
        Failure(status: 503, code: "SERVICE_UNAVAILABLE", text: text)
    }

    /// What push keeps cannot be told; nothing was changed.
    public static let pushUnavailable = Failure(
        status: 503, code: "SERVICE_UNAVAILABLE", text: "The push service does not answer")

    /// - Parameter id: to find the log entry by.
    public static func `internal`(id: String) -> Failure {
        Failure(
            status: 500, code: "INTERNAL_ERROR", text: "Something went wrong here. The log has it as \(id)")
    }

    /// The envelope.
    var body: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("error", text)
            writer.member("code", code)
            if let reason { writer.member("reason", reason) }
            if !details.isEmpty || !facts.isEmpty {
                writer.member("details", .object(details.mapValues(JSONValue.string).merging(facts) { $1 }))
            }
            if let current {
                writer.member("current", json: String(decoding: current, as: UTF8.self))
            }
        }
        return writer.bytes
    }
}

extension Failure {
    /// 507 for a change that was not made, 503 for what could not be read.
    init(_ failure: StoreFailure) {
        let trouble = failure.trouble?.rawValue ?? "The database refuses"
        self =
            failure.isWrite
            ? Failure(
                status: 507, code: "INSUFFICIENT_STORAGE",
                text: "\(trouble): nothing was changed. \(failure.trouble?.advice ?? "Try again")")
            : Failure(
                status: 503, code: "SERVICE_UNAVAILABLE", text: "\(trouble), and this could not be read")
    }
}

extension StorageTrouble {
    /// What whoever runs the house does about it.
    fileprivate var advice: String {
        switch self {
        case .full: "Make room on it; then it works again"
        case .locked: "Try again when it is done"
        case .unwritable: "Look at it; then it works again"
        case .damaged: "Restore a backup"
        }
    }
}
