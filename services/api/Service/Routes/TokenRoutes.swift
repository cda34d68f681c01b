import ApiStore
import Crypto
import Domain
import HTTPServer
import JSON
import Time

/// A10 to A13: tokens. The value is in the answer that makes it, and nowhere else: only its hash is stored.
struct TokenRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/tokens", Route(answer: list))
        routes.add("POST", "/api/tokens", Route(answersSecret: true, answer: add))
        routes.add("DELETE", "/api/tokens/{id}", Route(answer: remove))
        routes.add("POST", "/api/tokens/provision", Route(answersSecret: true, answer: provision))
    }

    /// A10.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let tokens = try actions.store.read { try $0.tokens(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.array("tokens") { writer in
                    for token in tokens {
                        writer.object { writer in
                            writer.member("id", token.id)
                            writer.member("name", token.name)
                            writer.member("token_preview", token.preview)
                            writer.member("created_at", token.createdAt.iso8601)
                            writer.member("last_used_at", token.lastUsed?.iso8601)
                        }
                    }
                }
            }
        }
    }

    /// A11.
    private func add(_ request: Request) throws -> HTTPResponse {
        let caller = try checked(request)
        let fields = try request.fields(required: true)
        let name = try fields.string("name").trimmed
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw fields.refuse("name", "has 1 to 100 characters")
        }
        guard !name.unicodeScalars.contains(where: isInvisibleControl) else {
            throw fields.refuse("name", "has control characters")
        }
        let secret = Self.newToken()
        let id = try actions.write {
            try $0.addToken(
                name: name, hash: Hex.encode(SHA256.hash(secret)), preview: String(secret.suffix(8)),
                source: "manual", user: caller.id)
        }
        return .data(status: 201) { writer in
            writer.object { writer in
                writer.member("id", id)
                writer.member("name", name)
                writer.member("token", secret)
            }
        }
    }

    /// A12. The token of this very call may be the one that goes.
    private func remove(_ request: Request) throws -> HTTPResponse {
        let caller = try checked(request)
        let id = try request.id()
        guard try actions.write({ try $0.removeToken(id, of: caller.id) }) else {
            throw Failure.notFound("Token")
        }
        return .data { writer in writer.object { $0.member("deleted", true) } }
    }

    /// A13: the native shell, whose page has a session, asks for a token of its own.
    private func provision(_ request: Request) throws -> HTTPResponse {
        let caller = try checked(request)
        switch caller.method {
        case .session: break
        case .token, .local: throw Failure.forbidden("A token is provisioned by a session only")
        case .proxy: throw Failure.unauthorized
        }
        let fields = try request.fields(required: true)
        guard let hasLocal = try fields.optionalBool("has_local_token") else {
            throw fields.refuse("has_local_token", "is required")
        }
        let preview = try fields.optionalString("local_token_preview")
        let secret = Self.newToken()
        let isNew = try actions.write { transaction in
            let issued = try transaction.tokens(of: caller.id, source: "ios")
            let decision = Provision(
                hasLocal: hasLocal, preview: preview,
                issued: issued.map { Provision.Issued(id: $0.id, preview: $0.preview) })
            guard case .issue(let replaced) = decision else { return false }
            if let replaced { _ = try transaction.removeToken(replaced, of: caller.id) }
            _ = try transaction.addToken(
                name: "iOS App", hash: Hex.encode(SHA256.hash(secret)), preview: String(secret.suffix(8)),
                source: "ios", user: caller.id)
            return true
        }
        return .data(status: isNew ? 201 : 200) { writer in
            writer.object { writer in
                writer.member("status", isNew ? "provisioned" : "active")
                if isNew { writer.member("token", secret) }
            }
        }
    }

    /// The demo account, which everybody knows, makes and ends no tokens.
    private func checked(_ request: Request) throws(Failure) -> Caller {
        let caller = try request.caller
        guard !caller.user.isDemo else { throw .forbidden("The demo account has no tokens of its own") }
        return caller
    }

    private static func newToken() -> String { Hex.encode(SecureRandom.bytes(32)) }
}
