import ApiService
import ApiStore
import Dispatch
import Domain
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing
import Time

/// A browser: keeps the cookies that it is given.
struct Browser {
    let bench: Bench
    var cookies: [String: String] = [:]
    /// Beside `Host`.
    var headers: [(name: String, value: String)] = []
    var peer = HTTPPeer.ip("192.168.1.7")

    init(_ bench: Bench) { self.bench = bench }

    mutating func call(
        _ method: String, _ target: String, form: [String: String]? = nil, json: JSONValue? = nil
    ) throws -> Answer {
        var all = headers + [("Host", "tasks.example.org")]
        if !cookies.isEmpty {
            all.append(("Cookie", cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")))
        }
        var body: [UInt8] = []
        if let form {
            all.append(("Content-Type", "application/x-www-form-urlencoded"))
            body = Array(
                form.map { "\($0.key)=\(Self.encoded($0.value))" }.sorted().joined(separator: "&").utf8)
        }
        if let json { body = try JSONCoding.encode(json) }
        let request = try HTTPRequest(
            method: method, target: target, headers: all, body: body, peer: peer)
        let answer = try Answer(bench.api.respond(to: request))
        for line in answer.all("Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            if line.contains("Max-Age=0") {
                cookies[pair[0]] = nil
            } else if pair.count == 2 {
                cookies[pair[0]] = pair[1]
            }
        }
        return answer
    }

    /// Signs in with the form's token, as the page does.
    mutating func signIn(
        _ name: String = "ann", _ password: String = Bench.passwordOfAll, _ more: [String: String] = [:]
    ) throws -> Answer {
        let token = try unwrap(try call("GET", "/api/auth/csrf").body?["csrfToken"]?.string)
        var form = ["username": name, "password": password, "csrfToken": token, "json": "true"]
        form.merge(more) { $1 }
        return try call("POST", "/api/auth/callback/credentials", form: form)
    }

    var session: String? { cookies["authjs.session-token"] ?? cookies["__Secure-authjs.session-token"] }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

@Suite("A5 to A9 Sign-in")
struct SignInTests {
    @Test func `the form lets in, with a session of seven days in a cookie that no script sees`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        let answer = try browser.signIn()
        #expect(answer.status == 200)
        #expect(answer.body?["url"] == "/")
        let cookie = try unwrap(answer.all("Set-Cookie").first { $0.hasPrefix("authjs.session-token=") })
        let attributes = Set(cookie.split(separator: ";").dropFirst().map { $0.drop { $0 == " " } })
        #expect(attributes == ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=604800"])

        let me = try browser.call("GET", "/api/auth/me")
        #expect(
            me.data == [
                "id": .int(ann.id.rawValue), "email": "ann@example.org", "name": "ann",
                "timezone": "America/Chicago", "default_grouping": "project", "is_demo": false,
            ])
        let session = try browser.call("GET", "/api/auth/session")
        #expect(session.body?["user"] == me.data)
        #expect(session.body?["expires"] == .local("10-21 10:00"))

        bench.advance(seconds: 604_799)
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
        bench.advance(seconds: 1)
        #expect(try browser.call("GET", "/api/auth/me").status == 401)
        #expect(try browser.call("GET", "/api/auth/session").body == .null)
    }

