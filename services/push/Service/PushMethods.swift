public import HTTPClient
import Interfaces
import JSON

public import PushStore
import Sockets
import Synchronization
public import Time
public import Varlink

/// `org.opentask.push`, answered.
public struct PushMethods: Sendable {
    /// How long a test waits for push services, ms; the api waits 10 s for us.
    static let testPatience = 8000

    private let store: DeliveryStore
    private let dispatcher: Dispatcher
    private let courier: WebhookCourier
    private let channels: Channels
    private let sender: HTTPSender
    private let judge: Judge
    private let clock: any Clock
    private let started: Instant

    public init(
        store: DeliveryStore, dispatcher: Dispatcher, courier: WebhookCourier, channels: Channels,
        sender: HTTPSender, judge: Judge, clock: any Clock
    ) {
        self.store = store
        self.dispatcher = dispatcher
        self.courier = courier
        self.channels = channels
        self.sender = sender
        self.judge = judge
        self.clock = clock
        started = clock.now()
    }

    /// A router that answers the whole interface.
    public func router() -> VarlinkRouter {
        var router = VarlinkRouter(product: "opentask-push", interfaces: [Push.name])
        router.handle(Push.Deliver.self) { parameters, _ in try deliver(parameters) }
        router.handle(Push.TestWebPush.self) { parameters, _ in try test(parameters) }
        router.handle(Push.GetVapidKey.self) { _, _ in
            Push.GetVapidKey.Reply(publicKey: channels.vapidPublicKey, configured: true)
        }
        router.handle(Push.GetChannels.self) { parameters, _ in try count(parameters) }
        router.handle(Push.Status.self) { _, _ in try status() }
        router.handle(Push.GetLog.self) { parameters, _ in try log(parameters) }
        router.handle(Push.GetWebhookLog.self) { parameters, _ in try webhookLog(parameters) }
        return router
    }

    func deliver(_ call: Push.Deliver.Parameters) throws -> Push.Deliver.Reply {
        guard !call.messages.contains(where: { $0.id.isEmpty || $0.id.utf8.count > 128 }) else {
            throw VarlinkError.invalidParameter("messages.id")
        }
        _ = try fromStore { () throws in
            try store.accept(call.messages.map(judge.judge), configured: channels.configured, at: clock.now())
        }
        dispatcher.wake()
        courier.wake()
        return Push.Deliver.Reply(accepted: call.messages.map(\.id))
    }

    func test(_ call: Push.TestWebPush.Parameters) throws -> Push.TestWebPush.Reply {
        let all = try fromStore { () throws in try store.targets(of: call.user, .webpush) }
        let targets = all.filter { target in
            guard let endpoint = call.endpoint, case .webPush(endpoint, _, _) = target.address else {
                return call.endpoint == nil
            }
            return true
        }
        guard !targets.isEmpty else {
            return Push.TestWebPush.Reply(
                sent: false,
                reason: call.endpoint == nil ? "No browser is subscribed" : "This browser is not subscribed")
        }
        return try send(to: targets)
    }

    /// All at once; the first success is enough, the first failure is the reason.
    private func send(to targets: [Target]) throws -> Push.TestWebPush.Reply {
        let answered = try WakeEvent()
        var asked = 0
        let outcomes = Outcomes()
        for target in targets {
            guard let request = try channels.test(target, at: clock.now()) else { continue }
            asked += 1
            sender.start(request) { outcome in
                outcomes.add(outcome)
                answered.signal()
            }
        }
        let deadline = Deadline(milliseconds: PushMethods.testPatience)
        while outcomes.all.count < asked, try answered.wait(until: deadline) { answered.clear() }
        let all = outcomes.all
        if all.contains(where: \.isSuccess) { return Push.TestWebPush.Reply(sent: true) }
        return Push.TestWebPush.Reply(
            sent: false, reason: all.first.map(\.reason) ?? "The push service did not answer in time")
    }

    func count(_ call: Push.GetChannels.Parameters) throws -> Push.GetChannels.Reply {
        func count(_ channel: Push.Channel) throws -> Int {
            guard channels.configured.contains(channel) else { return 0 }
            return try fromStore { () throws in try store.targets(of: call.user, channel).count }
        }
        return Push.GetChannels.Reply(subscriptions: try count(.webpush), devices: try count(.apns))
    }

    func status() throws -> Push.Status.Reply {
        let counts = try fromStore { () throws in try store.counts() }
        let (sent, failed) = dispatcher.counts
        return Push.Status.Reply(
            version: productVersion, uptimeSeconds: Int(max(0, clock.now().seconds(since: started))),
            queued: counts.queued,
            oldestQueuedAt: counts.oldestQueuedAt, subscriptions: counts.subscriptions,
            devices: counts.devices,
            widgetTokens: counts.widgetTokens, webpushConfigured: true,
            apnsConfigured: channels.configured.contains(.apns), sent: sent, failed: failed)
    }

    func log(_ call: Push.GetLog.Parameters) throws -> Push.GetLog.Reply {
        guard (1...1000).contains(call.limit) else { throw VarlinkError.invalidParameter("limit") }
        guard call.messages?.count ?? 0 <= 1000 else { throw VarlinkError.invalidParameter("messages") }
        return Push.GetLog.Reply(
            entries: try fromStore { () throws in
                try store.log(of: call.user, limit: call.limit, messages: call.messages)
            })
    }

    func webhookLog(_ call: Push.GetWebhookLog.Parameters) throws -> Push.GetWebhookLog.Reply {
        guard (1...1000).contains(call.limit) else { throw VarlinkError.invalidParameter("limit") }
        return Push.GetWebhookLog.Reply(
            attempts: try fromStore { () throws in
                try store.webhookLog(
                    of: call.user, webhook: call.webhook, limit: call.limit, at: clock.now())
            })
    }

    /// Any failure of the disk is one error of the interface: the caller keeps its messages and asks again.
    private func fromStore<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw VarlinkError(Push.Errors.storeFailed, ["detail": .string("\(error)")])
        }
    }
}

/// What has come back so far.
private final class Outcomes: Sendable {
    private let outcomes = Mutex<[HTTPSender.Outcome]>([])

    var all: [HTTPSender.Outcome] { outcomes.withLock { $0 } }

    func add(_ outcome: HTTPSender.Outcome) {
        outcomes.withLock { $0.append(outcome) }
    }
}

extension HTTPSender.Outcome {
    fileprivate var isSuccess: Bool {
        if case .success(let reply) = self { (200...299).contains(reply.status) } else { false }
    }

    fileprivate var reason: String {
        switch self {
        case .success(let reply): "The push service answered \(reply.status)"
        case .failure(let error): "The push service could not be reached (\(error))"
        }
    }
}
