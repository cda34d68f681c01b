import Dispatch
import HTTPClient
import HTTPServer
import Sockets
import Synchronization
import Testing

@Suite("HTTPSender over HTTP/1.1; HTTP/2 and TLS are judged by Tests/judges/push")
struct HTTPSenderTests {
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `method, headers and body arrive as they were sent`(method: String) async throws {
        let server = TestServer { _ in .text("") }
        let body = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        try await server.serve { url in
            _ = try await HTTPSender().send(
                HTTPClientRequest(
                    method: method, url: url + "/a?b=c", headers: [("X-One", "1"), ("Content-Type", "x/y")],
                    body: body))
        }
        let request = try #require(server.seen.withLock { $0.first })
        #expect(request.method == method)
        #expect(request.path == "/a" && request.query == ["b": "c"])
        #expect(request.header("x-one") == "1" && request.header("content-type") == "x/y")
        #expect(request.body == body)
    }

    @Test func `GET and HEAD send no body`() async throws {
        let server = TestServer { _ in .text("hello") }
        try await server.serve { url in
            let sender = HTTPSender()
            let got = try await sender.send(HTTPClientRequest(url: url, body: [1, 2, 3]))
            #expect(got.body == Array("hello".utf8))
            let head = try await sender.send(HTTPClientRequest(method: "HEAD", url: url))
            #expect(head.status == 200 && head.body == [])
        }
        #expect(server.seen.withLock { $0.allSatisfy { $0.body.isEmpty } })
    }

    @Test(arguments: [200, 204, 301, 302, 307, 404, 429, 503])
    func `whatever the status, it is an answer, and a redirect is not followed`(status: Int) async throws {
        let server = TestServer { _ in
            HTTPResponse(
                status: status,
                headers: [("Location", "/elsewhere"), ("Retry-After", "120")])
        }
        try await server.serve { url in
            let reply = try await HTTPSender().send(HTTPClientRequest(method: "POST", url: url))
            #expect(reply.status == status)
            #expect(reply.header("RETRY-AFTER") == "120")
            #expect(reply.header("x-none") == nil)
            #expect(!reply.isHTTP2)
        }
        #expect(server.seen.withLock { $0.count } == 1)
    }

