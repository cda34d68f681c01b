public import Daemon
public import Varlink

/// The Varlink server, with an end that suits push: first what is on its way out, then the callers.
public struct PushServer: Servable {
    private let varlink: VarlinkServer
    private let dispatcher: Dispatcher
    private let courier: WebhookCourier

    public init(_ varlink: VarlinkServer, dispatcher: Dispatcher, courier: WebhookCourier) {
        self.varlink = varlink
        self.dispatcher = dispatcher
        self.courier = courier
    }

    public func serve(listening descriptor: Int32) throws {
        try varlink.serve(listening: descriptor)
    }

    /// Three quarters of the time are for push services and webhooks. Calls are answered all the while: what is delivered now is on
    /// disk, and leaves at the next start.
    public func drain(timeoutMilliseconds: Int) {
        let start = ContinuousClock.now
        let limit = Duration.milliseconds(timeoutMilliseconds * 3 / 4)
        courier.startNothingNew()
        dispatcher.stopSending(within: limit)
        courier.stopSending(within: max(.zero, limit - (.now - start)))
        let spent = Int((ContinuousClock.now - start) / .milliseconds(1))
        varlink.drain(timeoutMilliseconds: max(timeoutMilliseconds - spent, 200))
    }
}
