import CMicrohttpd
import Glibc
import Synchronization

/// An answer's body that is written while it goes out: server-sent events, a long report.
///
/// All methods may be called from any thread. A stream that has nothing to send costs neither thread nor time:
/// its connection is suspended and `send` wakes it.
///
///            attach               nothing pending             send, close, gone
///     fresh ────────▶ flowing ────────────────────▶ suspended ────────────────▶ flowing
///       │                │ closed and all sent · peer gone · cut off
///       └──── close ─────┴──▶ over
public final class HTTPStream: Sendable {
    fileprivate struct State: Sendable {
        /// Not yet handed to the connection; of the first, `sent` bytes are.
        var pending: [[UInt8]] = []
        var sent = 0
        var pendingBytes = 0
        var closed = false
        /// The rest is not to be sent: the peer is gone or was cut off.
        var aborted = false
        var attached = false
        /// Valid while the request is under way: from `attach` to `detach`.
        var connection: Carrier?
        var socket: Int32 = -1
        /// No chunks, because the client speaks HTTP/1.0: the connection's end is the end.
        var endsByClosing = false
        var suspended = false
        /// Where the next piece comes from when nothing is pending.
        var source: HTTPPieces?
        var closers: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let maximumPending: Int
    /// It has an end of its own, which a server that stops waits for: what is cut short looks like the whole.
    let isMade: Bool

    /// - Parameter maximumPending: the bytes that may wait for a slow reader; one more and it is cut off.
    public init(maximumPending: Int = 256 * 1024) {
        self.maximumPending = maximumPending
        isMade = false
    }

    /// One that carries `pieces` and then ends. Never suspended: it always has something to give.
    init(_ pieces: HTTPPieces) {
        maximumPending = .max
        isMade = true
        state.withLock { $0.source = pieces }
    }

    /// Sends `bytes`. Never blocks.
    ///
    /// - Returns: false when the stream is closed, or has just been cut off.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        let outcome = state.withLock { state -> (sent: Bool, closers: [@Sendable () -> Void]) in
            guard !state.closed else { return (false, []) }
            guard state.pendingBytes + bytes.count <= maximumPending else {
                // Its connection waits for a socket that nobody empties; only this ends the wait.
                if state.socket >= 0 { shutdown(state.socket, Int32(SHUT_RDWR)) }
                return (false, state.abort())
            }
            guard !bytes.isEmpty else { return (true, []) }
            state.pending.append(bytes)
            state.pendingBytes += bytes.count
            state.resume()
            return (true, [])
        }
        for closer in outcome.closers { closer() }
        return outcome.sent
    }

    /// Ends the stream after what was sent into it so far.
    public func close() {
        let closers = state.withLock { state in
            defer { state.resume() }
            return state.close()
        }
        for closer in closers { closer() }
    }

    /// True from `close()` on, or from when the reader is known to be gone or was cut off.
    public var isClosed: Bool { state.withLock { $0.closed } }

    /// Calls `body` once when the stream closes, on the thread that closes it; at once when it is closed already.
    ///
    /// That may be a thread of the server: `body` must not block.
    public func onClose(_ body: @escaping @Sendable () -> Void) {
        let closed = state.withLock { state in
            if !state.closed { state.closers.append(body) }
            return state.closed
        }
        if closed { body() }
    }
}

// What the connection does with it.
extension HTTPStream {
    /// Takes the connection that is to carry it; false when one has it already.
    func attach(_ connection: OpaquePointer, socket: Int32, endsByClosing: Bool) -> Bool {
        let connection = Carrier(connection: connection)
        return state.withLock { state in
            guard !state.attached else { return false }
            state.attached = true
            state.connection = connection
            state.socket = socket
            state.endsByClosing = endsByClosing
            return true
        }
    }

    /// The request is over, whichever way; the connection must not be touched any more.
    func detach() {
        let closers = state.withLock { state in
            state.connection = nil
            state.socket = -1
            state.suspended = false
            return state.abort()
        }
        for closer in closers { closer() }
    }

    /// Ends the stream without the rest: nobody reads it.
    func abandon() {
        let closers = state.withLock { $0.abort() }
        for closer in closers { closer() }
    }

    /// libmicrohttpd asks for up to `capacity` bytes. Nothing to give: suspends the connection.
    ///
    /// Suspending happens under the lock, so that a `send` is either seen here or finds the connection suspended.
    func read(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Int {
        if isMade { makePiece() }
        return state.withLock { state in
            if state.aborted { return state.hangUp(buffer) }
            var copied = 0
            var whole = 0
            while copied < capacity, whole < state.pending.count {
                let chunk = state.pending[whole]
                let count = min(capacity - copied, chunk.count - state.sent)
                chunk.withUnsafeBytes { source in
                    UnsafeMutableRawPointer(buffer + copied).copyMemory(
                        from: source.baseAddress! + state.sent, byteCount: count)  // chunks are not empty
                }
                copied += count
                state.sent += count
                if state.sent == chunk.count {
                    whole += 1
                    state.sent = 0
                }
            }
            state.pending.removeFirst(whole)
            state.pendingBytes -= copied
            if copied > 0 { return copied }
            if state.closed { return state.endsByClosing ? state.hangUp(buffer) : otmhd_end_of_stream }
            if let connection = state.connection {
                MHD_suspend_connection(connection.connection)
                state.suspended = true
            }
            return 0
        }
    }
}

extension HTTPStream {
    /// Fetches the next piece if all before it are sent. Not under the lock: other threads may end the stream meanwhile.
    private func makePiece() {
        guard let source = state.withLock({ $0.pending.isEmpty ? $0.source : nil }) else { return }
        do {
            let piece = try source.next()
            let closers = state.withLock { state -> [@Sendable () -> Void] in
                guard !state.closed else { return [] }
                guard let piece else { return state.close() }
                state.pending = [piece]
                state.pendingBytes = piece.count
                return []
            }
            for closer in closers { closer() }
        } catch {
            abandon()
        }
    }
}

/// The connection that carries a stream.
///
/// Unchecked: libmicrohttpd's connections may be suspended and resumed from any thread.
fileprivate struct Carrier: @unchecked Sendable {
    let connection: OpaquePointer
}

extension HTTPStream.State {
    mutating func resume() {
        guard suspended, let connection else { return }
        suspended = false
        MHD_resume_connection(connection.connection)
    }

    /// Has libmicrohttpd close the connection: by one byte more, which cannot be sent.
    ///
    /// When its reader reports an error, or the end of a body that is not chunked, libmicrohttpd 0.9.75 marks the
    /// connection closed, but looks at it again only if it is the one on its thread that was idle longest; else
    /// it keeps the socket. A write that fails is followed up at once. What was sent before still arrives.
    func hangUp(_ buffer: UnsafeMutablePointer<CChar>) -> Int {
        guard socket >= 0 else { return otmhd_end_with_error }
        shutdown(socket, Int32(SHUT_RDWR))
        buffer.pointee = 0
        return 1
    }

    mutating func close() -> [@Sendable () -> Void] {
        guard !closed else { return [] }
        closed = true
        source = nil
        defer { closers = [] }
        return closers
    }

    mutating func abort() -> [@Sendable () -> Void] {
        aborted = true
        pending = []
        sent = 0
        pendingBytes = 0
        resume()
        return close()
    }
}
