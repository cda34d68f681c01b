public import HTTPClient
public import Log
public import PushStore
import Sockets
import Interfaces
import Synchronization
public import Time

/// Sends what waits in the store, on a thread of its own.
///
/// One round: write down what was answered since the last, take what is to be sent next (one commit for both), encrypt
/// it, hand it to the HTTP sender. Then sleep until an answer comes, a message is accepted, or the next attempt is due;
/// with nothing under way it does not wake up at all.
public final class Dispatcher: Sendable {
    /// How many requests may be under way.
    static let capacity = 64
    /// How long a store that fails is left alone, ms.
    static let storePause = 2000
    /// A round that takes longer than this hangs.
    static let longestRound = Duration.seconds(30)

    private struct State {
        var ended: [Ended] = []
        var underWay = 0
        var isStopping = false
        var sent = 0
        var failed = 0
        var faults: Set<String> = []
        var roundStarted: ContinuousClock.Instant?
        var hasEnded = false
    }

    private let store: DeliveryStore
    private let channels: Channels
    private let sender: HTTPSender
    private let clock: any Clock
    private let log: Logger
    private let state = Mutex(State())
    private let wakeUp: WakeEvent
    private let stopped: WakeEvent

    public init(store: DeliveryStore, channels: Channels, sender: HTTPSender, clock: any Clock, log: Logger)
        throws
    {
        self.store = store
        self.channels = channels
        self.sender = sender
        self.clock = clock
        self.log = log
        wakeUp = try WakeEvent()
        stopped = try WakeEvent()
    }

    /// Starts the thread. What the store holds is sent at once.
    public func start() throws {
        if store.interrupted > 0 {
            log(
                .notice, "sending again what the last run left without an answer",
                ["deliveries": "\(store.interrupted)"])
        }
        try WorkerThread.start("push-dispatch") { [self] in run() }
        wakeUp.signal()
    }

    /// There is something new in the store.
    public func wake() {
        wakeUp.signal()
    }

    /// Deliveries that were taken by a push service, and that were given up, since the start.
    public var counts: (sent: Int, failed: Int) {
        state.withLock { ($0.sent, $0.failed) }
    }

    /// Whether the thread is there and gets on; for the watchdog.
    public var isHealthy: Bool {
        state.withLock { state in
            let lasts = state.roundStarted.map { ContinuousClock.now - $0 } ?? .zero
            return lasts < Dispatcher.longestRound && (state.isStopping || !state.hasEnded)
        }
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
        // try? : a wait that fails, like a disk that does not answer, must not keep the process. What is not written
        // down is sent again.
        _ = try? stopped.wait(until: Deadline(milliseconds: 1000))
    }

    private func run() {
        var deadline = Deadline.never
        var storeFails = false
        var lastPrune: Instant?
        while true {
            do {
                try wakeUp.wait(until: deadline)
            } catch {
                log(.error, "cannot wait, push ends", ["error": "\(error)"])
                break
            }
            wakeUp.clear()
            let (ended, room, isStopping) = state.withLock { state in
                defer { state.ended = [] }
                state.roundStarted = .now
                return (state.ended, Dispatcher.capacity - state.underWay, state.isStopping)
            }
            do {
                let now = clock.now()
                let turn = try store.turn(ended, limit: isStopping ? 0 : room, at: now)
                if storeFails { log(.notice, "push.db works again") }
                storeFails = false
                for outgoing in turn.outgoing { launch(outgoing) }
                deadline = wait(until: turn.next, now: now)
                if !isStopping, lastPrune.map({ now.seconds(since: $0) >= 86_400 }) ?? true {
                    try store.prune(at: now)
                    lastPrune = now
                }
            } catch {
                if !storeFails { log(.error, "push.db fails, trying again every 2 s", ["error": "\(error)"]) }
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

    /// At most a minute ahead: then the wall clock is looked at again, in case somebody has set it.
    private func wait(until next: Instant?, now: Instant) -> Deadline {
        guard let next else { return .never }
        return Deadline(milliseconds: Int(min(max(next.seconds(since: now), 0), 60)) * 1000)
    }

    private func launch(_ outgoing: Outgoing) {
        do {
            let request = try channels.request(for: outgoing, at: clock.now())
            state.withLock { $0.underWay += 1 }
            sender.start(request) { [self] outcome in finish(outgoing, outcome) }
        } catch {
            log(
                .warning, "push cannot be made, given up",
                [
                    "message": outgoing.message.id, "channel": outgoing.target.channel.rawValue,
                    "reason": "\(error)",
                ])
            state.withLock { state in
                state.failed += 1
                state.ended.append(Ended(outgoing, .failed(status: nil, reason: "\(error)")))
            }
            wakeUp.signal()
        }
    }

    /// On the sender's thread.
    private func finish(_ outgoing: Outgoing, _ outcome: HTTPSender.Outcome) {
        let verdict = channels.verdict(outcome, of: outgoing, jitter: .random(in: 0...1), at: clock.now())
        tell(outgoing, verdict)
        state.withLock { state in
            state.underWay -= 1
            state.ended.append(Ended(outgoing, verdict.ending))
            switch verdict.ending {
            case .sent: state.sent += 1
            case .failed, .gone: state.failed += 1
            case .retry, .swap, .interrupted: break
            }
        }
        wakeUp.signal()
    }

    private func tell(_ outgoing: Outgoing, _ verdict: Verdict) {
        let fields = [
            "message": outgoing.message.id, "channel": outgoing.target.channel.rawValue,
            "target": "\(outgoing.target.id)", "attempt": "\(outgoing.attempt)",
        ]
        switch verdict.ending {
        case .sent(let status): log(.info, "push sent", fields.merging(["status": "\(status)"]) { $1 })
        case .retry(_, let status, let reason):
            log(.info, "push not taken, will retry", fields.merging(said(status, reason)) { $1 })
        case .swap(let status, let reason):
            log(
                .info, "push not taken, trying the other environment",
                fields.merging(said(status, reason)) { $1 })
        case .failed(let status, let reason):
            log(.warning, "push refused, given up", fields.merging(said(status, reason)) { $1 })
        case .gone(_, let status, let reason):
            log(.notice, "device gone, registration dropped", fields.merging(said(status, reason)) { $1 })
        case .interrupted: break
        }
        tellFault(verdict.fault, outgoing)
    }

    private func said(_ status: Int?, _ reason: String) -> [String: String] {
        ["status": status.map(String.init) ?? "none", "reason": reason]
    }

    /// What only a person can mend is said once per push service, not once per message.
    private func tellFault(_ fault: Verdict.Fault?, _ outgoing: Outgoing) {
        guard let fault, fault != .apnsTokenExpired else { return }
        let service = outgoing.target.channel == .apns ? "APNs" : outgoing.target.label
        guard state.withLock({ $0.faults.insert("\(fault) \(service)").inserted }) else { return }
        if fault == .apnsRefused {
            log(
                .error,
                "Apple refuses our token: check APNS_KEY_ID, APNS_TEAM_ID and APNS_KEY_PATH against the account",
                ["service": service])
        } else {
            log(
                .error,
                "a push service refuses us: check VAPID_EMAIL (a real contact) and whether the VAPID key was changed",
                ["service": service])
        }
    }
}
