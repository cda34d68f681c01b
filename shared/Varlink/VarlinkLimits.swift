/// What a peer can make grow, and how far.
public struct VarlinkLimits: Hashable, Sendable {
    /// Of one message, either way, without its NUL.
    public var messageBytes: Int
    /// Open at once on one socket. Whoever comes next is accepted and closed, so that it does not wait in vain.
    public var connections: Int
    /// How long a peer may accept nothing of a reply before it is cut off.
    public var stallMilliseconds: Int
    /// Objects and arrays within each other, the message itself included.
    public var depth: Int
    /// The stack of the thread that runs a connection's handlers; what is not touched costs no memory.
    public var stackBytes: Int

    public init(
        messageBytes: Int = 16 << 20, connections: Int = 256, stallMilliseconds: Int = 30_000,
        depth: Int = 64,
        stackBytes: Int = 512 << 10
    ) {
        self.messageBytes = messageBytes
        self.connections = connections
        self.stallMilliseconds = stallMilliseconds
        self.depth = depth
        self.stackBytes = stackBytes
    }
}
