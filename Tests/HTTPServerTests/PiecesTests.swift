import Dispatch
import Glibc
import HTTPServer
import Synchronization
import Testing

@Suite("HTTPPieces")
struct PiecesTests {
    /// Counts what was made, and tells when its closure is let go of.
    private final class Source: Sendable {
        let made = Atomic(0)
        let released = DispatchSemaphore(value: 0)

        /// `count` pieces of `size` bytes, each of one letter.
        func pieces(_ count: Int, of size: Int, failing: Bool = false) -> HTTPPieces {
            let guardian = Guardian(self)
            return HTTPPieces {
                let number = guardian.source.made.add(1, ordering: .relaxed).oldValue
                guard number < count else {
                    if failing { throw Broken() }
                    return nil
                }
                return [UInt8](repeating: Source.letter(number), count: size)
            }
        }

        static func letter(_ number: Int) -> UInt8 { UInt8(97 + number % 26) }

        private final class Guardian: Sendable {
            let source: Source
            init(_ source: Source) { self.source = source }
            deinit { source.released.signal() }
        }
    }

    private struct Broken: Error {}

    private func server(_ answer: @escaping @Sendable () -> HTTPPieces) throws -> TestServer {
        try TestServer(threads: 1) { request in
            request.path == "/" ? HTTPResponse(status: 200, body: .pieces(answer())) : .text("plain")
        }
    }

    private func expected(_ count: Int, of size: Int) -> [UInt8] {
        (0..<count).flatMap { [UInt8](repeating: Source.letter($0), count: size) }
    }

    @Test func `all pieces arrive, in order, and the connection goes on`() throws {
        let source = Source()
        let server = try server { source.pieces(100, of: 50_000) }
        let client = try server.connect()
        #expect(Array(try client.exchange("GET", "/").text.utf8) == expected(100, of: 50_000))
        #expect(source.released.arrives())
        #expect(try client.exchange("GET", "/plain").text == "plain")
    }

    @Test func `no more is made than the reader takes; when he is gone the source is let go of`() throws {
        let source = Source()
        let server = try server { source.pieces(.max, of: 100_000) }
        do {
            let client = try RawClient(port: server.port, receiveBuffer: 4096)
            try client.send(client.request("GET", "/"))
            _ = try client.head()
            // The others of the thread are served meanwhile.
            #expect(try server.connect().exchange("GET", "/plain").text == "plain")
        }
        #expect(source.released.arrives())
        // What the kernel holds for a socket, a few megabytes, and the piece that was under way.
        #expect(source.made.load(ordering: .relaxed) < 100)
        #expect(server.isLeft(with: 0))
    }

    @Test func `a source that fails breaks the connection off: nobody takes a part for the whole`() throws {
        let source = Source()
        let server = try server { source.pieces(3, of: 1000, failing: true) }
        let client = try server.connect()
        try client.send(client.request("GET", "/"))
        _ = try client.head()
        var got: [UInt8] = []
        #expect(throws: (any Error).self) {
            while let chunk = try client.chunk() { got += chunk }
        }
        #expect(got == expected(3, of: 1000))
        #expect(source.released.arrives())
    }

    @Test func `an empty piece is passed over, and none at all is an empty body`() throws {
        let answers = Mutex(0)
        let server = try TestServer { _ in
            let isFirst = answers.withLock { count in
                count += 1
                return count == 1
            }
            var parts: [[UInt8]] = isFirst ? [[], [], [120], [], []] : [[], []]
            return HTTPResponse(
                status: 200, body: .pieces(HTTPPieces { parts.isEmpty ? nil : parts.removeFirst() }))
        }
        #expect(try server.connect().exchange("GET", "/").text == "x")
        #expect(try server.connect().exchange("GET", "/").text == "")
    }

    @Test func `HEAD makes nothing, and an HTTP/1.0 client reads until the end`() throws {
        let source = Source()
        let server = try server { source.pieces(20, of: 10_000) }
        #expect(try server.connect().exchange("HEAD", "/").status == 200)
        #expect(source.released.arrives())
        #expect(source.made.load(ordering: .relaxed) == 0)
        let client = try server.connect()
        try client.send("GET / HTTP/1.0\r\n\r\n")
        _ = try client.head()
        #expect(try client.bytes(200_000) == expected(20, of: 10_000))
        #expect(client.isAtEnd())
        #expect(server.isLeft(with: 0))
    }

    @Test func `a server that stops lets it go out to the end`() throws {
        let source = Source()
        let server = try server { source.pieces(200, of: 100_000) }
        let client = try RawClient(port: server.port, receiveBuffer: 4096)
        try client.send(client.request("GET", "/"))
        _ = try client.head()
        let web = server.web
        let drained = onThread { web.drain(timeoutMilliseconds: 60_000) }
        var count = 0
        while let chunk = try client.chunk() { count += chunk.count }
        #expect(count == 20_000_000)
        #expect(drained.arrives())
    }

    @Test func `after the end, and after a failure, there is nothing more`() throws {
        let ended = HTTPPieces { nil }
        #expect(try ended.next() == nil && ended.next() == nil)
        let failed = HTTPPieces { throw Broken() }
        #expect(throws: Broken.self) { try failed.next() }
        #expect(try failed.next() == nil)
    }
}