    @Test func `a reply over the limit is refused, one up to it is taken`() async throws {
        let server = TestServer { _ in .text(String(repeating: "x", count: 1000)) }
        try await server.serve { url in
            let sender = HTTPSender()
            let reply = try await sender.send(HTTPClientRequest(url: url, maximumReplyCount: 1000))
            #expect(reply.body.count == 1000)
            let error = await #expect(throws: HTTPClientError.self) {
                try await sender.send(HTTPClientRequest(url: url, maximumReplyCount: 999))
            }
            #expect(error?.reason == .tooLarge)
        }
    }

    @Test func `who does not answer in time is given up`() async throws {
        let end = DispatchSemaphore(value: 0)
        let server = TestServer { _ in
            end.wait()
            return .text("late")
        }
        try await server.serve { url in
            let error = await #expect(throws: HTTPClientError.self) {
                try await HTTPSender().send(HTTPClientRequest(url: url, timeout: .milliseconds(50)))
            }
            #expect(error?.reason == .timedOut)
            end.signal()
        }
    }

    @Test func `an address that may not be dialled is not`() async throws {
        let server = TestServer { _ in .text("") }
        let asked = Mutex<[[UInt8]]>([])
        let settings = HTTPSender.Settings(mayDial: { address in
            asked.withLock { $0.append(address) }
            return false
        })
        try await server.serve { url in
            let error = await #expect(throws: HTTPClientError.self) {
                try await HTTPSender(settings).send(HTTPClientRequest(url: url))
            }
            #expect(error?.reason == .addressRefused)
        }
        #expect(asked.withLock { $0 } == [[127, 0, 0, 1]])
        #expect(server.seen.withLock { $0.isEmpty })
    }

    @Test func `nobody listens`() async throws {
        let port = try ListeningSocket.tcp(host: "127.0.0.1", port: 0).localAddress.port ?? 0
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPSender().send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
        }
        #expect(error?.reason == .unreachable)
    }

    @Test func `a server without TLS is not talked to over https`() async throws {
        let server = TestServer { _ in .text("") }
        try await server.serve { url in
            let error = await #expect(throws: HTTPClientError.self) {
                try await HTTPSender().send(HTTPClientRequest(url: "https" + url.dropFirst(4)))
            }
            #expect(error?.reason == .insecure)
        }
        #expect(server.seen.withLock { $0.isEmpty })
    }

    @Test(arguments: [
        "", "ftp://127.0.0.1/", "file:///etc/passwd", "http://127.0.0.1/a b", "http://127.0.0.1/\r\nX: y",
    ])
    func `what is no http address is refused`(url: String) async {
        let error = await #expect(throws: HTTPClientError.self) {
            try await HTTPSender().send(HTTPClientRequest(url: url))
        }
        #expect(error?.reason == .invalidRequest)
    }

    @Test func `a header cannot smuggle in another, nor a method`() async {
        for request in [
            HTTPClientRequest(url: "http://127.0.0.1/", headers: [("X-One", "1\r\nX-Two: 2")]),
            HTTPClientRequest(method: "GET / HTTP/1.1\r\nX: y", url: "http://127.0.0.1/"),
        ] {
            let error = await #expect(throws: HTTPClientError.self) { try await HTTPSender().send(request) }
            #expect(error?.reason == .invalidRequest)
        }
    }

    @Test func `hundreds at once are all answered, each with its own answer`() async throws {
        let server = TestServer { .text($0.query["n"] ?? "") }
        let sender = HTTPSender()
        try await server.serve { url in
            let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        try await sender.send(HTTPClientRequest(url: "\(url)/?n=\(number)")).body
                            != Array("\(number)".utf8)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wrong == 0)
        }
        #expect(server.seen.withLock { $0.count } == 300)
    }

    @Test func `the blocking way gives the same`() async throws {
        let server = TestServer { _ in .text("hello", status: 201) }
        try await server.serve { url in
            let reply = try HTTPSender().sendBlocking(HTTPClientRequest(url: url))
            #expect(reply.status == 201 && reply.body == Array("hello".utf8))
        }
    }

    @Test func `a cancelled task gives up its request`() async throws {
        let server = HeldServer()
        try await server.server.serve { url in
            let sender = HTTPSender()
            let task = Task { try await sender.send(HTTPClientRequest(url: url)) }
            await onThread { server.arrived.wait() }
            task.cancel()
            let error = await #expect(throws: HTTPClientError.self) { try await task.value }
            #expect(error?.reason == .stopped)
            server.end.signal()
        }
    }

    @Test func `stopping waits for what is under way and takes nothing new`() async throws {
        let server = HeldServer()
        try await server.server.serve { url in
            let sender = HTTPSender()
            let task = Task { try await sender.send(HTTPClientRequest(url: url)) }
            await onThread { server.arrived.wait() }
            async let stopped: Void = onThread { sender.stop(within: .seconds(20)) }
            server.end.signal()
            let reply = try await task.value
            #expect(reply.body == Array("done".utf8))
            await stopped
            let error = await #expect(throws: HTTPClientError.self) {
                try await sender.send(HTTPClientRequest(url: url))
            }
            #expect(error?.reason == .stopped)
        }
    }

    @Test func `stopping does not wait longer than it was told`() async throws {
        let server = HeldServer()
        try await server.server.serve { url in
            let sender = HTTPSender()
            let task = Task { try await sender.send(HTTPClientRequest(url: url)) }
            await onThread { server.arrived.wait() }
            await onThread { sender.stop(within: .milliseconds(10)) }
            let error = await #expect(throws: HTTPClientError.self) { try await task.value }
            #expect(error?.reason == .stopped)
            server.end.signal()
        }
    }
}

/// Tells when a request has arrived, and answers it when told to.
private struct HeldServer {
    let arrived = DispatchSemaphore(value: 0)
    let end = DispatchSemaphore(value: 0)
    let server: TestServer

    init() {
        server = TestServer { [arrived, end] _ in
            arrived.signal()
            end.wait()
            return .text("done")
        }
    }
}

/// What blocks runs on a thread of its own: Swift's pool has one per core.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        do {
            try WorkerThread.start("test") {
                body()
                continuation.resume()
            }
        } catch {
            Issue.record(error)
            continuation.resume()
        }
    }
}
