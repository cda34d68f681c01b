import ApiStore
import Crypto
import Domain
import FoundationEssentials
import HTTPServer
import Interfaces
import JSON
import Time
public import Varlink

/// `org.opentask.local`: the door for those who sit at the machine. Whoever the socket lets in acts for any user.
public struct LocalMethods: Sendable {
    private let parts: Parts
    private let api: Api
    private let startedAt: Instant

    public init(_ parts: Parts, api: Api) {
        self.parts = parts
        self.api = api
        startedAt = parts.clock.now()
    }

    public func register(on router: inout VarlinkRouter) {
        router.handle(Local.Call.self) { parameters, _ in try call(parameters) }
        router.handle(Local.AddUser.self) { parameters, _ in try addUser(parameters) }
        router.handle(Local.CreateToken.self) { parameters, _ in try createToken(parameters) }
        router.handle(Local.UseEnricher.self) { parameters, _ in try useEnricher(parameters) }
        router.handle(Local.Status.self) { _, _ in try status() }
    }

    private func call(_ parameters: Local.Call.Parameters) throws -> Local.Call.Reply {
        let user = try user(parameters.user)
        guard
            let request = try? HTTPRequest(
                method: parameters.method, target: parameters.path, body: Array((parameters.body ?? "").utf8))
        else { throw Self.notValid("path", "is not a path") }
        let response = api.respond(to: request, as: user)
        guard case .bytes(let body) = response.body else {
            if case .empty = response.body { return .init(status: response.status, body: "") }
            if case .stream(let stream) = response.body { stream.close() }  // nobody will read it
            throw Self.notValid("path", "is not an operation with a JSON answer")
        }
        return .init(status: response.status, body: String(decoding: body, as: UTF8.self))
    }

    private func user(_ name: String?) throws -> User {
        try parts.store.read { snapshot in
            guard let name else {
                guard let first = try snapshot.firstUser() else { throw VarlinkError(Local.Errors.noUserYet) }
                return first
            }
            guard let user = try snapshot.user(login: name) else {
                throw VarlinkError(Local.Errors.noSuchUser, ["name": .string(name)])
            }
            return user
        }
    }

    private func addUser(_ parameters: Local.AddUser.Parameters) throws -> Local.AddUser.Reply {
        let made = parameters.password == nil ? SecureRandom.token(bytes: 12) : nil
        let id = try Accounts(parts).add(
            name: parameters.name, password: parameters.password ?? made ?? "", timezone: parameters.timezone,
            email: parameters.email)
        return .init(id: Int(id.rawValue), password: made)
    }

    private func createToken(_ parameters: Local.CreateToken.Parameters) throws -> Local.CreateToken.Reply {
        let user = try user(parameters.user)
        let label = parameters.label.trimmed
        guard (1...100).contains(label.unicodeScalars.count) else {
            throw Self.notValid("label", "has 1 to 100 characters")
        }
        let token = Hex.encode(SecureRandom.bytes(32))
        _ = try parts.store.write(at: parts.clock) { transaction in
            try transaction.addToken(
                name: label, hash: Hex.encode(SHA256.hash(token)), preview: String(token.suffix(8)),
                source: "command", user: user.id)
        }
        return .init(token: token)
    }

    /// The texts that wait are read by the new one too: a job names its enricher when it is claimed.
    private func useEnricher(_ parameters: Local.UseEnricher.Parameters) throws -> VarlinkEmpty {
        let name = parameters.name
        guard InstalledEnrichers.isName(name),
            FileManager.default.fileExists(atPath: "\(parts.settings.runPath)/enrichers/\(name).sock")
        else {
            throw VarlinkError(Local.Errors.noSuchEnricher, ["name": .string(name)])
        }
        try parts.store.write(at: parts.clock) { try $0.setEnricher(name) }
        parts.commits.raise()
        return VarlinkEmpty()
    }

    private func status() throws -> Local.Status.Reply {
        try parts.store.read { snapshot in
            .init(
                version: productVersion, uptimeSeconds: Int(parts.clock.now().seconds(since: startedAt)),
                users: try snapshot.userCount(), tasks: try snapshot.taskCount(),
                outbox: try snapshot.outboxCount(),
                jobsWaiting: try snapshot.jobCount(), enricher: try snapshot.enricher(),
                database: parts.store.path)
        }
    }

    static func notValid(_ field: String, _ message: String) -> VarlinkError {
        VarlinkError(Local.Errors.notValid, ["field": .string(field), "message": .string(message)])
    }
}
