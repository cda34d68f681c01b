import ApiService
import ApiStore
import Domain
import HTTPServer
import JSON
import TestSupport
import Testing
import Time

/// What the api answered.
struct Answer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    /// nil for an empty body, a file and a stream.
    let body: JSONValue?

    init(_ response: HTTPResponse) throws {
        status = response.status
        headers = response.headers
        if case .bytes(let bytes) = response.body { body = try JSONValue(parsing: bytes) } else { body = nil }
    }

    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    func all(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// A member of `data`; null when there is none.
    subscript(key: String) -> JSONValue { body?["data"]?[key] ?? .null }

    var data: JSONValue { body?["data"] ?? .null }
    /// The `code` of an error.
    var code: String? { body?["code"]?.string }
    var reason: String? { body?["reason"]?.string }
    /// The fields that `details` names.
    var culprits: Set<String> { Set((body?["details"]?.object ?? [:]).keys) }
    var id: Int64 { self["id"].int ?? -1 }
    var version: Int64 { self["version"].int ?? -1 }
}

extension Bench {
    /// One request by Bearer token, or by nobody.
    func call(
        _ method: String, _ target: String, _ body: JSONValue? = nil, as person: Person? = nil,
        headers: [(name: String, value: String)] = []
    ) throws -> Answer {
        try send(method, target, body.map { try JSONCoding.encode($0) } ?? [], as: person, headers: headers)
    }

    /// The same with a body that need not be JSON.
    func send(
        _ method: String, _ target: String, _ body: [UInt8], as person: Person? = nil,
        headers: [(name: String, value: String)] = []
    ) throws -> Answer {
        var all = headers
        if let person { all.append(("Authorization", "Bearer \(person.token)")) }
        let request = try HTTPRequest(method: method, target: target, headers: all, body: body)
        return try Answer(api.respond(to: request))
    }

    /// The answer as it is, for one that is not JSON.
    func respond(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = []
    ) throws -> HTTPResponse {
        api.respond(to: try HTTPRequest(method: method, target: target, headers: headers))
    }

    /// A new task, not enriched.
    @discardableResult
    func make(_ title: String = "Buy milk", _ more: [String: JSONValue] = [:], by person: Person) throws
        -> Answer
    {
        var body = more
        body["title"] = .string(title)
        if body["enrich"] == nil { body["enrich"] = false }
        let answer = try call("POST", "/api/tasks", .object(body), as: person)
        guard answer.status == 201 else {
            throw Missing(description: "task: \(answer.status) \(answer.body ?? .null)")
        }
        return answer
    }

    func get(_ id: Int64, as person: Person) throws -> Answer {
        try call("GET", "/api/tasks/\(id)", as: person)
    }

    @discardableResult
    func patch(_ id: Int64, _ body: JSONValue, as person: Person) throws -> Answer {
        try expectSuccess(try call("PATCH", "/api/tasks/\(id)", body, as: person))
    }

    /// `done`, `undone`, `snooze`, `restore`.
    @discardableResult
    func act(_ action: String, _ id: Int64, _ body: JSONValue? = nil, as person: Person) throws -> Answer {
        try expectSuccess(try call("POST", "/api/tasks/\(id)/\(action)", body, as: person))
    }

    @discardableResult
    func trash(_ id: Int64, as person: Person) throws -> Answer {
        try expectSuccess(try call("DELETE", "/api/tasks/\(id)", as: person))
    }

    @discardableResult
    func undo(as person: Person) throws -> Answer {
        try expectSuccess(try call("POST", "/api/undo", as: person))
    }

    @discardableResult
    func redo(as person: Person) throws -> Answer {
        try expectSuccess(try call("POST", "/api/redo", as: person))
    }

    @discardableResult
    func sweep(_ body: JSONValue? = nil, as person: Person) throws -> Answer {
        try expectSuccess(try call("POST", "/api/tasks/bulk/snooze-overdue", body, as: person))
    }

    private func expectSuccess(_ answer: Answer) throws -> Answer {
        guard (200..<300).contains(answer.status) else {
            throw Missing(description: "success: \(answer.status) \(answer.body ?? .null)")
        }
        return answer
    }

    /// Moves the clock.
    func at(_ text: String) { clock.set(.local(text)) }

    /// The item as the rules see it.
    func item(_ id: Int64) throws -> TaskItem {
        try unwrap(try store.read { try $0.task(TaskItem.ID(rawValue: id)) }, "task \(id)")
    }

    func look(_ id: Int64) throws -> Instant? {
        try store.read { try $0.look(at: TaskItem.ID(rawValue: id)) }
    }
}

/// The same answer, whatever it was refused for.
func expectRefused(
    _ answer: Answer, _ status: Int, _ code: String, culprit: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.status == status, "\(answer.body ?? .null)", sourceLocation: sourceLocation)
    #expect(answer.code == code, sourceLocation: sourceLocation)
    #expect(answer.body?["error"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(answer.header("Content-Type") == "application/json", sourceLocation: sourceLocation)
    #expect(answer.header("Cache-Control") == "no-store", sourceLocation: sourceLocation)
    if let culprit {
        #expect(answer.culprits.contains(culprit), "\(answer.culprits)", sourceLocation: sourceLocation)
    }
}
