import HTTPServer
import Testing

@Suite("HTTPRequest")
struct RequestTests {
    @Test func `the query is decoded, the first of a name wins, and all are kept in order`() throws {
        let request = try HTTPRequest(
            method: "GET", target: "/a?x=1&y=a+b%2B%26&x=2&flag&=e&&z=a=b&%C3%BC=%E2%82%AC")
        #expect(request.path == "/a")
        #expect(request.query["x"] == "1")
        #expect(request.query["y"] == "a b+&")
        #expect(request.query["flag"] == "")
        #expect(request.query["z"] == "a=b")
        #expect(request.query["ü"] == "€")
        #expect(request.queryItems.map(\.name) == ["x", "y", "x", "flag", "", "z", "ü"])
    }

    @Test func `segments are decoded after they are split, and a plus in a path is a plus`() throws {
        #expect(try HTTPRequest(method: "GET", target: "/a%2Fb/c+d/").segments == ["a/b", "c+d", ""])
        #expect(try HTTPRequest(method: "GET", target: "/?q").segments == [])
        #expect(try HTTPRequest(method: "OPTIONS", target: "*").segments == ["*"])
        #expect(try HTTPRequest(method: "GET", target: "/a%2Fb?c").path == "/a%2Fb")
    }

    @Test(arguments: [
        ("http://example.org/a/b?c=1", "/a/b"), ("HTTPS://example.org", "/"), ("http://example.org?c=1", "/"),
    ])
    func `the absolute form is taken as the origin form`(target: String, path: String) throws {
        let request = try HTTPRequest(method: "GET", target: target)
        #expect(request.path == path)
        #expect(request.query["c"] == (target.contains("?") ? "1" : nil))
    }

    @Test(arguments: ["", "a", "a:80", "/%", "/%4", "/%zz", "/%00", "/%ff", "/a?b=%", "/a?b=%C3", "/a?%00=b"])
    func `a target that cannot be decoded is malformed`(target: String) {
        #expect {
            try HTTPRequest(method: "GET", target: target)
        } throws: { error in
            if case .malformed = error as? HTTPRefusal { true } else { false }
        }
    }

    @Test func `header fields are found whatever their case`() throws {
        let request = try HTTPRequest(
            method: "GET", target: "/",
            headers: [("Accept", "a"), ("X-Two", "1"), ("x-tWO", "2"), ("Accept-Language", "de")])
        #expect(request.header("ACCEPT") == "a")
        #expect(request.headers("x-two") == ["1", "2"])
        #expect(request.header("X-Three") == nil)
        #expect(request.headers("X-Three") == [])
    }

    @Test(arguments: [
        ("session=abc", "abc"), ("a=1; session=abc", "abc"), ("xsession=no; session=\"abc\" ", "abc"),
        ("session=abc; session=def", "abc"), ("session=a=b", "a=b"), ("session=", ""), ("session", nil),
        ("Session=abc", nil), ("a=session=1", nil),
    ])
    func `a cookie is found by its exact name`(line: String, value: String?) throws {
        let request = try HTTPRequest(method: "GET", target: "/", headers: [("cookie", line)])
        #expect(request.cookie("session") == value)
    }
}
