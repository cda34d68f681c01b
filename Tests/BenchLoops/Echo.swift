import Glibc
import JSON
import Sockets
import Varlink

/// A small message there and back: by Varlink, and as the same bytes without it.
enum EchoService {
    enum Echo: VarlinkMethod {
        static let name = "org.example.echo.Echo"
        struct Parameters: Codable { var id: Int, text: String }
        typealias Reply = Parameters
    }

    static let parameters = Echo.Parameters(id: 4711, text: "a small message, as most are")

    /// What the Varlink client and server put on the wire for one call.
    static let request =
        Array(
            #"{"method":"org.example.echo.Echo","parameters":{"id":4711,"text":"a small message, as most are"}}"#
                .utf8)
        + [0]
    static let reply = Array(#"{"parameters":{"id":4711,"text":"a small message, as most are"}}"#.utf8) + [0]

    private static let text = """
        interface org.example.echo
        method Echo(id: int, text: string) -> (id: int, text: string)
        """

    /// Returns when standard input ends.
    static func serve(at path: String) throws {
        var router = VarlinkRouter(
            vendor: "Example", product: "bench", version: "1", url: "https://example.org")
        router.add(try VarlinkInterface(parsing: text))
        router.handle(Echo.self) { parameters, _ in parameters }
        let server = VarlinkServer(router, permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: path, mode: 0o600))

        let raw = try ListeningSocket.unix(path: path + ".raw", mode: 0o600)
        let stop = try WakeEvent()
        try WorkerThread.start("raw") {
            while let socket = try? raw.accept(until: stop) {
                try? answerRaw(socket)
            }
        }
        // Not `print`, which keeps what goes into a pipe.
        _ = transmit(STDOUT_FILENO, Array("ready\n".utf8))
        while readLine() != nil {}
        server.drain(timeoutMilliseconds: 1000)
    }

    private static func answerRaw(_ socket: StreamSocket) throws {
        let reply = reply
        var buffer = [UInt8](repeating: 0, count: request.count)
        while receive(socket.fd, &buffer) {
            guard transmit(socket.fd, reply) else { return }
        }
    }
}

/// Round trips per second by the product's client and server.
func roundTrips(varlink path: String, for seconds: Double) throws -> Double {
    let client = VarlinkClient(path: path)
    return try rate(over: seconds) {
        let reply = try client.call(EchoService.Echo.self, EchoService.parameters)
        precondition(reply.id == EchoService.parameters.id)
    }
}

/// Round trips per second of the same bytes by nothing but read and write.
func roundTrips(raw path: String, for seconds: Double) throws -> Double {
    let socket = try StreamSocket.connect(unix: path + ".raw", until: .never)
    let request = EchoService.request
    var buffer = [UInt8](repeating: 0, count: EchoService.reply.count)
    return rate(over: seconds) {
        let isDone = transmit(socket.fd, request) && receive(socket.fd, &buffer)
        precondition(isDone && buffer == EchoService.reply)
    }
}

private func transmit(_ fd: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) } == bytes.count
}

/// Fills `buffer`; false when the peer has gone.
private func receive(_ fd: Int32, _ buffer: inout [UInt8]) -> Bool {
    buffer.withUnsafeMutableBytes { bytes in
        var filled = 0
        while filled < bytes.count {
            // The buffer is not empty, so it has an address.
            let count = read(fd, bytes.baseAddress! + filled, bytes.count - filled)
            if count <= 0 { return false }
            filled += count
        }
        return true
    }
}
