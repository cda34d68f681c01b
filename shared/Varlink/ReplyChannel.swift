import Sockets
import Synchronization

/// The way of the replies to one call.
///
/// Ends with the call: a stream's `VarlinkReplies` may have been kept by somebody, and must not write into the replies
/// of the call that comes next.
final class ReplyChannel: Sendable {
    private let sink: any ReplySink
    private let messageBytes: Int
    private let state = Mutex(State.open)

    private enum State {
        case open
        /// The last reply has gone out, or the call has none.
        case ended
        /// A write failed.
        case broken
    }

    /// - Parameter messageBytes: of one reply, at most.
    init(_ sink: any ReplySink, messageBytes: Int) {
        self.sink = sink
        self.messageBytes = messageBytes
    }

    /// Writes one reply, whole, whichever thread it comes from.
    func write(_ reply: ReplyMessage, isLast: Bool) throws(VarlinkTransportError) {
        let bytes = reply.bytes
        guard bytes.count - 1 <= messageBytes else {
            throw VarlinkTransportError(.tooLarge, "a reply of \(bytes.count - 1) bytes")
        }
        // Held while writing: that is what keeps replies whole. A peer that does not read is cut off, so it ends.
        try state.withLock { state throws(VarlinkTransportError) in
            guard state == .open else { throw VarlinkTransportError(.closed, "the call has ended") }
            if isLast { state = .ended }
            do throws(SocketError) {
                try sink.write(bytes)
            } catch {
                state = .broken
                sink.close()  // half a message may be out: nothing can follow it
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

    /// Waits until the peer is gone or the server stops, or for `event`.
    func wait(for event: WakeEvent?, until deadline: Deadline) -> StreamSocket.Wake {
        guard state.withLock({ $0 == .open }) else { return .hungUp }
        do throws(SocketError) {
            return try sink.wait(for: event, until: deadline)
        } catch {
            return .hungUp  // a descriptor that cannot be polled is no connection
        }
    }
}
