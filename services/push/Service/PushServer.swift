public import Daemon
public import Varlink

/// The Varlink server, with an end that suits push: first what is on its way to push services, then the callers.
public struct PushServer: Servable {
    private let varlink: VarlinkServer
    private let dispatcher: Dispatcher

    public init(_ varlink: VarlinkServer, dispatcher: Dispatcher) {
        self.varlink = varlink
        self.dispatcher = dispatcher
    }

    public func serve(listening descriptor: Int32) throws {
        try varlink.serve(listening: descriptor)
    }

    /// Three quarters of the time are for push services. Calls are answered all the while: what is delivered now is on
    /// disk, and leaves at the next start.
    public func drain(timeoutMilliseconds: Int) {
        let start = ContinuousClock.now
        dispatcher.stopSending(within: .milliseconds(timeoutMilliseconds * 3 / 4))
        let spent = Int((ContinuousClock.now - start) / .milliseconds(1))
        varlink.drain(timeoutMilliseconds: max(timeoutMilliseconds - spent, 200))
    }
}
