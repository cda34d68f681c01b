import FoundationEssentials
import HTTPServer
import Testing

@Suite("The web app's files, and the way to the sign-in page")
struct PageTests {
    private func bench() throws -> Bench {
        let bench = try Bench()
        for (path, text) in [
            ("web/index.html", "<h1>app"), ("web/login.html", "<h1>login"), ("web/app/main.js", "export {}"),
            ("web/app.css", "b {}"), ("secret.txt", "s"),
        ] {
            try text.write(toFile: "\(bench.folder)/\(path)", atomically: false, encoding: .utf8)
        }
        return bench
    }

    @Test(arguments: [
        ("/", "/login?callbackUrl=/"), ("/?task=7", "/login?callbackUrl=/%3Ftask%3D7"),
        ("/?filter=overdue&x=1", "/login?callbackUrl=/%3Ffilter%3Doverdue%26x%3D1"),
        ("/?q=a%26b%3Dc%20d", "/login?callbackUrl=/%3Fq%3Da%2526b%253Dc%2520d"),
        ("/?q=%C3%A9", "/login?callbackUrl=/%3Fq%3D%25C3%25A9"),
    ])
    func `who is not signed in is led to the sign-in page, which leads back`(
        _ target: String, _ location: String
    ) throws {
        let answer = try bench().call("GET", target)
        #expect(answer.status == 303)
        #expect(answer.header("Location") == location)
        #expect(answer.header("Cache-Control") == "no-store")
    }

    @Test func `who is signed in gets the app, with a policy that allows nothing inline`() throws {
        let bench = try bench()
        try bench.add()
        var browser = Browser(bench)
        _ = try browser.signIn()
        let answer = try browser.call("GET", "/?task=7")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        let policy = try unwrap(answer.header("Content-Security-Policy"))
        let directives = policy.split(separator: ";").map { String($0.drop { $0 == " " }) }
        #expect(directives.contains("default-src 'self'"))
        #expect(directives.contains("script-src 'self'"))
        #expect(directives.contains("frame-ancestors 'none'"))
        #expect(directives.contains("form-action 'self'"))
        #expect(!policy.contains("unsafe") && !policy.contains("*"))
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
    }

    @Test(arguments: [
        ("/login", "text/html; charset=utf-8"), ("/app/main.js", "text/javascript; charset=utf-8"),
        ("/app.css", "text/css; charset=utf-8"),
    ])
    func `files have their types, and a tag by which they are asked for again`(_ path: String, _ type: String)
        throws
    {
        let bench = try bench()
        let answer = try bench.call("GET", path)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == type)
        let tag = try unwrap(answer.header("ETag"))
        let again = try bench.call("GET", path, headers: [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.body == nil)
        #expect(try bench.call("GET", path, headers: [("If-None-Match", "\"other\"")]).status == 200)
    }

    @Test(arguments: [
        "/nothing.js", "/../secret.txt", "/%2e%2e/secret.txt", "/app/..%2f..%2fsecret.txt", "/app", "/app/",
        "//app.css", "/.git/config", "/web/index.html",
    ])
    func `there is no way out of the folder`(_ target: String) throws {
        expectRefused(try bench().call("GET", target), 404, "NOT_FOUND")
    }

    @Test func `pages are read, not written`() throws {
        let answer = try bench().call("POST", "/login")
        expectRefused(answer, 405, "METHOD_NOT_ALLOWED")
        #expect(answer.header("Allow") == "GET, HEAD")
    }
}
