import Dispatch
import Glibc
import HTTPServer

/// Answers by closures.
struct Answers: HTTPHandler {
    var limit = 1024
    var answer: @Sendable (HTTPRequest) -> HTTPResponse

    func bodyLimit(method: String, path: String) -> Int { limit }
    func respond(to request: HTTPRequest) -> HTTPResponse { answer(request) }
    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        .text("refused: \(refusal)", status: refusal.status)
    }
}

extension HTTPResponse {
    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain")], body: .bytes(Array(text.utf8)))
    }
}

/// A server on a loopback socket of its own, until the end of the test.
final class TestServer: Sendable {
    let web: WebServer
    let listening: Int32
    let port: UInt16

    init(
        limit: Int = 1024, threads: Int = 4, limits: HTTPLimits = .init(),
        answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) throws {
        (listening, port) = try listenOnLoopback()
        web = WebServer(handler: Answers(limit: limit, answer: answer), threads: threads, limits: limits)
        try web.serve(listening: listening)
    }

    deinit {
        web.drain(timeoutMilliseconds: 0)
        close(listening)
    }

    func connect() throws -> RawClient { try RawClient(port: port) }

    /// Waits, for 20 s at most, until the server has closed all connections but `count`.
    func isLeft(with count: Int) -> Bool {
        let deadline = DispatchTime.now() + 20
        while web.connectionCount > count, DispatchTime.now() < deadline { sched_yield() }
        return web.connectionCount == count
    }
}

extension DispatchSemaphore {
    /// Waits up to 20 s; false when nothing came.
    func arrives() -> Bool { wait(timeout: .now() + 20) == .success }
}

/// Runs `body` on a thread of its own, which may block.
func onThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let done = DispatchSemaphore(value: 0)
    var thread = pthread_t()
    let box = Box {
        body()
        done.signal()
    }
    let code = pthread_create(
        &thread, nil,
        { box in
            Unmanaged<Box>.fromOpaque(box!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(box).toOpaque())
    precondition(code == 0, "pthread_create")
    pthread_detach(thread)
    return done
}
