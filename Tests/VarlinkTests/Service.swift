import JSON
import Sockets
import Synchronization
import TestSupport
import Varlink

/// org.example.test, with one method for each way in which a call can go, and what it saw.
final class Service: Sendable {
    struct Text: Codable, Hashable, Sendable { var text: String }
    struct Number: Codable, Hashable, Sendable { var number: Int }
    struct Nested: Codable, Hashable, Sendable {
        struct Inner: Codable, Hashable, Sendable { var numbers: [Number] }
        var inner: Inner
    }

    enum Echo: VarlinkMethod {
        static let name = "org.example.test.Echo"
        typealias Parameters = Text
        typealias Reply = Text
    }

    enum Sum: VarlinkMethod {
        static let name = "org.example.test.Sum"
        typealias Parameters = Nested
        typealias Reply = Number
    }

    enum Hold: VarlinkMethod {
        static let name = "org.example.test.Hold"
        typealias Parameters = VarlinkEmpty
        typealias Reply = Number
    }

    enum Count: VarlinkMethod {
        static let name = "org.example.test.Count"
        typealias Parameters = Number
        typealias Reply = Number
    }

    enum Last: VarlinkMethod {
        static let name = "org.example.test.Last"
        typealias Parameters = Number
        typealias Reply = Number
    }

    enum Watch: VarlinkMethod {
        static let name = "org.example.test.Watch"
        typealias Parameters = VarlinkEmpty
        typealias Reply = Number
    }

    enum Fail: VarlinkMethod {
        static let name = "org.example.test.Fail"
        typealias Parameters = Text
        typealias Reply = VarlinkEmpty
    }

    enum Large: VarlinkMethod {
        static let name = "org.example.test.Large"
        typealias Parameters = Number
        typealias Reply = Text
    }

    enum Keep: VarlinkMethod {
        static let name = "org.example.test.Keep"
        struct Parameters: Codable, Hashable, Sendable { var value: JSONValue }
        typealias Reply = Parameters
    }

    /// Declared, but nobody handles it.
    enum Missing: VarlinkMethod {
        static let name = "org.example.test.Missing"
        typealias Parameters = VarlinkEmpty
        typealias Reply = VarlinkEmpty
    }

    static let text = """
        interface org.example.test

        type Number (number: int)

        method Echo(text: string) -> (text: string)
        method Sum(inner: (numbers: []Number)) -> (number: int)
        method Hold() -> (number: int)
        method Count(number: int) -> (number: int)
        method Last(number: int) -> (number: int)
        method Watch() -> (number: int)
        method Fail(text: string) -> ()
        method Large(number: int) -> (text: string)
        method Keep(value: object) -> (value: object)
        method Missing() -> ()

        error Refused (reason: string)

        """

    struct Broken: Error, Hashable { var secret: String }

    /// Texts that Echo got, in order.
    let echoed = Mutex<[String]>([])
    /// Names of methods that failed and what they threw.
    let failures = Mutex<[(method: String, error: String)]>([])
    /// A Hold has begun; it goes on when `release` is signalled.
    let held: WakeEvent
    let release: WakeEvent
    /// Watch sends the next number when this is signalled.
    let tick: WakeEvent
    /// A Watch has ended.
    let watchEnded: WakeEvent

    init() throws {
        (held, release, tick, watchEnded) = (
            try WakeEvent(), try WakeEvent(), try WakeEvent(), try WakeEvent()
        )
    }

    func router() throws -> VarlinkRouter {
        var router = VarlinkRouter(
            vendor: "Example", product: "Test", version: "1.2", url: "https://example.org")
        router.add(try VarlinkInterface(parsing: Service.text))
        router.handle(Echo.self) { parameters, _ in
            self.echoed.withLock { $0.append(parameters.text) }
            return parameters
        }
        router.handle(Sum.self) { parameters, _ in
            Number(number: parameters.inner.numbers.map(\.number).reduce(0, &+))
        }
        router.handle(Hold.self) { _, _ in
            self.held.signal()
            try self.release.wait(until: Deadline(milliseconds: 300_000))
            return Number(number: 1)
        }
        router.stream(Count.self) { parameters, _, replies in
            for number in 0..<max(parameters.number, 0) { try replies.send(Number(number: number)) }
        }
        router.stream(Last.self) { parameters, _, replies in
            for number in 0..<max(parameters.number, 0) { try replies.send(Number(number: number)) }
            try replies.finish(Number(number: parameters.number))
        }
        router.stream(Watch.self) { _, _, replies in
            var number = 0
            defer { self.watchEnded.signal() }
            while replies.wait(for: self.tick) == .event {
                self.tick.clear()
                try replies.send(Number(number: number))
                number += 1
            }
        }
        router.handle(Fail.self) { parameters, _ in
            if parameters.text == "refused" {
                throw VarlinkError("org.example.test.Refused", ["reason": "asked to"])
            }
            throw Broken(secret: parameters.text)
        }
        router.handle(Large.self) { parameters, _ in
            Text(text: String(repeating: "x", count: max(parameters.number, 0)))
        }
        router.handle(Keep.self) { parameters, _ in parameters }
        return router
    }

    func failed(_ method: String, _ error: any Error) {
        failures.withLock { $0.append((method, "\(error)")) }
    }
}

/// The service behind a real socket.
final class Running: Sendable {
    let service: Service
    let server: VarlinkServer
    let path: String
    private let folder: TemporaryFolder
    /// The service manager's copy of the listening socket: it outlives the server.
    let listener: ListeningSocket

    init(
        limits: VarlinkLimits = VarlinkLimits(),
        permit: @escaping @Sendable (PeerCredentials) -> Bool = { _ in true }
    ) throws {
        let service = try Service()
        self.service = service
        folder = TemporaryFolder()
        path = folder.file("socket")
        listener = try ListeningSocket.unix(path: path, mode: 0o600)
        server = VarlinkServer(try service.router(), limits: limits, permit: permit) {
            service.failed($0, $1)
        }
        try server.serve(listening: duplicate(listener.fd))
    }

    deinit { server.drain(timeoutMilliseconds: 300_000) }

    func client() -> VarlinkClient { VarlinkClient(path: path, timeoutMilliseconds: 300_000) }

    /// A connection to write bytes to that no client would.
    func connect() throws -> RawConnection { try RawConnection(path: path) }

    /// Another server on the same socket, as the service manager starts it after a stop.
    func successor() throws -> VarlinkServer {
        let service = self.service
        let server = VarlinkServer(try service.router(), permit: { _ in true }) { service.failed($0, $1) }
        try server.serve(listening: duplicate(listener.fd))
        return server
    }
}

struct RawConnection {
    let socket: StreamSocket
    private var frames = MessageFrames(limit: 64 << 20)

    init(path: String) throws { socket = try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000) }

    func write(_ text: String) throws {
        try socket.write(Array(text.utf8), until: Deadline(milliseconds: 300_000))
    }

    /// The next reply; nil when the server has closed the connection.
    mutating func reply() throws -> JSONValue? {
        do {
            return try frames.next(from: socket, until: Deadline(milliseconds: 300_000)).map {
                try JSONValue(parsing: $0)
            }
        } catch let error as SocketError where error.isDisconnect {
            return nil  // closed with bytes of ours unread
        }
    }
}
