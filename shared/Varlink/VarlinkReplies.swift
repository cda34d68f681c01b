import JSON
public import Sockets

/// The replies of a method that is called with `more`: as many as there are, until the handler returns.
///
/// When the handler returns, the stream ends with a last reply without `continues` and without parameters (`{}`),
/// which every client takes: streams are open-ended, so no reply is known to be the last when it is sent, and holding
/// each back until the next would delay it. `finish(_:)` makes a real reply the last one.
///
/// Thread-safe; of no effect after the handler has returned.
public struct VarlinkReplies<Reply: Codable & Sendable>: Sendable {
    let channel: ReplyChannel

    /// Sends one reply, marked as continued.
    ///
    /// - Throws: `VarlinkTransportError` when the peer is gone or reads too slowly, or the reply is too large.
    public func send(_ reply: Reply) throws {
        try channel.write(
            ReplyMessage(parameters: try JSONCoding.encode(reply), continues: true), isLast: false)
    }

    /// Sends the last reply. `send` throws afterwards.
    public func finish(_ reply: Reply) throws {
        try channel.write(ReplyMessage(parameters: try JSONCoding.encode(reply)), isLast: true)
    }

    /// The peer is gone or the server stops: the handler should return.
    public var isClosed: Bool { channel.wait(for: nil, until: Deadline(milliseconds: 0)) == .hungUp }

    /// Waits for the end.
    ///
    /// - Returns: whether it has come; false when the time was over first.
    public func waitUntilClosed(timeoutMilliseconds: Int) -> Bool {
        channel.wait(for: nil, until: Deadline(milliseconds: timeoutMilliseconds)) == .hungUp
    }

    /// Waits for the end or for `event`, whichever is first: the way to stream what happens without looking for it.
    ///
    /// - Parameter timeoutMilliseconds: nil waits without end, and costs no CPU.
    public func wait(for event: WakeEvent, timeoutMilliseconds: Int? = nil) -> StreamSocket.Wake {
        channel.wait(for: event, until: Deadline(milliseconds: timeoutMilliseconds))
    }
}
