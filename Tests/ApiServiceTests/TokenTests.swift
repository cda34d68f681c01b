import Crypto
import Domain
import HTTPServer
import JSON
import Testing
import Time

@Suite("A10 to A13 Tokens")
struct TokenTests {
    private func makeDemo(_ person: Bench.Person, _ bench: Bench) throws {
        try bench.change("UPDATE user SET is_demo = 1 WHERE id = \(person.id.rawValue)")
    }

    @Test func `A11: the value is told once, and only its hash is stored`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.call("POST", "/api/tokens", ["name": "  Shortcuts "], as: ann)
        #expect(made.status == 201)
        let token = try unwrap(made["token"].string)
        #expect(made.data == ["id": made["id"], "name": "Shortcuts", "token": .string(token)])
        #expect(token.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(
            try bench.rows("SELECT hash || ' ' || source FROM token WHERE id = \(made.id)") == [
                "\(Hex.encode(SHA256.hash(token))) manual"
            ])
        let bearer = [(name: "Authorization", value: "Bearer \(token)")]
        #expect(try bench.call("GET", "/api/auth/me", headers: bearer)["name"] == "ann")
    }

    @Test func `A10: newest first, without values, with their last use to the hour`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        bench.advance(seconds: 60)
        let made = try bench.call("POST", "/api/tokens", ["name": "Shortcuts"], as: ann)
        let token = try unwrap(made["token"].string)
        let listed = try bench.call("GET", "/api/tokens", as: ann)
        #expect(listed.status == 200)
        let tokens = try unwrap(listed["tokens"].array)
        #expect(tokens.map { $0["name"] } == ["Shortcuts", "test"])
        #expect(
            tokens[0].object == [
                "id": made["id"], "name": "Shortcuts", "token_preview": .string(String(token.suffix(8))),
                "created_at": .local("10:01"), "last_used_at": .null,
            ])
        #expect(tokens[1]["last_used_at"] == .local("10:01"), "this very call uses it")
        #expect(!"\(listed.data)".contains(token))
        let bobs = try unwrap(try bench.call("GET", "/api/tokens", as: bob)["tokens"].array)
        #expect(bobs.map { $0["name"] } == ["test"])
    }

    @Test(
        arguments: [
            [:], ["name": ""], ["name": " \n"], ["name": 5], ["name": .null],
            ["name": .string(String(repeating: "x", count: 101))], ["name": "a\u{0}b"],
        ] as [JSONValue])
    func `A11: what is no name is refused`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        expectRefused(
            try bench.call("POST", "/api/tokens", body, as: ann), 400, "VALIDATION_ERROR", culprit: "name")
        #expect(try bench.count("token") == 1)
    }

    @Test func `A11, A-4: the value is not kept for a repetition, which makes no second one`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let key = [(name: "Idempotency-Key", value: "k1")]
        let first = try bench.call("POST", "/api/tokens", ["name": "a"], as: ann, headers: key)
        #expect(first.status == 201)
        let token = try unwrap(first["token"].string)
        let again = try bench.call("POST", "/api/tokens", ["name": "a"], as: ann, headers: key)
        expectRefused(again, 409, "CONFLICT")
        #expect(try bench.count("token") == 2)
        let kept = try bench.rows("SELECT coalesce(body, '') FROM request")
        #expect(kept.count == 1 && !kept[0].contains(token))
    }

    @Test func `A12: it stops working at once, also the one of this call; a repeat and a stranger find none`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let made = try bench.call("POST", "/api/tokens", ["name": "a"], as: ann)
        let bearer = [(name: "Authorization", value: "Bearer \(made["token"].string ?? "")")]
        expectRefused(try bench.call("DELETE", "/api/tokens/\(made.id)", as: bob), 404, "NOT_FOUND")
        #expect(try bench.call("GET", "/api/auth/me", headers: bearer).status == 200)

        let gone = try bench.call("DELETE", "/api/tokens/\(made.id)", headers: bearer)
        #expect(gone.status == 200 && gone.data == ["deleted": true])
        #expect(try bench.call("GET", "/api/auth/me", headers: bearer).status == 401)
        expectRefused(try bench.call("DELETE", "/api/tokens/\(made.id)", as: ann), 404, "NOT_FOUND")
        expectRefused(try bench.call("DELETE", "/api/tokens/0", as: ann), 400, "VALIDATION_ERROR")
    }

    @Test func `the demo account makes, ends and provisions none`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        try makeDemo(ann, bench)
        expectRefused(
            try bench.call("POST", "/api/tokens", ["name": "a"], as: ann), 403, "FORBIDDEN")
        expectRefused(try bench.call("DELETE", "/api/tokens/1", as: ann), 403, "FORBIDDEN")
        expectRefused(try browser.provision(["has_local_token": false]), 403, "FORBIDDEN")
        #expect(try bench.count("token") == 1)
    }

    @Test func `A13: the four states of a shell`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        func phones() throws -> [String] {
            try bench.rows("SELECT preview FROM token WHERE source = 'ios' ORDER BY id")
        }

        // None yet, whatever the shell says that it holds.
        let first = try browser.provision(["has_local_token": true, "local_token_preview": "deadbeef"])
        #expect(first.status == 201 && first["status"] == "provisioned")
        let token = try unwrap(first["token"].string)
        #expect(try phones() == [String(token.suffix(8))])
        let bearer = [(name: "Authorization", value: "Bearer \(token)")]
        let listed = try bench.call("GET", "/api/tokens", headers: bearer)["tokens"].array ?? []
        #expect(listed.first?["name"] == "iOS App")

        // Its own, or it does not say which.
        for body: JSONValue in [
            ["has_local_token": true], ["has_local_token": true, "local_token_preview": .null],
            ["has_local_token": true, "local_token_preview": .string(String(token.suffix(8)))],
        ] {
            let same = try browser.provision(body)
            #expect(same.status == 200 && same.data == ["status": "active"])
        }
        #expect(try phones().count == 1)

        // Another user's.
        let other = try browser.provision(["has_local_token": true, "local_token_preview": "deadbeef"])
        #expect(other.status == 201)
        #expect(try phones().count == 2)
        #expect(try bench.call("GET", "/api/auth/me", headers: bearer).status == 200, "the old ones stay")

        // Lost: the first goes.
        let lost = try browser.provision(["has_local_token": false])
        #expect(lost.status == 201)
        let now = try phones()
        #expect(
            now == [other, lost].map { String(($0["token"].string ?? "").suffix(8)) })
        #expect(try bench.call("GET", "/api/auth/me", headers: bearer).status == 401)
    }

    @Test func `A13: a session only: tokens do not breed`() throws {
        let bench = try Bench(["OPENTASK_PROXY_AUTH_HEADER": "Remote-User"])
        let ann = try bench.add()
        let body: JSONValue = ["has_local_token": false]
        let path = "/api/tokens/provision"
        expectRefused(try bench.call("POST", path, body, as: ann), 403, "FORBIDDEN")
        expectRefused(try bench.call("POST", path, body), 401, "UNAUTHORIZED")
        let unknown = [(name: "Authorization", value: "Bearer " + String(repeating: "0", count: 64))]
        expectRefused(try bench.call("POST", path, body, headers: unknown), 401, "UNAUTHORIZED")

        // With a session too, the token decides.
        var browser = Browser(bench)
        _ = try browser.signIn()
        browser.headers = [("Authorization", "Bearer \(ann.token)")]
        expectRefused(try browser.provision(body), 403, "FORBIDDEN")
        browser.headers = [("Remote-User", "ann")]
        browser.peer = .unix
        expectRefused(try browser.provision(body), 401, "UNAUTHORIZED")
        browser.headers = []
        for bad: JSONValue in [[:], ["has_local_token": "yes"], ["has_local_token": .null]] {
            expectRefused(try browser.provision(bad), 400, "VALIDATION_ERROR", culprit: "has_local_token")
        }
        browser.headers = [("Origin", "https://evil.example")]
        expectRefused(try browser.provision(body), 403, "FORBIDDEN")
        #expect(try bench.count("token WHERE source = 'ios'") == 0)
    }
}

extension Browser {
    fileprivate mutating func provision(_ body: JSONValue) throws -> Answer {
        try call("POST", "/api/tokens/provision", json: body)
    }
}
