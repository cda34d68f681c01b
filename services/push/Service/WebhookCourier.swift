public import HTTPClient
import Interfaces
public import Log
public import PushStore
import Sockets
import Synchronization
public import Time

/// Tells webhooks what waits for them in the store, on a thread of its own.
///
/// One round: write down what was answered since the last and take what is next (one commit), sign it, hand it to the
/// HTTP sender. Then sleep until an answer comes, an event is accepted, or a pause is over. A slow or dead receiver
/// takes one first attempt and a few further ones of its own; it never holds up another.
public final class WebhookCourier: Sendable {
    /// How many requests may be under way.
    static let capacity = 32

    private struct State {
        var ended: [EndedWebhook] = []
        var underWay = 0
        var isStopping = false
        /// Until when a failed event rests, by its id: the store's clock has whole seconds only.
        var resting: [String: ContinuousClock.Instant] = [:]
        var roundStarted: ContinuousClock.Instant?
        var hasEnded = false
    }

    private let store: DeliveryStore
    private let sender: HTTPSender
    private let timeout: Duration
    private let clock: any Clock
    private let log: Logger
    private let state = Mutex(State())
    private let wakeUp: WakeEvent
    private let stopped: WakeEvent

    /// - Parameters:
    ///   - sender: its own, that dials where webhooks may lead (D21).
    ///   - timeout: of one attempt.
    public init(store: DeliveryStore, sender: HTTPSender, timeout: Duration, clock: any Clock, log: Logger)
        throws
    {
        self.store = store
        self.sender = sender
        self.timeout = timeout
        self.clock = clock
        self.log = log
        wakeUp = try WakeEvent()
        stopped = try WakeEvent()
    }

    /// Starts the thread. What the store holds is sent at once.
    public func start() throws {
        try WorkerThread.start("push-webhooks") { [self] in run() }
        wakeUp.signal()
    }

    /// There is something new in the store.
    public func wake() { wakeUp.signal() }

    /// Whether the thread is there and gets on; for the watchdog.
    public var isHealthy: Bool {
        state.withLock { state in
            let lasts = state.roundStarted.map { ContinuousClock.now - $0 } ?? .zero
            return lasts < Dispatcher.longestRound && (state.isStopping || !state.hasEnded)
        }
    }

    /// What is under way goes on.
    func startNothingNew() {
        state.withLock { $0.isStopping = true }
        wakeUp.signal()
    }

    /// Sends nothing new and waits up to `limit` for the answers of what is under way.
    public func stopSending(within limit: Duration) {
        state.withLock { $0.isStopping = true }
        sender.stop(within: limit)  // from here on every request has its outcome
        wakeUp.signal()
    }

    /// Writes down what was answered and ends the thread. What has no answer waits in the store for the next start.
    public func stop() {
        stopSending(within: .zero)
        // try? : as with push services, a disk that does not answer must not keep the process
        _ = try? stopped.wait(until: Deadline(milliseconds: 1000))
    }

    private func run() {
        var deadline = Deadline.never
        var storeFails = false
        while true {
            do {
                try wakeUp.wait(until: deadline)
            } catch {
                log(.error, "cannot wait, webhooks end", ["error": "\(error)"])
                break
            }
            wakeUp.clear()
            let (ended, room, resting) = begin()
            do {
                let now = clock.now()
                let turn = try store.webhookTurn(ended, limit: room, resting: resting, at: now)
                if storeFails { log(.notice, "push.db takes what webhooks answer again") }
                storeFails = false
                for delivery in turn.outgoing { launch(delivery) }
                deadline = wait(until: turn.next, now: now)
            } catch {
                if !storeFails {
                    log(.error, "push.db fails for webhooks, trying again every 2 s", ["error": "\(error)"])
                }
                storeFails = true
                state.withLock { $0.ended = ended + $0.ended }
                deadline = Deadline(milliseconds: Dispatcher.storePause)
            }
            let isDone = state.withLock { state in
                state.roundStarted = nil
                return state.isStopping && state.underWay == 0 && (state.ended.isEmpty || storeFails)
            }
            if isDone { break }
        }
        state.withLock { $0.hasEnded = true }
        stopped.signal()
    }

    private func begin() -> ([EndedWebhook], room: Int, resting: Set<String>) {
        state.withLock { state in
            let now = ContinuousClock.now
            state.roundStarted = now
            state.resting = state.resting.filter { $0.value > now }
            defer { state.ended = [] }
            let room = state.isStopping ? 0 : Self.capacity - state.underWay
            return (state.ended, room, Set(state.resting.keys))
        }
    }

    /// At most a minute ahead, in case somebody sets the clock meanwhile.
    private func wait(until next: Instant?, now: Instant) -> Deadline {
        var milliseconds = next.map { Int(min(max($0.seconds(since: now), 0), 60)) * 1000 }
        let rest = state.withLock { $0.resting.values.min() }
        if let rest {
            let left = Int(max(0, ((rest - .now) / .milliseconds(1)).rounded(.up)))
            milliseconds = min(milliseconds ?? left, left)
        }
        return milliseconds.map { Deadline(milliseconds: $0) } ?? .never
    }

    private func launch(_ delivery: WebhookDelivery) {
        let now = clock.now()
        let (request, payload) = WebhookRequest.make(delivery, timeout: timeout, at: now)
        state.withLock { $0.underWay += 1 }
        sender.start(request) { [self] outcome in
            let ending = WebhookRequest.ending(outcome, timeout: timeout)
            tell(delivery, ending)
            state.withLock { state in
                state.underWay -= 1
                state.ended.append(EndedWebhook(delivery, payload: payload, ending, at: now))
                if case .failed = ending, delivery.attempt <= DeliveryStore.webhookPauses.count {
                    state.resting[delivery.id] =
                        .now + .seconds(DeliveryStore.webhookPauses[delivery.attempt - 1])
                }
            }
            wakeUp.signal()
        }
    }

    private func tell(_ delivery: WebhookDelivery, _ ending: WebhookEnding) {
        var fields = [
            "delivery": delivery.id, "webhook": "\(delivery.event.webhook)", "event": delivery.event.event,
            "attempt": "\(delivery.attempt)",
        ]
        switch ending {
        case .delivered(let status):
            fields["status"] = "\(status)"
            log(.info, "webhook told", fields)
        case .failed(let status, let error):
            fields["status"] = status.map(String.init) ?? "none"
            fields["reason"] = error
            let isLast = delivery.attempt > DeliveryStore.webhookPauses.count
            log(isLast ? .warning : .info, isLast ? "webhook failed, given up" : "webhook failed", fields)
        case .interrupted: break
        }
    }
}
