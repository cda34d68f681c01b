import ApiStore
import Crypto
import Domain
import HTTPServer
import JSON
import Time

/// A3 to A9: who am I, sessions, the sign-in form.
struct SignInRoutes: RouteGroup {
    private let parts: Parts
    private let authentication: Authentication
    private let door = PasswordDoor()

    private static let csrfCookie = "authjs.csrf-token"

    init(parts: Parts, authentication: Authentication) {
        self.parts = parts
        self.authentication = authentication
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/auth/me", Route(answer: me))
        routes.add("POST", "/api/auth/session-from-token", Route(.token, answer: sessionFromToken))
        routes.add("GET", "/api/auth/csrf", Route(.anyone, answer: csrf))
        routes.add("GET", "/api/auth/providers", Route(.anyone, answer: providers))
        routes.add(
            "POST", "/api/auth/callback/credentials", Route(.anyone, bodyLimit: 16 << 10, answer: signIn))
        routes.add("GET", "/api/auth/session", Route(.anyone, answer: session))
        routes.add("POST", "/api/auth/signout", Route(.anyone, bodyLimit: 16 << 10, answer: signOut))
    }

    private func me(_ request: Request) throws -> HTTPResponse {
        let user = try request.caller.user
        return .data { writer in writer.object { write(user, to: &$0) } }
    }

    private func write(_ user: User, to writer: inout JSONWriter) {
        writer.member("id", user.id.rawValue)
        writer.member("email", user.email)
        writer.member("name", user.name)
        writer.member("timezone", user.preferences.zone.name)
        writer.member("default_grouping", user.defaultGrouping)
        writer.member("is_demo", user.isDemo)
    }

    private func sessionFromToken(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let cookie = try parts.store.write(at: parts.clock) { transaction in
            try authentication.startSession(of: caller.id, for: request.http, in: transaction)
        }
        parts.commits.raise()
        var response = HTTPResponse.data { writer in writer.object { $0.member("ok", true) } }
        response.headers.append((cookie.name, cookie.value))
        return response
    }

    // The form: a token in the body must equal the one in the cookie, and the cookie must be one that we made.

    private func csrf(_ request: Request) throws -> HTTPResponse {
        let secret = try secret()
        let token = csrfToken(in: request.http, secret: secret) ?? SecureRandom.token()
        var writer = JSONWriter(capacity: 128)
        writer.object { $0.member("csrfToken", token) }
        var response = HTTPResponse.json(writer.bytes)
        let secure = authentication.isSecure(request.http) ? "; Secure" : ""
        response.headers.append(
            (
                "Set-Cookie",
                "\(Self.csrfCookie)=\(token)|\(seal(token, secret)); HttpOnly; SameSite=Lax; "
                    + "Path=\(try Authentication.cookiePath(request.http))\(secure)"
            ))
        return response
    }

    private func seal(_ token: String, _ secret: [UInt8]) -> String {
        Hex.encode(HMACSHA256.code(Array(token.utf8), key: secret))
    }

