import Glibc

/// A system call on a socket that failed.
public struct SocketError: Error, Hashable, CustomStringConvertible {
    /// The `errno` of the call; `ETIMEDOUT` when a deadline passed before anything happened.
    public let code: Int32
    /// What was being done: "connect", "bind", "read", ...
    public let step: String

    public init(code: Int32, step: String) {
        self.code = code
        self.step = step
    }

    /// The failure of the call that has just returned -1.
    static func last(_ step: String) -> SocketError { SocketError(code: errno, step: step) }

    public static func timedOut(_ step: String) -> SocketError { SocketError(code: ETIMEDOUT, step: step) }

    public var isTimeout: Bool { code == ETIMEDOUT }

    /// The other side is gone, or was never there: nothing that we sent from here on is read.
    public var isDisconnect: Bool {
        [EPIPE, ECONNRESET, ECONNREFUSED, ENOTCONN, ENOENT].contains(code)
    }

    public var description: String { "\(step): \(String(cString: strerror(code))) (\(code))" }
}
