import Dispatch
import Synchronization

/// Sends HTTP requests, many at once, over kept connections: HTTP/2 with its requests side by side where the server
/// speaks it, HTTP/1.1 elsewhere. TLS 1.2 or newer; proxies of the environment are not used.
///
/// One thread of its own does all the work with libcurl's multi interface (https://curl.se/libcurl/c/libcurl-multi.html).
/// It sleeps, without waking up, while there is nothing to do. Everything here may be called from any thread.
public final class HTTPSender: Sendable {
    public struct Settings: Sendable {
        /// PEM file of the authorities to trust instead of the system's.
        public var authoritiesPath: String?
        /// Sent as `User-Agent`.
        public var userAgent: String
        /// For one host and port; an HTTP/2 server normally gets one, whatever this says.
        public var connectionsPerHost: Int
        /// Asked with the address (4 or 16 bytes, network order) before it is dialled, on the sender's thread.
        public var mayDial: @Sendable (_ address: [UInt8]) -> Bool

        public init(
            authoritiesPath: String? = nil, userAgent: String = "opentask", connectionsPerHost: Int = 4,
            mayDial: @escaping @Sendable (_ address: [UInt8]) -> Bool = { _ in true }
        ) {
            self.authoritiesPath = authoritiesPath
            self.userAgent = userAgent
            self.connectionsPerHost = connectionsPerHost
            self.mayDial = mayDial
        }
    }

    public typealias Outcome = Result<HTTPClientReply, HTTPClientError>

    private let loop: TransferLoop

    public init(_ settings: Settings = Settings()) {
        loop = TransferLoop(settings)
        loop.start()
    }

    deinit {
        loop.stop(within: .zero)
    }

    /// Waits for the answer. When the task is cancelled, so is the request.
    public func send(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientReply {
        let transfer = Transfer(request)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                transfer.onFinish { continuation.resume(returning: $0) }
                loop.add(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try outcome.get()
    }

    /// Blocks the calling thread until the answer is there: for programs that do one thing at a time.
    public func sendBlocking(_ request: HTTPClientRequest) throws(HTTPClientError) -> HTTPClientReply {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Outcome>(.failure(HTTPClientError(.stopped)))
        start(request) { outcome in
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        return try result.withLock { $0 }.get()
    }

    /// Starts a request and returns at once. `finished` is called once, on the sender's thread, and must be quick.
    public func start(_ request: HTTPClientRequest, finished: @escaping @Sendable (Outcome) -> Void) {
        let transfer = Transfer(request)
        transfer.onFinish(finished)
        loop.add(transfer)
    }

    /// Takes no more requests, waits for those under way, cancels what is left after `limit`, ends the thread.
    /// Returns when all have been told. The second call does nothing.
    public func stop(within limit: Duration) {
        loop.stop(within: limit)
    }
}
