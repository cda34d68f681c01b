public import HTTPServer
public import Varlink

/// A server that answers on listening sockets on threads of its own.
public protocol Servable: Sendable {
    /// Starts to answer; returns at once. The server owns the descriptor from now on: to stop it closes it, and does
    /// nothing else to the socket, of which the service manager keeps its own copy.
    func serve(listening descriptor: Int32) throws

    /// Accepts no more, finishes what was accepted, and returns when that is done or the time has passed.
    func drain(timeoutMilliseconds: Int)
}

extension VarlinkServer: Servable {}
extension WebServer: Servable {}
