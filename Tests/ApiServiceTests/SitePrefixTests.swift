import ApiService
import JSON
import Testing

@Suite("X-Forwarded-Prefix: below a path of a proxy")
struct SitePrefixTests {
    private func browser(_ bench: Bench, _ prefix: String...) -> Browser {
        var browser = Browser(bench)
        browser.headers = prefix.map { ("X-Forwarded-Prefix", $0) }
        return browser
    }

    @Test(arguments: ["/tasks", "/tasks/", "/a/b-c_d.e~f"])
    func `every address and every cookie of signing in lies below it`(_ header: String) throws {
        let bench = try Bench()
        try bench.add()
        let prefix = header.hasSuffix("/") ? String(header.dropLast()) : header
        var browser = browser(bench, header)
        #expect(try browser.call("GET", "/").header("Location") == "\(prefix)/login?callbackUrl=\(prefix)/")
        #expect(
            try browser.call("GET", "/?task=5").header("Location")
                == "\(prefix)/login?callbackUrl=\(prefix)/%3Ftask%3D5")
        let wrong = try browser.signIn("ann", "wrong")
        #expect(wrong.body?["url"]?.string == "\(prefix)/login?error=CredentialsSignin")
        let answer = try browser.signIn()
        #expect(answer.body?["url"]?.string == "\(prefix)/")
        let cookies = answer.all("Set-Cookie") + (try browser.call("GET", "/api/auth/csrf").all("Set-Cookie"))
        #expect(cookies.count == 2)
        for cookie in cookies {
            #expect(cookie.contains("; Path=\(prefix);") || cookie.hasSuffix("Path=\(prefix)"))
        }
        let token = try unwrap(browser.cookies["authjs.csrf-token"]?.split(separator: "|").first)
        let out = try browser.call(
            "POST", "/api/auth/signout", form: ["csrfToken": String(token), "json": "true"])
        #expect(out.body?["url"]?.string == "\(prefix)/login")
        #expect(out.all("Set-Cookie").contains { $0.contains("Max-Age=0") && $0.contains("Path=\(prefix);") })
    }

    @Test func `without it everything lies at the root`() throws {
        let bench = try Bench()
        try bench.add()
        var browser = browser(bench)
        #expect(try browser.call("GET", "/").header("Location") == "/login?callbackUrl=/")
        let answer = try browser.signIn()
        #expect(answer.body?["url"] == "/")
        #expect(answer.all("Set-Cookie").allSatisfy { $0.contains("; Path=/;") })
    }

    @Test(arguments: [
        "tasks", "//evil.example", "/\\evil.example", "/a//b", "/a/../b", "/a/.", "/a;Domain=x", "/a b", "/ä",
        "/%2e",
        "/a,/b", "https://evil.example/",
    ])
    func `what is no plain path is refused`(_ header: String) throws {
        let bench = try Bench()
        var browser = browser(bench, header)
        expectRefused(try browser.call("GET", "/"), 400, "VALIDATION_ERROR")
        expectRefused(try browser.call("GET", "/api/auth/csrf"), 400, "VALIDATION_ERROR")
    }

    @Test func `given twice it is refused`() throws {
        let bench = try Bench()
        var browser = browser(bench, "/tasks", "/tasks")
        expectRefused(try browser.call("GET", "/"), 400, "VALIDATION_ERROR")
    }
}
