public import Sockets

/// What a handler may want to know about a call besides its parameters.
public struct VarlinkCall: Hashable, Sendable {
    /// Who called.
    public let peer: PeerCredentials
    /// The full name that was called.
    public let method: String
    /// The caller takes more than one reply.
    public let more: Bool
    /// The caller takes no reply at all; neither an answer nor an error is sent.
    public let oneway: Bool

    public init(peer: PeerCredentials, method: String, more: Bool = false, oneway: Bool = false) {
        self.peer = peer
        self.method = method
        self.more = more
        self.oneway = oneway
    }
}