    private func csrfToken(in request: HTTPRequest, secret: [UInt8]) -> String? {
        let parts =
            request.cookie(Self.csrfCookie)?.split(separator: "|", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2, let code = Hex.decode(parts[1]),
            HMACSHA256.isValid(code, for: Array(parts[0].utf8), key: secret)
        else { return nil }
        return parts[0]
    }

    /// Made at the first need and kept.
    private func secret() throws -> [UInt8] {
        if let kept = try parts.store.read({ try $0.setting("auth_secret") }) { return Array(kept.utf8) }
        return try parts.store.write(at: parts.clock) { transaction in
            if let kept = try transaction.setting("auth_secret") { return Array(kept.utf8) }
            let made = SecureRandom.token()
            try transaction.setSetting("auth_secret", made)
            return Array(made.utf8)
        }
    }

    private func providers(_ request: Request) throws -> HTTPResponse {
        .json(
            Array(
                #"{"credentials":{"id":"credentials","name":"Name and password","type":"credentials"}}"#.utf8)
        )
    }

    /// A7. A wrong name and a wrong password look and take the same.
    private func signIn(_ request: Request) throws -> HTTPResponse {
        try authentication.checkSite(of: request.http, byOrigin: true)
        let form = try Form(request.http)
        let prefix = try request.http.sitePrefix()
        guard let token = csrfToken(in: request.http, secret: try secret()), form["csrfToken"] == token else {
            return redirect(form, request, to: "\(prefix)/login?error=MissingCSRF", status: 400)
        }
        let login = (form["username"] ?? "").trimmed
        try checkLock(of: login)  // before the queue, which those who are locked would only lengthen
        let cookie = try door.enter { () -> Failure.Header? in
            let user = try parts.store.read { try $0.user(login: login) }
            // Everybody knows its password (api 1.9).
            let isExempt = parts.settings.isDemo && user?.isDemo == true
            if !isExempt { try checkLock(of: login) }
            let hash = try user.flatMap { user in try parts.store.read { try $0.passwordHash(of: user.id) } }
            guard PasswordHash.verify(form["password"] ?? "", hash ?? PasswordHash.decoy), let user else {
                // A name that is too long to be one is not kept, and needs no lock.
                if !isExempt, login.utf8.count <= 1024 {
                    try parts.store.write(at: parts.clock) { try $0.loginFailed(login) }
                }
                return nil
            }
            return try parts.store.write(at: parts.clock) { transaction in
                try transaction.loginSucceeded(login)
                return try authentication.startSession(of: user.id, for: request.http, in: transaction)
            }
        }
        guard let cookie else {
            return redirect(form, request, to: "\(prefix)/login?error=CredentialsSignin", status: 401)
        }
        parts.commits.raise()
        var response = redirect(form, request, to: form.callback ?? "\(prefix)/", status: 200)
        response.headers.append((cookie.name, cookie.value))
        return response
    }

    /// - Throws: 429 while the name is locked, whether anybody has it or not.
    private func checkLock(of login: String) throws {
        let now = parts.clock.now()
        if let until = try parts.store.read({ try $0.lockedUntil(login: login, now: now) }) {
            throw Failure.rateLimited(seconds: until.seconds(since: now))
        }
    }

    /// A script is told the address as JSON, a form is sent there.
    private func redirect(_ form: Form, _ request: Request, to path: String, status: Int) -> HTTPResponse {
        let wantsJSON = form["json"] == "true" || request.http.header("X-Auth-Return-Redirect") == "1"
        guard wantsJSON else {
            return HTTPResponse(status: 303, headers: [("Location", path), ("Cache-Control", "no-store")])
        }
        var writer = JSONWriter(capacity: 128)
        writer.object { $0.member("url", path) }
        return .json(status: status, writer.bytes)
    }

    private func session(_ request: Request) throws -> HTTPResponse {
        guard let caller = try? authentication.caller(of: request.http),  // A8 never answers 401
            case .session(let hash) = caller.method,
            let expires = try parts.store.read({ try $0.sessionExpiry(hash: hash) })
        else { return .json(Array("null".utf8)) }
        var writer = JSONWriter()
        writer.object { writer in
            writer.object("user") { write(caller.user, to: &$0) }
            writer.member("expires", expires.iso8601)
        }
        return .json(writer.bytes)
    }

    /// A9.
    private func signOut(_ request: Request) throws -> HTTPResponse {
        try authentication.checkSite(of: request.http, byOrigin: true)
        let form = try Form(request.http)
        guard let token = csrfToken(in: request.http, secret: try secret()), form["csrfToken"] == token else {
            throw Failure.forbidden("The sign-out form has expired: load the page again")
        }
        try parts.store.write(at: parts.clock) { try authentication.endSessions(of: request.http, in: $0) }
        parts.commits.raise()
        var response = redirect(form, request, to: "\(try request.http.sitePrefix())/login", status: 200)
        let gone = try authentication.cookie("", seconds: 0, for: request.http)
        response.headers.append((gone.name, gone.value))
        return response
    }
}
