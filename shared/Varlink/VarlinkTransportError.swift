import Sockets

/// A call that got no answer, neither a reply nor an error.
public struct VarlinkTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// Nobody listens, or we may not connect.
        case connect
        /// The time of the call was over.
        case timeout
        /// The connection ended.
        case closed
        /// A message is longer than the limit.
        case tooLarge
        /// The other side does not speak Varlink, or not in the types that we expect.
        case `protocol`
    }

    public let kind: Kind
    /// Whether the whole request had been handed to the other side: if so it may have been carried out, and asking
    /// again may do it twice.
    public let wasSent: Bool
    /// What exactly, for the log. Never content.
    public let detail: String

    public init(_ kind: Kind, wasSent: Bool = false, _ detail: String = "") {
        self.kind = kind
        self.wasSent = wasSent
        self.detail = detail
    }

    /// What a failed system call means for a call in flight.
    init(_ error: SocketError, wasSent: Bool) {
        self.init(error.isTimeout ? .timeout : .closed, wasSent: wasSent, error.description)
    }

    public var description: String {
        "varlink \(kind.rawValue)\(detail.isEmpty ? "" : ": ")\(detail)\(wasSent ? " (request was sent)" : "")"
    }
}
