import Glibc
import HTTPServer
import Sockets
import Synchronization

/// A server on a loopback port of its own, until the end of the test. Remembers what it was asked.
final class TestServer: HTTPHandler {
    let seen = Mutex<[HTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest) -> HTTPResponse

    init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) {
        self.answer = answer
    }

    func bodyLimit(method: String, path: String) -> Int { 1 << 20 }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        seen.withLock { $0.append(request) }
        return answer(request)
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { HTTPResponse(status: refusal.status) }

    /// Runs `body` with the server's address, `http://127.0.0.1:PORT`.
    func serve<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let listening = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
        let web = WebServer(handler: self, threads: 8)
        try web.serve(listening: dup(listening.fd))
        defer { web.drain(timeoutMilliseconds: 0) }
        return try await body("http://127.0.0.1:\(listening.localAddress.port ?? 0)")
    }
}

extension HTTPResponse {
    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: .bytes(Array(text.utf8)))
    }
}
