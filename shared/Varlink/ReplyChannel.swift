import Sockets
import Synchronization

/// The way of the replies to one call.
///
/// Ends with the call: a stream's `VarlinkReplies` may have been kept by somebody, and must not write into the replies
/// of the call that comes next.
final class ReplyChannel: Sendable {
    private let socket: StreamSocket
    private let limits: VarlinkLimits
    private let state = Mutex(State.open)

    private enum State {
        case open
        /// The last reply has gone out, or the call has none.
        case ended
        /// A write failed.
        case broken
    }

    init(_ socket: StreamSocket, _ limits: VarlinkLimits) {
        self.socket = socket
        self.limits = limits
    }

    /// Writes one reply, whole, whichever thread it comes from.
    func write(_ reply: ReplyMessage, isLast: Bool) throws(VarlinkTransportError) {
        let bytes = reply.bytes
        guard bytes.count - 1 <= limits.messageBytes else {
            throw VarlinkTransportError(.tooLarge, "a reply of \(bytes.count - 1) bytes")
        }
        // Held while writing: that is what keeps replies whole. A peer that does not read is cut off, so it ends.
        try state.withLock { state throws(VarlinkTransportError) in
            guard state == .open else { throw VarlinkTransportError(.closed, "the call has ended") }
            if isLast { state = .ended }
            do throws(SocketError) {
                try socket.write(bytes, stallMilliseconds: limits.stallMilliseconds)
            } catch {
                state = .broken
                socket.close()  // half a message may be out: nothing can follow it
                throw VarlinkTransportError(error, wasSent: false)
            }
        }
    }

    /// Ends a stream, if the handler has not sent its last reply itself.
    func finish() throws(VarlinkTransportError) {
        if state.withLock({ $0 == .open }) {
            try write(ReplyMessage(parameters: Array("{}".utf8)), isLast: true)
        }
    }

    /// No reply may follow.
    func end() { state.withLock { if $0 == .open { $0 = .ended } } }

    /// The connection is of no use any more.
    var isBroken: Bool { state.withLock { $0 == .broken } }

    /// Waits until the peer is gone or the server stops (it shuts our reading half down), or for `event`.
    func wait(for event: WakeEvent?, until deadline: Deadline) -> StreamSocket.Wake {
        guard state.withLock({ $0 == .open }) else { return .hungUp }
        do throws(SocketError) {
            return try socket.wait(for: event, until: deadline)
        } catch {
            return .hungUp  // a descriptor that cannot be polled is no connection
        }
    }
}
