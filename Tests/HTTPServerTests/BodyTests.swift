import HTTPServer
import Synchronization
import Testing

@Suite("WebServer: bodies and their limit")
struct BodyTests {
    private func serverThatCounts(limit: Int, threads: Int = 4) throws -> TestServer {
        try TestServer(limit: limit, threads: threads) { .text("\($0.body.count)") }
    }

    @Test func `a body up to the limit is taken, and one byte more is refused`() throws {
        let server = try serverThatCounts(limit: 100_000)
        let client = try server.connect()
        #expect(
            try client.exchange("POST", "/", body: String(repeating: "x", count: 100_000)).text == "100000")
        let answer = try client.exchange("POST", "/", body: String(repeating: "x", count: 100_001))
        #expect(answer.status == 413)
        #expect(answer.text == "refused: bodyTooLarge(limit: 100000)")
        #expect(answer.header("Connection") == "close")
        #expect(client.isAtEnd())
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "BREW"])
    func `a body over the limit is refused for every method`(method: String) throws {
        let server = try serverThatCounts(limit: 10)
        let client = try server.connect()
        #expect(try client.exchange(method, "/", body: "0123456789").text == "10")
        #expect(try client.exchange(method, "/", body: "0123456789a").status == 413)
    }

    @Test func `the refusal comes before the body, and is seen by a client that sends all of it first`()
        throws
    {
        let server = try serverThatCounts(limit: 10)
        let early = try server.connect()
        try early.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n")
        // Without a byte of the body.
        #expect(try early.answer().status >= 400)

        let late = try server.connect()
        try late.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n")
        try late.send([UInt8](repeating: 0x78, count: 30_000_000))
        #expect(try late.answer().status == 413)
        #expect(late.isAtEnd())
        #expect(server.isLeft(with: 0))
    }

    @Test func `who asks before sending is told to go on, or gets the refusal instead`() throws {
        let server = try serverThatCounts(limit: 10)
        let welcome = try server.connect()
        try welcome.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try welcome.head().status == 100)
        try welcome.send("hello")
        #expect(try welcome.answer().text == "5")

        let unwelcome = try server.connect()
        try unwelcome.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n")
        #expect(try unwelcome.answer().status == 413)
    }

    @Test func `a chunked body is put together`() throws {
        let server = try TestServer(limit: 100_000) { .text(String(decoding: $0.body, as: UTF8.self)) }
        let client = try server.connect()
        for _ in 0..<2 {
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            try client.send("5\r\nhello\r\n")
            try client.send("1;extension=1\r\n \r\n5\r\nwor")
            try client.send("ld\r\n0\r\nTrailer: x\r\n\r\n")
            #expect(try client.answer().text == "hello world")
        }
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<100 { try client.send("3e8\r\n" + String(repeating: "y", count: 1000) + "\r\n") }
        try client.send("0\r\n\r\n")
        #expect(try client.answer().body.count == 100_000)
    }

    @Test func `a chunked body is refused as soon as it is over the limit`() throws {
        let server = try serverThatCounts(limit: 1000, threads: 1)
        let idle = try server.connect()
        #expect(try idle.exchange("GET", "/").text == "0")
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        try client.send("3e8\r\n" + String(repeating: "y", count: 1000) + "\r\n")
        try client.send("1\r\nz\r\n")
        // It never ends.
        let answer = try client.answer()
        #expect(answer.status == 413)
        #expect(answer.text == "refused: bodyTooLarge(limit: 1000)")
        #expect(answer.header("Content-Type") == "text/plain")
        #expect(answer.header("Date")?.hasSuffix(" GMT") == true)
        #expect(client.isAtEnd())

        let eager = try server.connect()
        try eager.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<3000 { try eager.send("3e8\r\n" + String(repeating: "y", count: 1000) + "\r\n") }
        #expect(try eager.answer().status == 413)
        #expect(server.isLeft(with: 1))
    }

    @Test func `refusing many does not disturb others`() throws {
        let server = try serverThatCounts(limit: 1000)
        let port = server.port
        let failures = Mutex<[String]>([])
        let refused = (0..<4).map { _ in
            onThread {
                for _ in 0..<200 {
                    do {
                        let client = try RawClient(port: port)
                        let answer = try client.exchange(
                            "POST", "/", body: String(repeating: "x", count: 5000))
                        if answer.status != 413 { failures.withLock { $0.append("\(answer.status)") } }
                    } catch { failures.withLock { $0.append("refused: \(error)") } }
                }
            }
        }
        let taken = (0..<4).map { _ in
            onThread {
                for number in 0..<200 {
                    do {
                        let client = try RawClient(port: port)
                        for _ in 0..<3 {
                            let answer = try client.exchange(
                                "POST", "/", body: String(repeating: "x", count: number))
                            if answer.text != "\(number)" { failures.withLock { $0.append(answer.text) } }
                        }
                    } catch { failures.withLock { $0.append("taken: \(error)") } }
                }
            }
        }
        for thread in refused + taken { #expect(thread.arrives()) }
        // The sockets of the refused are copied and closed apart: a mistake there hits whoever has the number next.
        #expect(failures.withLock { $0 } == [])
        #expect(server.isLeft(with: 0))
    }

    @Test func `a body that stops half way is not a request`() throws {
        let calls = Mutex(0)
        let server = try TestServer(limit: 100) { request in
            calls.withLock { $0 += 1 }
            return .text("\(request.body.count)")
        }
        do {
            let client = try server.connect()
            try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
        }
        #expect(try server.connect().exchange("POST", "/", body: "hello").text == "5")
        server.web.drain(timeoutMilliseconds: 5000)
        #expect(calls.withLock { $0 } == 1)
    }
}
