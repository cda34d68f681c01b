import Dispatch
import Glibc
import HTTPServer
import Synchronization
import Testing

@Suite("WebServer: requests and answers")
struct ExchangeTests {
    @Test func `many requests go over one connection, and each gets its answer`() throws {
        let server = try TestServer {
            .text("\($0.method) \($0.path) \(String(decoding: $0.body, as: UTF8.self))")
        }
        let client = try server.connect()
        for number in 0..<50 {
            let answer = try client.exchange("POST", "/\(number)", body: "body \(number)")
            #expect(answer.status == 200)
            #expect(answer.text == "POST /\(number) body \(number)")
            #expect(answer.header("Connection") == nil)
        }
        // Pipelined (RFC 9112 section 9.3.2).
        try client.send(client.request("GET", "/a") + client.request("GET", "/b"))
        #expect(try client.answer().text == "GET /a ")
        #expect(try client.answer().text == "GET /b ")
    }

    @Test func `an answer carries the time, its length and its headers, and none that are the server's`()
        throws
    {
        let server = try TestServer { _ in
            HTTPResponse(
                status: 201,
                headers: [
                    ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Content-Length", "99"),
                    ("Connection", "keep-alive"), ("Transfer-Encoding", "chunked"),
                ], body: .bytes(Array("four".utf8)))
        }
        let client = try server.connect()
        let answer = try client.exchange("GET", "/")
        #expect(answer.status == 201)
        #expect(answer.text == "four")
        #expect(answer.head.filter { $0.hasPrefix("Set-Cookie") } == ["Set-Cookie: a=1", "Set-Cookie: b=2"])
        #expect(answer.head.filter { $0.lowercased().hasPrefix("content-length") } == ["Content-Length: 4"])
        #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
        #expect(answer.header("Transfer-Encoding") == nil)
        #expect(try client.exchange("GET", "/").status == 201)
    }

    @Test func `HEAD gets the head of GET and no body`() throws {
        let server = try TestServer { .text("seen as \($0.method)") }
        let client = try server.connect()
        let answer = try client.exchange("HEAD", "/")
        #expect(answer.header("Content-Length") == "12")
        // Had a body come, it would be read as the next answer's head.
        #expect(try client.exchange("GET", "/").text == "seen as GET")
    }

