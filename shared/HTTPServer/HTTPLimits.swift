/// What clients can make a `WebServer` hold, and for how long.
public struct HTTPLimits: Sendable {
    /// Open connections, over all sockets. Further ones wait in the kernel's backlog until one is closed.
    public var connections = 4096
    /// Seconds after which a connection with nothing moving on it is closed; streams are exempt.
    public var idleSeconds = 70
    /// Memory of a connection, in bytes. The head of a request, the answer's head and a part of the body must fit.
    public var headBytes = 32 * 1024
    /// While draining, how long (milliseconds) idle connections may still bring a request before they are closed.
    public var idleGraceMilliseconds = 300
    /// How long (milliseconds) the rest of a refused body is read and thrown away, so that its sender gets to
    /// see the answer (RFC 9112 section 9.6).
    public var lingerMilliseconds = 5000

    public init() {}
}