    @Test(arguments: ["ann", "ANN", "Ann@Example.org"])
    func `name and e-mail are taken without case`(_ login: String) throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        #expect(try browser.signIn(login).status == 200)
        #expect(browser.session != nil)
    }

    @Test func `a wrong password and an unknown name get the same answer and no cookie`() throws {
        let bench = try Bench()
        try bench.add()
        var answers: [Answer] = []
        for (name, password) in [("ann", "wrong"), ("nobody", Bench.passwordOfAll), ("ann", ""), ("", "x")] {
            var browser = Browser(bench)
            answers.append(try browser.signIn(name, password))
            #expect(browser.session == nil)
        }
        for answer in answers {
            #expect(answer.status == answers[0].status)
            #expect(answer.body == answers[0].body)
            #expect(answer.body?["url"]?.string?.hasSuffix("error=CredentialsSignin") == true)
        }
    }

    @Test func `without the form's token nobody gets in, also with one that we did not make`() throws {
        let bench = try Bench()
        try bench.add()
        let form = ["username": "ann", "password": Bench.passwordOfAll, "json": "true"]
        var browser = Browser(bench)
        #expect(try browser.call("POST", "/api/auth/callback/credentials", form: form).status == 400)

        // A cookie of the attacker's making, with the token that belongs to it.
        browser.cookies["authjs.csrf-token"] = "mine|" + String(repeating: "ab", count: 32)
        let forged = form.merging(["csrfToken": "mine"]) { $1 }
        #expect(try browser.call("POST", "/api/auth/callback/credentials", form: forged).status == 400)

        // The right cookie, another token.
        browser.cookies = [:]
        _ = try browser.call("GET", "/api/auth/csrf")
        let other = form.merging(["csrfToken": "other"]) { $1 }
        #expect(try browser.call("POST", "/api/auth/callback/credentials", form: other).status == 400)
        #expect(browser.session == nil)
    }

    @Test(
        arguments: [
            (["X-Forwarded-Proto": "https"], [:], true), (["X-Forwarded-Proto": "http"], [:], false),
            ([:], [:], false), ([:], ["AUTH_URL": "https://tasks.example.org"], true),
            (["X-Forwarded-Proto": "https"], ["AUTH_URL": "http://tasks.lan:3000"], false),
        ] as [([String: String], [String: String], Bool)])
    func `the cookie is Secure behind TLS only, and has the name that says so`(
        _ headers: [String: String], _ environment: [String: String], _ isSecure: Bool
    ) throws {
        let bench = try Bench(environment)
        try bench.add()
        var browser = Browser(bench)
        browser.headers = headers.map { ($0.key, $0.value) }
        let answer = try browser.signIn()
        let cookie = try unwrap(answer.all("Set-Cookie").first { $0.contains("session-token=") })
        #expect(cookie.hasPrefix("__Secure-") == isSecure)
        #expect(cookie.hasSuffix("; Secure") == isSecure)
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
    }

    @Test func `signing in again ends the session that the browser had`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        let first = browser
        _ = try browser.signIn()
        #expect(browser.session != first.session)
        var old = first
        #expect(try old.call("GET", "/api/auth/me").status == 401)
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
    }

    @Test func `A4: a session from a token ends the one that the browser had, under either name`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        browser.headers = [("X-Forwarded-Proto", "https")]
        _ = try browser.signIn()
        let secure = browser
        #expect(browser.cookies.keys.contains("__Secure-authjs.session-token"))
        browser.headers = [("Authorization", "Bearer \(ann.token)")]
        #expect(try browser.call("POST", "/api/auth/session-from-token").status == 200)
        #expect(try bench.count("session") == 1)
        var old = secure
        #expect(try old.call("GET", "/api/auth/me").status == 401)
        // The dead one under the other name does not stand in the way of the new one.
        browser.headers = []
        #expect(browser.cookies.count == 3)
        #expect(try browser.call("GET", "/api/auth/me")["name"] == "ann")
    }

    @Test func `A7: a cookie that the attacker has chosen is no session after the sign-in`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        browser.cookies["authjs.session-token"] = "chosen"
        _ = try browser.signIn()
        #expect(browser.session != "chosen")
        var thief = Browser(bench)
        thief.cookies["authjs.session-token"] = "chosen"
        #expect(try thief.call("GET", "/api/auth/me").status == 401)
    }

    @Test func `A7, A9: a form that another site has sent is refused`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        browser.headers = [("Origin", "https://evil.example")]
        expectRefused(try browser.signIn(), 403, "FORBIDDEN")
        browser.headers = [("Origin", "https://tasks.example.org")]
        #expect(try browser.signIn().status == 200)
        let token = try unwrap(try browser.call("GET", "/api/auth/csrf").body?["csrfToken"]?.string)
        browser.headers = [("Sec-Fetch-Site", "cross-site")]
        expectRefused(
            try browser.call("POST", "/api/auth/signout", form: ["csrfToken": token]), 403, "FORBIDDEN")
        browser.headers = []
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
    }

    @Test func `signing out ends the session and takes the cookie away`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        var copy = browser
        expectRefused(try browser.call("POST", "/api/auth/signout", form: [:]), 403, "FORBIDDEN")
        #expect(try browser.call("GET", "/api/auth/me").status == 200)

        let token = try unwrap(try browser.call("GET", "/api/auth/csrf").body?["csrfToken"]?.string)
        let answer = try browser.call(
            "POST", "/api/auth/signout", form: ["csrfToken": token, "json": "true"])
        #expect(answer.status == 200)
        #expect(browser.session == nil)
        #expect(try copy.call("GET", "/api/auth/me").status == 401)
    }

    @Test(arguments: [
        ("/?task=7", "/?task=7"), ("https://evil.example", "/"), ("//evil.example", "/"),
        ("/\\evil.example", "/"), ("/a\nb", "/"), ("javascript:alert(1)", "/"),
    ])
    func `the way back leads nowhere but here`(_ wanted: String, _ url: String) throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        let answer = try browser.signIn(
            "ann", Bench.passwordOfAll, ["callbackUrl": wanted, "json": "false"])
        #expect(answer.status == 303)
        #expect(answer.header("Location") == url)
    }

    @Test func `A6 names the one provider`() throws {
        let bench = try Bench()
        let providers = try bench.call("GET", "/api/auth/providers")
        #expect(providers.status == 200)
        #expect(providers.body?["credentials"]?["id"] == "credentials")
    }
}