    @Test(arguments: ["BREW", "PROPFIND", "get", "OPTIONS", "DELETE", "PATCH", "PUT"])
    func `a method that nobody knows reaches the handler`(method: String) throws {
        let server = try TestServer {
            HTTPResponse(status: 405, headers: [("Allow", "GET"), ("X-Was", $0.method)])
        }
        let client = try server.connect()
        for _ in 0..<2 {
            let answer = try client.exchange(method, "/")
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == "GET")
            #expect(answer.header("X-Was") == method)
        }
    }

    @Test(arguments: [204, 304])
    func `an answer without a body is followed by the next on the same connection`(status: Int) throws {
        let server = try TestServer { request in
            request.path == "/none"
                ? HTTPResponse(status: status, headers: [("ETag", "\"a\"")]) : .text("some")
        }
        let client = try server.connect()
        for _ in 0..<2 {
            let answer = try client.exchange("GET", "/none")
            #expect(answer.status == status)
            #expect(answer.header("ETag") == "\"a\"")
            #expect(try client.exchange("GET", "/some").text == "some")
        }
    }

    @Test func `the head of a request arrives as it was sent`() throws {
        let server = try TestServer { request in
            .text(
                [
                    request.path, request.segments.joined(separator: "|"), request.query["q"] ?? "-",
                    request.header("x-custom") ?? "-", request.cookie("s") ?? "-", "\(request.peer)",
                ].joined(separator: "\n"))
        }
        let answer = try server.connect().exchange(
            "GET", "/a%20b/c?q=x+%26", headers: ["X-Custom: grüß", "Cookie: t=1; s=2"])
        #expect(
            answer.text.split(separator: "\n") == [
                "/a%20b/c", "a b|c", "x &", "grüß", "2", #"ip("127.0.0.1")"#,
            ])
    }

    @Test func `a malformed target is refused in the handler's words, and the connection goes on`() throws {
        let server = try TestServer { _ in .text("fine") }
        let client = try server.connect()
        let answer = try client.exchange("GET", "/%zz")
        #expect(answer.status == 400)
        #expect(answer.text.hasPrefix("refused: malformed"))
        #expect(try client.exchange("GET", "/").text == "fine")
    }

    @Test func `an answer whose header would break into the head is refused`() throws {
        let server = try TestServer { _ in
            HTTPResponse(status: 200, headers: [("X-Name", "a\r\nSet-Cookie: b")], body: .empty)
        }
        let answer = try server.connect().exchange("GET", "/")
        #expect(answer.status == 500)
        #expect(answer.header("Set-Cookie") == nil)
        #expect(answer.text.hasPrefix("refused: unsendableHeader"))
    }

    @Test func `a query may have as many parameters as the head has room for`() throws {
        let server = try TestServer { .text("\($0.queryItems.count) \($0.path)") }
        let client = try server.connect()
        for count in [1, 400, 3000, 7000] {
            let query = (0..<count).map { _ in "a=b" }.joined(separator: "&")
            #expect(try client.exchange("GET", "/x?\(query)").text == "\(count) /x")
        }
        #expect(try client.exchange("GET", "/x?").text == "0 /x")
        #expect(try client.exchange("GET", "/x??b").text == "1 /x")
    }

    @Test(arguments: ["gzip", "identity", "chunked, gzip", "gzip, chunked", ""])
    func `a transfer encoding that is not known is refused at once`(coding: String) throws {
        let server = try TestServer { _ in .text("no") }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n")
        #expect(try client.answer().status == 400)
        #expect(client.isAtEnd())
    }

    @Test func `what is no HTTP gets 400 and does not disturb others`() throws {
        let server = try TestServer { _ in .text("fine") }
        let other = try server.connect()
        #expect(try other.exchange("GET", "/").text == "fine")
        for noise in [
            "\u{1}\u{2}\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
        ] {
            let client = try server.connect()
            try client.send(noise)
            if let answer = try? client.answer() { #expect(answer.status >= 400) }
        }
        #expect(try other.exchange("GET", "/").text == "fine")
    }

    @Test func `a file is sent whole, and a missing one is refused`() throws {
        let path = "/tmp/opentask-http-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try check(open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600), "open")
        #expect(content.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == content.count)
        close(file)
        defer { unlink(path) }
        let server = try TestServer { request in
            HTTPResponse(status: 200, body: .file(path: request.path == "/file" ? path : request.path))
        }
        let client = try server.connect()
        #expect(try client.exchange("GET", "/file").body == content)
        #expect(try client.exchange("HEAD", "/file").header("Content-Length") == "\(content.count)")
        #expect(try client.exchange("GET", "/nowhere").status == 404)
        #expect(try client.exchange("GET", "/tmp").status == 404)
        #expect(try client.exchange("GET", "/file").body == content)
    }

    @Test func `a Unix socket is served beside TCP, and its peer is known as one`() throws {
        let server = try TestServer { .text("\($0.peer)") }
        let path = "/tmp/opentask-http-\(getpid())-\(UInt64.random(in: 0 ... .max)).sock"
        let unix = try listenOnUnix(path: path)
        defer {
            unlink(path)
            close(unix)
        }
        try server.web.serve(listening: unix)
        #expect(try RawClient(path: path).exchange("GET", "/").text == "unix")
        #expect(try server.connect().exchange("GET", "/").text == #"ip("127.0.0.1")"#)
        server.web.drain(timeoutMilliseconds: 5000)
    }

    @Test func `as many handlers as threads run at once, one for each connection`() throws {
        // Each handler waits until all sixteen are in theirs: two on one thread would wait for ever.
        let inside = Atomic(0)
        let allInside = DispatchSemaphore(value: 0)
        let server = try TestServer(threads: 16) { _ in
            if inside.add(1, ordering: .sequentiallyConsistent).newValue == 16 {
                for _ in 0..<16 { allInside.signal() }
            }
            return .text(allInside.arrives() ? "together" : "alone")
        }
        let clients = try (0..<16).map { _ in try server.connect() }
        for client in clients { try client.send(client.request("GET", "/")) }
        for client in clients { #expect(try client.answer().text == "together") }
    }

    @Test func `a full server leaves new connections waiting until there is room`() throws {
        var limits = HTTPLimits()
        limits.connections = 2
        let server = try TestServer(limits: limits) { _ in .text("served") }
        var clients = try (0..<2).map { _ in try server.connect() }
        for client in clients { #expect(try client.exchange("GET", "/").text == "served") }
        let waiting = try server.connect()
        try waiting.send(waiting.request("GET", "/"))
        #expect(try clients[0].exchange("GET", "/").text == "served")
        #expect(recv(waiting.socket, nil, 0, Int32(MSG_DONTWAIT)) == -1)
        clients.removeLast()
        #expect(try waiting.answer().text == "served")
    }
}
