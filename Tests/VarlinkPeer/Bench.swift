import Glibc
import JSON
import Sockets
import Varlink

/// How fast a call is, against the least that a round trip between two threads can cost: one byte there and back over
/// a pair of sockets, in the same run.
enum Bench {
    /// Round trips per second: of a small call and its reply, and of the byte.
    static func run(seconds: Int) throws -> (calls: Double, bytes: Double) {
        var path = "/tmp/varlink-bench-\(getpid())"
        defer { unlink(path) }
        var router = VarlinkRouter(
            vendor: "Example", product: "Bench", version: "1", url: "https://example.org")
        try Peer().register(on: &router)
        let listener = try ListeningSocket.unix(path: path, mode: 0o600)
        if case .unix(let bound) = listener.localAddress { path = bound }
        let server = VarlinkServer(router, permit: VarlinkPermit.owner())
        server.serve(listener)
        let client = VarlinkClient(path: path)
        let parameters = Peer.Echo.Parameters(
            thing: .init(
                name: "a thing", colour: .green, sizes: [1, 2, 3], weights: ["a": 1.5], details: nil))

        let (one, other) = try StreamSocket.pair()
        try WorkerThread.start("echo") {
            while let bytes = try? other.read(atMost: 64), !bytes.isEmpty { try? other.write(bytes) }
        }
        let calls = try rate(seconds: seconds) { _ = try client.call(Peer.Echo.self, parameters) }
        let bytes = try rate(seconds: seconds) {
            try one.write([1])
            _ = try one.read(atMost: 64)
        }
        one.close()
        server.drain(timeoutMilliseconds: 5_000)
        return (calls, bytes)
    }

    private static func rate(seconds: Int, _ step: () throws -> Void) rethrows -> Double {
        for _ in 0..<1_000 { try step() }
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        while clock.now - start < .seconds(seconds) {
            for _ in 0..<100 { try step() }
            count += 100
        }
        return Double(count) / ((clock.now - start) / .seconds(1))
    }
}
