public import Sockets

/// Cuts a stream of bytes into messages: each ends with one NUL byte, which JSON text never contains.
///
/// The work is linear in the bytes however they arrive: each is copied a bounded number of times and searched once.
public struct MessageFrames: Sendable {
    /// The bytes of a message, at most, without its NUL.
    public let limit: Int

    /// What has been read and not yet taken is `buffer[start..<end]`; the rest is room for the next read.
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0
    /// No NUL in `buffer[start..<searched]`.
    private var searched = 0

    /// Enough for the usual message in one read, and little for a connection that is idle.
    private static let usualBytes = 8 << 10

    public init(limit: Int) {
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: MessageFrames.usualBytes)
    }

    /// Whether a message has begun and not ended.
    public var isInsideMessage: Bool { start < end }

    /// Adds bytes that came by some other way than `next(from:)`.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom(for: bytes.count)
        buffer.replaceSubrange(end..<end + bytes.count, with: bytes)
        end += bytes.count
    }

    /// The next message among the bytes that are there; nil when it is not complete.
    ///
    /// - Throws: `tooLarge`. There is no way on from that: the end of the message is unknown.
    public mutating func next() throws(VarlinkTransportError) -> [UInt8]? {
        guard let zero = buffer.firstZero(in: searched..<end) else {
            searched = end
            guard end - start <= limit else {
                throw VarlinkTransportError(.tooLarge, "a message without end")
            }
            return nil
        }
        guard zero - start <= limit else { throw VarlinkTransportError(.tooLarge, "\(zero - start) bytes") }
        let message = Array(buffer[start..<zero])
        start = zero + 1
        searched = start
        if start == end { reset() }
        return message
    }

    /// The next message, read from `socket` if need be; nil when the other side has said its last one.
    ///
    /// - Throws: `SocketError` (also when the deadline passes), `VarlinkTransportError` when a message is too large or
    ///   the stream ends in the middle of one.
    public mutating func next(
        from socket: StreamSocket, until deadline: Deadline = .never
    ) throws -> [UInt8]? {
        while true {
            if let message = try next() { return message }
            makeRoom(for: 1)
            let count = try socket.read(into: &buffer, from: end, until: deadline)
            if count == 0 {
                if isInsideMessage { throw VarlinkTransportError(.closed, "in the middle of a message") }
                return nil
            }
            end += count
        }
    }

    /// Back to the usual size: one large message must not hold memory for the life of the connection.
    private mutating func reset() {
        (start, end, searched) = (0, 0, 0)
        if buffer.count > 8 * MessageFrames.usualBytes {
            buffer = [UInt8](repeating: 0, count: MessageFrames.usualBytes)
        }
    }

    private mutating func makeRoom(for count: Int) {
        if buffer.count - end >= count { return }
        // Moving is worth it only when it frees half of the buffer: so a byte moves once for each that has been taken.
        if start >= buffer.count / 2 {
            buffer.removeSubrange(0..<start)
            buffer.append(contentsOf: [UInt8](repeating: 0, count: start))
            (start, end, searched) = (0, end - start, searched - start)
        }
        if buffer.count - end < count {
            buffer.append(contentsOf: [UInt8](repeating: 0, count: max(buffer.count, count)))
        }
    }
}
