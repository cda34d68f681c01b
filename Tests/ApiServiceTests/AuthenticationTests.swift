import ApiService
import Crypto
import Domain
import HTTPServer
import JSON
import Testing
import Time

@Suite("api 1.2 Who asks")
struct AuthenticationTests {
    @Test func `a Bearer token that is too short or unknown is refused at once, whatever else is sent`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        #expect(try browser.call("GET", "/api/auth/me").status == 200)

        let unknown = String(repeating: "0", count: 64)
        for token in [
            "", "short", String(ann.token.prefix(31)), unknown, ann.token + "0", ann.token.uppercased(),
        ] {
            browser.headers = [("Authorization", "Bearer \(token)")]
            expectRefused(try browser.call("GET", "/api/auth/me"), 401, "UNAUTHORIZED")
        }
        // Another scheme is none of ours: the cookie counts.
        browser.headers = [("Authorization", "Basic YW5uOng=")]
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
        browser.headers = [("Authorization", "bearer \(ann.token)")]
        #expect(try browser.call("GET", "/api/auth/me").status == 200)
        browser.cookies = [:]
        #expect(try browser.call("GET", "/api/auth/me").status == 401)
    }

    @Test func `only the hash of a token is stored`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let expected = Hex.encode(SHA256.hash(ann.token))
        #expect(
            try bench.rows("SELECT hash || ' ' || preview FROM token") == [
                "\(expected) \(ann.token.suffix(8))"
            ])
        for table in ["token", "session", "user", "setting"] {
            let columns = try bench.rows(
                "SELECT group_concat(quote(name), '||') FROM pragma_table_info('\(table)')")
            #expect(!columns.isEmpty)
        }
    }

    @Test func `the last use of a token is noted to the hour, by one write`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        func used() throws -> [String] { try bench.rows("SELECT coalesce(last_used_at, 0) FROM token") }
        _ = try bench.call("GET", "/api/auth/me", as: ann)
        let first = bench.now
        #expect(try used() == ["\(first.seconds)"])
        bench.advance(seconds: 3599)
        for _ in 1...3 { _ = try bench.call("GET", "/api/auth/me", as: ann) }
        #expect(try used() == ["\(first.seconds)"])
        bench.advance(seconds: 1)
        _ = try bench.call("GET", "/api/auth/me", as: ann)
        #expect(try used() == ["\(first.seconds + 3600)"])
    }

    @Test func `A4 makes a session from a token, and from nothing else`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        browser.headers = [("Authorization", "Bearer \(ann.token)")]
        let answer = try browser.call("POST", "/api/auth/session-from-token")
        #expect(answer.status == 200)
        #expect(answer.data == ["ok": true])
        browser.headers = []
        #expect(try browser.call("GET", "/api/auth/me")["name"] == "ann")
        // With a session alone it never falls back.
        expectRefused(try browser.call("POST", "/api/auth/session-from-token"), 401, "UNAUTHORIZED")
        browser.headers = [("Authorization", "Basic YW5uOng=")]
        expectRefused(try browser.call("POST", "/api/auth/session-from-token"), 401, "UNAUTHORIZED")
    }

    @Test(arguments: [
        ("http://tasks.example.org", 201), ("https://tasks.example.org", 201),
        ("https://TASKS.example.org", 201), ("https://evil.example", 403), ("null", 403), ("", 403),
        ("https://tasks.example.org.evil.example", 403), ("https://tasks.example.org:8443", 403),
    ])
    func `a write by cookie from another site is refused`(_ origin: String, _ status: Int) throws {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        browser.headers = [("Origin", origin)]
        let before = try bench.count("task")
        let answer = try browser.call("POST", "/api/tasks", form: ["title": "x"])
        // A form is no JSON: what passes the check of the site fails later.
        #expect((answer.status == 403) == (status == 403))
        #expect(try bench.count("task") == before)
        #expect(try browser.call("GET", "/api/tasks").status == 200, "reading is free")

        // Tokens are not sent by a browser on its own.
        let byToken = try bench.call(
            "POST", "/api/tasks", ["title": "x"], as: ann, headers: [("Origin", origin)])
        #expect(byToken.status == 201)
    }

    @Test(
        arguments: [
            ([("Sec-Fetch-Site", "cross-site")], 403), ([("Sec-Fetch-Site", "same-site")], 400),
            ([("Sec-Fetch-Site", "same-site"), ("Origin", "https://other.example.org")], 403),
            // A proxy that names itself as the host: the browser knows better.
            ([("Sec-Fetch-Site", "same-origin"), ("Origin", "https://front.example.org")], 400),
            ([("Sec-Fetch-Site", "none")], 400),
            ([("Origin", "null"), ("Sec-Fetch-Site", "cross-site")], 403),
            ([("Origin", "://tasks.example.org")], 403), ([("Origin", "tasks.example.org")], 403),
            ([("Origin", "ftp://tasks.example.org")], 403), ([("Origin", "https://")], 403),
        ] as [([(String, String)], Int)])
    func `what the browser says of the page counts`(_ headers: [(String, String)], _ status: Int) throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        browser.headers = headers.map { (name: $0.0, value: $0.1) }
        #expect(try browser.call("POST", "/api/undo").status == status)
    }

    @Test func `a proxy signs in a browser on its own: what another site sends through it is refused`() throws
    {
        let bench = try Bench(["OPENTASK_PROXY_AUTH_HEADER": "Remote-User"])
        try bench.add()
        var browser = Browser(bench)
        browser.peer = .ip("127.0.0.1")
        browser.headers = [("Remote-User", "ann")]
        #expect(try browser.call("POST", "/api/undo").status == 400)
        browser.headers.append(("Origin", "https://elsewhere.example"))
        #expect(try browser.call("POST", "/api/undo").status == 400, "Origin is not looked at (1.2)")
        browser.headers.append(("Sec-Fetch-Site", "cross-site"))
        #expect(try browser.call("POST", "/api/undo").status == 403)
        #expect(try browser.call("GET", "/api/tasks").status == 200)
    }

    @Test func `a write without Origin passes, and so does one from the public address`() throws {
        let bench = try Bench(["AUTH_URL": "https://public.example/"])
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        #expect(try browser.call("POST", "/api/undo").status == 400, "nothing to undo, but let in")
        browser.headers = [("Origin", "https://public.example")]
        #expect(try browser.call("POST", "/api/undo").status == 400)
        browser.headers = [("Origin", "https://private.example")]
        #expect(try browser.call("POST", "/api/undo").status == 403)
    }

    @Test func `the proxy's header counts from a proxy that is trusted, and only when it is set up`() throws {
        func status(
            _ environment: [String: String], _ peer: HTTPPeer, _ values: [String]
        ) throws -> Int {
            let bench = try Bench(environment)
            try bench.add()
            let request = try HTTPRequest(
                method: "GET", target: "/api/auth/me", headers: values.map { ("Remote-User", $0) }, peer: peer
            )
            return bench.api.respond(to: request).status
        }
        let on = ["OPENTASK_PROXY_AUTH_HEADER": "Remote-User"]
        #expect(try status(on, .unix, ["ANN"]) == 200)
        #expect(try status(on, .ip("127.0.0.1"), ["ann"]) == 200)
        #expect(try status(on, .ip("::1"), ["ann"]) == 200)
        #expect(try status(on, .ip("192.168.1.5"), ["ann"]) == 401)
        #expect(try status([:], .unix, ["ann"]) == 401)
        #expect(try status(on, .unix, ["nobody"]) == 401)
        #expect(try status(on, .unix, ["ann", "bob"]) == 400)
        #expect(try status(on, .unix, [""]) == 401)
        let range = on.merging(["OPENTASK_TRUSTED_PROXIES": "10.1.0.0/16, fd00:1::/32"]) { $1 }
        #expect(try status(range, .ip("10.1.200.3"), ["ann"]) == 200)
        #expect(try status(range, .ip("10.2.0.1"), ["ann"]) == 401)
        #expect(try status(range, .ip("fd00:1:2::3"), ["ann"]) == 200)
        #expect(try status(range, .ip("fd01::3"), ["ann"]) == 401)
        #expect(try status(range, .unix, ["ann"]) == 401)
    }

    @Test(arguments: ["0.0.0.0/0", "::/0", "10.0.0.0/33", "10.0.0.0/", "proxy", "10.0.0.0/x"])
    func `a range of proxies that trusts everybody or is none is refused at the start`(_ range: String) {
        #expect(throws: (any Error).self) { try Bench(["OPENTASK_TRUSTED_PROXIES": range]) }
    }

    @Test func `without credentials every operation of a person is refused`() throws {
        let bench = try Bench()
        for (method, path) in [
            ("GET", "/api/auth/me"), ("POST", "/api/auth/session-from-token"), ("GET", "/api/tasks"),
            ("POST", "/api/tasks"), ("GET", "/api/tasks/counts"), ("GET", "/api/tasks/1"),
            ("PATCH", "/api/tasks/1"), ("DELETE", "/api/tasks/1"), ("POST", "/api/tasks/1/done"),
            ("POST", "/api/tasks/1/undone"), ("POST", "/api/tasks/1/snooze"),
            ("POST", "/api/tasks/1/restore"),
            ("POST", "/api/tasks/bulk/snooze-overdue"), ("GET", "/api/projects"), ("POST", "/api/projects"),
            ("GET", "/api/labels"), ("POST", "/api/labels"), ("POST", "/api/undo"), ("POST", "/api/redo"),
            ("GET", "/api/undo/status"), ("POST", "/api/notifications/dismiss-all"),
            ("GET", "/api/sync/stream"), ("POST", "/api/push/test"), ("POST", "/api/push/subscribe"),
            ("DELETE", "/api/push/subscribe"), ("POST", "/api/push/apns/register"),
            ("DELETE", "/api/push/apns/register"), ("POST", "/api/notifications/actions"),
        ] {
            expectRefused(try bench.call(method, path), 401, "UNAUTHORIZED")
        }
    }
}
