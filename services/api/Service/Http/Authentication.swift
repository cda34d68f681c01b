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
        let hashes = Self.sessions(of: request)
        guard !hashes.isEmpty else { return nil }
        let now = clock.now()
        return try store.read { snapshot in
            for hash in hashes {
                guard let id = try snapshot.sessionUser(hash: hash, now: now),
                    let user = try snapshot.user(id)
                else { continue }
                return Caller(user: user, method: .session(hash: hash))
            }
            return nil
        }
    }

    /// The hashes of the sessions that a browser shows. It may have one of either name: a house got its TLS later.
    private static func sessions(of request: HTTPRequest) -> [String] {
        [secureCookie, plainCookie].compactMap(request.cookie).map { Hex.encode(SHA256.hash($0)) }
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
        // A write for each call would cost an fsync each: to the hour is enough for "last used".
        let isStale = lastUsed.map { clock.now().seconds(since: $0) >= 3600 } ?? true
        // Nor does whoever only reads wait for a database that somebody holds.
        if isStale, store.trouble == nil {
            // try? : a full disk must not refuse whoever only reads (507 of api 1.3)
            try? store.write(at: clock) { try $0.touchToken(id) }
        }
        return caller
    }

    /// api 1.2: a write that another site made a browser send is refused. Tokens are not sent by a browser on its own.
    func checkSite(of request: HTTPRequest, caller: Caller?) throws(Failure) {
        switch caller?.method {
        case .session: try checkSite(of: request, byOrigin: true)
        case .proxy: try checkSite(of: request, byOrigin: false)
        case .token, .local, nil: return
        }
    }

    /// The browser itself says whether the page is of this site (https://www.w3.org/TR/fetch-metadata/), but only over TLS;
    /// else its `Origin` must be the host that it has called.
    ///
    /// - Parameter byOrigin: false: only what the browser says counts.
    func checkSite(of request: HTTPRequest, byOrigin: Bool) throws(Failure) {
        guard request.method != "GET", request.method != "HEAD" else { return }
        let refusal = Failure.forbidden("This request comes from another site")
        switch request.header("Sec-Fetch-Site")?.lowercased() {
        case "same-origin", "none": return
        case "cross-site": throw refusal
        default: break
        }
        guard byOrigin, let origin = request.header("Origin") else { return }
        // `null`, and whatever is not scheme://host[:port], is nobody's.
        let parts = origin.lowercased().split(separator: "://", maxSplits: 1).map(String.init)
        guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty else {
            throw refusal
        }
        let own = [request.header("Host"), request.header("X-Forwarded-Host"), settings.publicHost]
        guard own.contains(where: { $0?.lowercased() == parts[1] }) else { throw refusal }
    }

    /// Whether the page is reached over TLS: by `AUTH_URL`, else by `X-Forwarded-Proto`.
    func isSecure(_ request: HTTPRequest) -> Bool {
        if let url = settings.publicURL { return url.hasPrefix("https://") }
        return request.header("X-Forwarded-Proto")?.lowercased() == "https"
    }

    /// Makes a session and the header that hands it out. Those that the browser had are over.
    func startSession(
        of user: UserID, for request: HTTPRequest, in transaction: Transaction
    ) throws -> Failure.Header {
        try endSessions(of: request, in: transaction)
        let value = Hex.encode(SecureRandom.bytes(32))
        try transaction.addSession(
            hash: Hex.encode(SHA256.hash(value)), user: user,
            expires: transaction.now.adding(seconds: Self.sessionSeconds))
        return try cookie(value, seconds: Self.sessionSeconds, for: request)
    }

    func endSessions(of request: HTTPRequest, in transaction: Transaction) throws {
        for hash in Self.sessions(of: request) { try transaction.removeSession(hash: hash) }
    }

    /// A session's cookie (api 1.2), for this site alone.
    func cookie(_ value: String, seconds: Int64, for request: HTTPRequest) throws -> Failure.Header {
        let secure = isSecure(request)
        let name = secure ? Self.secureCookie : Self.plainCookie
        let attributes =
            "HttpOnly; SameSite=Lax; Path=\(try Self.cookiePath(request)); Max-Age=\(seconds)"
            + (secure ? "; Secure" : "")
        return Failure.Header(name: "Set-Cookie", value: "\(name)=\(value); \(attributes)")
    }

    /// RFC 6265 section 5.1.4: `/tasks` is for `/tasks` and all below it, and for no `/tasks2`.
    static func cookiePath(_ request: HTTPRequest) throws(Failure) -> String {
        let prefix = try request.sitePrefix()
        return prefix.isEmpty ? "/" : prefix
    }
}
