import Sockets
import Synchronization

/// Where the replies of one connection go.
protocol ReplySink: Sendable {
    /// Writes a message, NUL included.
    func write(_ message: [UInt8]) throws(SocketError)

    /// Ends the connection.
    func close()

    /// Waits until the peer is gone or the server stops (it shuts our reading half down), or for `event`.
    func wait(for event: WakeEvent?, until deadline: Deadline) throws(SocketError) -> StreamSocket.Wake
}

/// A connection over a socket. A peer that accepts nothing for too long is cut off.
struct SocketSink: ReplySink {
    let socket: StreamSocket
    let stallMilliseconds: Int

    func write(_ message: [UInt8]) throws(SocketError) {
        try socket.write(message, stallMilliseconds: stallMilliseconds)
    }

    func close() { socket.close() }

    func wait(for event: WakeEvent?, until deadline: Deadline) throws(SocketError) -> StreamSocket.Wake {
        try socket.wait(for: event, until: deadline)
    }
}

/// A peer that takes everything and has hung up by the time that anybody waits for it.
final class MemorySink: ReplySink {
    private let messages = Mutex<[[UInt8]]>([])

    /// What was written, without the NULs.
    var replies: [[UInt8]] { messages.withLock { $0 } }

    func write(_ message: [UInt8]) { messages.withLock { $0.append(message.dropLast()) } }

    func close() {}

    func wait(for event: WakeEvent?, until deadline: Deadline) -> StreamSocket.Wake { .hungUp }
}
