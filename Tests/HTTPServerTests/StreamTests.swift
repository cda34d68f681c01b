import Dispatch
import Glibc
import HTTPServer
import Synchronization
import Testing

@Suite("HTTPStream")
struct StreamTests {
    /// Hands out a new stream for each request to `/`, and keeps it.
    private final class Streams: Sendable {
        let all = Mutex<[HTTPStream]>([])
        let opened = DispatchSemaphore(value: 0)
        let maximumPending: Int

        init(maximumPending: Int = 256 * 1024) { self.maximumPending = maximumPending }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            guard request.path == "/" else { return .text("plain") }
            let stream = HTTPStream(maximumPending: maximumPending)
            all.withLock { $0.append(stream) }
            opened.signal()
            return HTTPResponse(
                status: 200, headers: [("Content-Type", "text/event-stream")], body: .stream(stream))
        }

        func first() -> HTTPStream? { opened.arrives() ? all.withLock { $0.first } : nil }
    }

    @Test
    func `two hundred idle streams get their heads at once and a broadcast each, and plain requests go on`()
        throws
    {
        let streams = Streams()
        let server = try TestServer(threads: 2, answer: streams.answer)
        let clients = try (0..<200).map { _ in
            let client = try server.connect()
            try client.send(client.request("GET", "/"))
            return client
        }
        for client in clients {
            let head = try client.head()
            #expect(head.header("Content-Type") == "text/event-stream")
        }
        #expect(try server.connect().exchange("GET", "/plain").text == "plain")
        for round in 0..<3 {
            let event = Array("data: round \(round)\n\n".utf8)
            for stream in streams.all.withLock({ $0 }) { #expect(stream.send(event)) }
            for client in clients { #expect(try client.chunk() == event) }
        }
        for stream in streams.all.withLock({ $0 }) { stream.close() }
        for client in clients { #expect(try client.chunk() == nil) }
    }

    @Test func `what is sent from many threads arrives whole, and a closed stream ends after it`() throws {
        let streams = Streams(maximumPending: 1 << 24)
        let server = try TestServer(answer: streams.answer)
        let client = try server.connect()
        try client.send(client.request("GET", "/"))
        let stream = try #require(streams.first())
        let writers = (0..<4).map { writer in
            onThread { for number in 0..<500 { stream.send(Array("\(writer) \(number)\n".utf8)) } }
        }
        for writer in writers { #expect(writer.arrives()) }
        stream.close()
        #expect(!stream.send([1]))
        let lines = try client.answer().text.split(separator: "\n")
        #expect(lines.count == 2000)
        for writer in 0..<4 {
            let own = lines.filter { $0.hasPrefix("\(writer) ") }
            #expect(own == (0..<500).map { "\(writer) \($0)" })
        }
        // The connection is usable after an ended stream.
        #expect(try client.exchange("GET", "/plain").text == "plain")
    }

    @Test func `a stream may be filled and closed before it is answered with`() throws {
        let server = try TestServer { _ in
            let stream = HTTPStream()
            stream.send(Array("ready".utf8))
            stream.close()
            return HTTPResponse(status: 200, body: .stream(stream))
        }
        let client = try server.connect()
        #expect(try client.exchange("GET", "/").text == "ready")
        #expect(try client.exchange("GET", "/").text == "ready")
    }

    @Test func `a reader that lets too much pile up is cut off`() throws {
        let streams = Streams(maximumPending: 100_000)
        let server = try TestServer(answer: streams.answer)
        let client = try RawClient(port: server.port, receiveBuffer: 4096)
        try client.send(client.request("GET", "/"))
        let stream = try #require(streams.first())
        let closed = DispatchSemaphore(value: 0)
        stream.onClose { closed.signal() }
        let block = [UInt8](repeating: 0x61, count: 10_000)
        var taken = 0
        // The kernel holds a few megabytes at most; then the server has to.
        while taken < 10_000, stream.send(block) { taken += 1 }
        #expect(taken < 10_000)
        #expect(stream.isClosed)
        #expect(closed.arrives())
        #expect(client.readAll() < taken * block.count)
        #expect(try server.connect().exchange("GET", "/plain").text == "plain")
    }

    @Test func `a client that leaves closes its idle stream, once`() throws {
        let streams = Streams()
        let server = try TestServer(answer: streams.answer)
        let calls = Atomic(0)
        let closed = DispatchSemaphore(value: 0)
        do {
            let client = try server.connect()
            try client.send(client.request("GET", "/"))
            _ = try client.head()
            try #require(streams.first()).onClose {
                calls.add(1, ordering: .relaxed)
                closed.signal()
            }
        }
        #expect(closed.arrives())
        let stream = streams.all.withLock { $0[0] }
        #expect(stream.isClosed)
        #expect(!stream.send([1]))
        stream.close()
        server.web.drain(timeoutMilliseconds: 5000)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func `the connection of a reader that left is released, also beside one that stays`() throws {
        let streams = Streams()
        let server = try TestServer(threads: 1, answer: streams.answer)
        // With another connection on the thread, libmicrohttpd kept a stream's whose reader reported its end.
        let idle = try server.connect()
        #expect(try idle.exchange("GET", "/plain").text == "plain")
        for _ in 0..<10 {
            let client = try server.connect()
            try client.send(client.request("GET", "/"))
            _ = try client.head()
        }
        #expect(server.isLeft(with: 1))
        #expect(streams.all.withLock { $0.count == 10 && $0.allSatisfy(\.isClosed) })
        #expect(try idle.exchange("GET", "/plain").text == "plain")
    }

    @Test func `whoever asks to be told after the end is told at once`() {
        let stream = HTTPStream()
        stream.close()
        let calls = Atomic(0)
        stream.onClose { calls.add(1, ordering: .relaxed) }
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func `HEAD opens no stream`() throws {
        let streams = Streams()
        let server = try TestServer(answer: streams.answer)
        let client = try server.connect()
        let answer = try client.exchange("HEAD", "/")
        #expect(answer.header("Content-Type") == "text/event-stream")
        #expect(answer.header("Content-Length") == nil)
        let closed = DispatchSemaphore(value: 0)
        try #require(streams.first()).onClose { closed.signal() }
        #expect(closed.arrives())
        // libmicrohttpd sent the last chunk of a body that a HEAD has not.
        #expect(client.isAtEnd())
    }

    @Test func `an HTTP/1.0 client reads until the end, and its connection is released`() throws {
        let streams = Streams()
        let server = try TestServer(answer: streams.answer)
        let idle = try server.connect()
        #expect(try idle.exchange("GET", "/plain").text == "plain")
        let clients = try (0..<20).map { _ in
            let client = try server.connect()
            try client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try client.head().header("Transfer-Encoding") == nil)
            return client
        }
        let text = [UInt8](repeating: 0x62, count: 5000)
        for stream in streams.all.withLock({ $0 }) {
            stream.send(text)
            stream.send(text)
            stream.close()
        }
        for client in clients {
            #expect(try client.bytes(10_000) == text + text)
            #expect(client.isAtEnd())
        }
        #expect(server.isLeft(with: 1))
    }
}
