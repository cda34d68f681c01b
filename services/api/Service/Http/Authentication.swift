import ApiStore
import Crypto
import Domain
import HTTPServer
import Time

/// Finds out who asks (api 1.2): the first method that is present decides.
struct Authentication: Sendable {
    static let plainCookie = "authjs.session-token"
    static let secureCookie = "__Secure-authjs.session-token"
    /// 7 days from issue.
    static let sessionSeconds: Int64 = 604_800

    let store: Store
    let clock: any Clock
    let settings: Settings

    /// - Returns: nil when no method is present or the session is not valid.
    /// - Throws: 401 for a Bearer token that is not valid: no later method is tried.
    func caller(of request: HTTPRequest) throws -> Caller? {
        if let header = request.header("Authorization"), header.hasPrefix("Bearer ") {
            return try tokenCaller(String(header.dropFirst(7)))
        }
        if let name = settings.proxyHeader, settings.trusts(request.peer) {
            let values = request.headers(name)
            guard values.count <= 1 else { throw Failure.invalid("The header \(name) was sent twice") }
            if let login = values.first, !login.isEmpty,
                let user = try store.read({ try $0.user(login: login) })
            {
                return Caller(user: user, method: .proxy)
            }
        }
        guard let cookie = request.cookie(Self.secureCookie) ?? request.cookie(Self.plainCookie) else {
            return nil
        }
        let hash = Hex.encode(SHA256.hash(cookie))
        let now = clock.now()
        return try store.read { snapshot in
            guard let id = try snapshot.sessionUser(hash: hash, now: now), let user = try snapshot.user(id)
            else {
                return nil
            }
            return Caller(user: user, method: .session(hash: hash))
        }
    }

    /// - Throws: 401 for a token that is shorter than 32 characters or unknown.
    func tokenCaller(_ token: String) throws -> Caller {
        guard token.utf8.count >= 32 else { throw Failure.unauthorized }
        let hash = Hex.encode(SHA256.hash(token))
        let found = try store.read { snapshot -> (Caller, Instant?)? in
            guard let (id, userID, lastUsed) = try snapshot.token(hash: hash),
                let user = try snapshot.user(userID)
            else { return nil }
            return (Caller(user: user, method: .token(id: id)), lastUsed)
        }
        guard let (caller, lastUsed) = found, case .token(let id) = caller.method else {
            throw Failure.unauthorized
        }
        // A write for each call would cost an fsync each: to the quarter of an hour is enough for "last used".
        if lastUsed.map({ clock.now().seconds(since: $0) >= 900 }) ?? true {
            // try? : a full disk must not refuse whoever only reads (507 of api 1.3)
            try? store.write(at: clock) { try $0.touchToken(id) }
        }
        return caller
    }

    /// api 1.2, cross-site writes: a write by cookie whose `Origin` is another site is refused.
    func checkOrigin(of request: HTTPRequest, caller: Caller?) throws(Failure) {
        guard let caller, case .session = caller.method, request.method != "GET", request.method != "HEAD",
            let origin = request.header("Origin")
        else { return }
        let host = origin.drop(while: { $0 != ":" }).dropFirst(3)  // scheme://host[:port]
        let own = [request.header("Host"), request.header("X-Forwarded-Host"), settings.publicHost].compactMap
        { $0 }
        guard own.contains(where: { $0.lowercased() == host.lowercased() }) else {
            throw .forbidden("This request comes from another site")
        }
    }

    /// Whether the page is reached over TLS: by `AUTH_URL`, else by `X-Forwarded-Proto`.
    func isSecure(_ request: HTTPRequest) -> Bool {
        if let url = settings.publicURL { return url.hasPrefix("https://") }
        return request.header("X-Forwarded-Proto")?.lowercased() == "https"
    }

    /// Makes a session and the header that hands it out.
    func startSession(of user: UserID, secure: Bool, in transaction: Transaction) throws -> Failure.Header {
        let value = Hex.encode(SecureRandom.bytes(32))
        try transaction.addSession(
            hash: Hex.encode(SHA256.hash(value)), user: user,
            expires: transaction.now.adding(seconds: Self.sessionSeconds))
        return Self.cookie(value, seconds: Self.sessionSeconds, secure: secure)
    }

    static func cookie(_ value: String, seconds: Int64, secure: Bool) -> Failure.Header {
        let name = secure ? secureCookie : plainCookie
        let attributes = "HttpOnly; SameSite=Lax; Path=/; Max-Age=\(seconds)" + (secure ? "; Secure" : "")
        return Failure.Header(name: "Set-Cookie", value: "\(name)=\(value); \(attributes)")
    }
}