@Suite("api 1.9 Failed sign-ins")
struct LockTests {
    private func fail(_ bench: Bench, _ name: String = "ann") throws -> Answer {
        var browser = Browser(bench)
        return try browser.signIn(name, "wrong")
    }

    private func signIn(_ bench: Bench) throws -> Answer {
        var browser = Browser(bench)
        return try browser.signIn()
    }

    @Test func `five failures within 15 minutes lock the name for 30 s, each further one for twice as long`()
        throws
    {
        let bench = try Bench()
        try bench.add()
        for _ in 1...4 { #expect(try fail(bench).status != 429) }
        #expect(try signIn(bench).status == 200, "four failures do not lock, and a success clears them")
        for _ in 1...5 { #expect(try fail(bench).status != 429) }

        bench.advance(seconds: 1)
        let locked = try signIn(bench)
        expectRefused(locked, 429, "RATE_LIMITED")
        #expect(locked.header("Retry-After") == "29")
        #expect(try fail(bench, "ANN").status == 429, "names are one without case")
        #expect(try fail(bench, "bob").status != 429, "others are not locked")

        bench.advance(seconds: 29)
        #expect(try fail(bench).status != 429)
        #expect(try signIn(bench).header("Retry-After") == "60")
        bench.advance(seconds: 60)
        #expect(try signIn(bench).status == 200)
        #expect(try fail(bench).status != 429, "a success clears the count")
    }

    @Test func `a name that nobody has is locked like any other`() throws {
        let bench = try Bench()
        try bench.add()
        for name in ["ann", "nobody"] {
            for _ in 1...5 { #expect(try fail(bench, name).status == 401) }
        }
        let locked = try ["ann", "nobody"].map { try fail(bench, $0) }
        for answer in locked { #expect(answer.status == 429 && answer.header("Retry-After") == "30") }
        #expect(locked[0].body == locked[1].body)
    }

    @Test func `six tries at once are not more than five`() throws {
        let bench = try Bench()
        try bench.add()
        for _ in 1...4 { _ = try fail(bench) }
        let answers = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            let status = (try? fail(bench).status) ?? 0
            answers.withLock { $0.append(status) }
        }
        #expect(answers.withLock { $0.sorted() } == [401, 429, 429])
        #expect(try bench.rows("SELECT failures FROM login_failure") == ["5"])
    }

    @Test func `what is too long to be a name is neither kept nor let in`() throws {
        let bench = try Bench()
        try bench.add()
        let long = String(repeating: "x", count: 2000)
        for _ in 1...6 { #expect(try fail(bench, long).status == 401) }
        #expect(try bench.count("login_failure") == 0)
    }

    @Test(arguments: [("1", [Int](repeating: 401, count: 6)), ("", [401, 401, 401, 401, 401, 429])])
    func `the demo account is exempt when there is one`(_ mode: String, _ expected: [Int]) throws {
        let bench = try Bench(["NEXT_PUBLIC_DEMO_MODE": mode])
        try bench.add()
        try bench.change("UPDATE user SET is_demo = 1")
        #expect(try (1...6).map { _ in try fail(bench).status } == expected)
    }

    @Test func `failures are forgotten after a day`() throws {
        let bench = try Bench()
        try bench.add()
        _ = try fail(bench)
        let purge = { try bench.store.write(at: bench.clock) { try $0.purge() } }
        bench.advance(seconds: 86_400)
        try purge()
        #expect(try bench.count("login_failure") == 1)
        bench.advance(seconds: 1)
        try purge()
        #expect(try bench.count("login_failure") == 0)
    }

    @Test func `the window of 15 minutes runs from the first failure`() throws {
        let bench = try Bench()
        try bench.add()
        for _ in 1...4 { _ = try fail(bench) }
        bench.advance(seconds: 15 * 60)
        _ = try fail(bench)
        #expect(try signIn(bench).status == 200)
    }
}
