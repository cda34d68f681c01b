import Interfaces
public import Log
import Sockets
import Synchronization
public import Time
import Timers
import Varlink

/// The clock of the house: sleeps until the next instant that matters, asks for the facts, decides, reports.
///
/// Two threads. One follows the api's stream of next instants; the other sleeps on a timer of the wall clock and
/// works. Nothing is polled: an idle house wakes neither.
///
/// ```
///   api: Watch ──► next instant ──► timer ──reached / clock set / changed──► GetDue ─► check ─► Report ─┐
///                                     ▲                                                                  │
///                                     └──────────────────────────────────────────────────────────────────┘
/// ```
///
/// It owns nothing durable. Killed at any instruction, the next one asks for the same facts: what was reported is
/// marked in the api, what was not is decided again (N-5, A-8).
public final class Scheduler: Sendable {
    private struct State {
        var next: Instant?
        /// Goes up with every word of the api, also when it says the same instant again.
        var told = 0
        var isConnected = false
        var isStopping = false
        var checks = 0
    }

    /// Facts of a round; people are never torn apart.
    private static let limit = 200
    /// After a failure of the api, ms.
    private static let retry = 200...10_000
    private static let daySeconds: Int64 = 86_400

    private let path: String
    private let clock: any Clock
    private let log: Logger
    private let timer: WallClockTimer
    private let state = Mutex(State())
    private let ended: WakeEvent
    private let stopping: WakeEvent
    private let startedAt: Instant

    /// - Parameter apiSocket: the path of the api's Varlink socket.
    /// - Throws: when the process has no descriptors left.
    public init(apiSocket path: String, clock: any Clock, log: Logger) throws {
        self.path = path
        self.clock = clock
        self.log = log
        timer = try WallClockTimer()
        ended = try WakeEvent()
        stopping = try WakeEvent()
        startedAt = clock.now()
    }

    public func start() throws {
        try WorkerThread.start("watch") { [self] in watch() }
        try WorkerThread.start("decide") { [self] in
            decide()
            ended.signal()
        }
    }

    /// Returns when the round under way has been reported.
    public func stop() {
        state.withLock { $0.isStopping = true }
        stopping.signal()
        timer.interrupt()
        _ = try? ended.wait(until: Deadline(milliseconds: 4000))  // the process ends in any case
    }

    func status() -> SchedulerInterface.Status.Reply {
        let uptime = Int(clock.now().seconds(since: startedAt))
        return state.withLock { state in
            .init(
                version: productVersion, uptimeSeconds: uptime, connected: state.isConnected,
                next: state.next?.seconds, checks: state.checks)
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // The api's stream

    private func watch() {
        var pause = Self.retry.lowerBound
        let client = VarlinkClient(path: path)
        while !isStopping {
            do {
                try client.stream(ClockInterface.Watch.self, VarlinkEmpty()) { reply in
                    pause = Self.retry.lowerBound
                    let wasConnected = state.withLock { state in
                        state.next = reply.next.map(Instant.init(seconds:))
                        state.told += 1
                        defer { state.isConnected = true }
                        return state.isConnected
                    }
                    if !wasConnected { log(.info, "follows the api") }
                    timer.interrupt()
                    return !isStopping
                }
                state.withLock { $0.isConnected = false }
            } catch {
                let wasConnected = state.withLock { state in
                    defer { state.isConnected = false }
                    return state.isConnected
                }
                if wasConnected { log(.warning, "lost the api, will follow it again", ["error": "\(error)"]) }
            }
            // A stream that ended is an api that is being restarted: its socket stays and makes the next call wait.
            // Only a lack of descriptors can fail here, and then there is no pause.
            _ = try? stopping.wait(until: Deadline(milliseconds: pause))
            pause = min(pause * 2, Self.retry.upperBound)
        }
    }

    // The clock

    private func decide() {
        let client = VarlinkClient(path: path)
        var lastPurge: Instant?
        var pause: Int?
        while !isStopping {
            let now = clock.now()
            let (next, told) = state.withLock { ($0.next, $0.told) }
            if let next, next <= now {
                do {
                    let worked = try round(client, now)
                    pause = nil
                    // Without progress, wait for the stream, unless it has spoken since: a decision that was refused

                    // because its task was edited is to be made again at the same instant.
                    if !worked { state.withLock { if $0.told == told { $0.next = nil } } }
                } catch {
                    if pause == nil {
                        log(.warning, "the api does not answer, will ask again", ["error": "\(error)"])
                    }
                    let wait = min((pause ?? Self.retry.lowerBound / 2) * 2, Self.retry.upperBound)
                    pause = wait
                    _ = try? stopping.wait(until: Deadline(milliseconds: wait))  // as above
                }
                continue
            }
            if lastPurge.map({ now.seconds(since: $0) >= Self.daySeconds }) ?? true,
                next != nil || lastPurge == nil
            {
                // try? : when it fails, it is tried again at the next wake; nothing depends on it
                if (try? client.call(ClockInterface.Purge.self, VarlinkEmpty())) != nil { lastPurge = now }
            }
            _ = timer.sleep(until: next)
        }
    }

    /// One round: what the api does itself, facts, decisions, report.
    ///
    /// - Returns: whether there was anything to do or to decide.
    private func round(_ client: VarlinkClient, _ now: Instant) throws -> Bool {
        let done = try client.call(ClockInterface.Housekeep.self, VarlinkEmpty()).done
        let due = try client.call(ClockInterface.GetDue.self, .init(now: now.seconds, limit: Self.limit))
        let checks = due.people.compactMap { person -> ClockInterface.Check? in
            let made = check(person, now: now)
            if made == nil { log(.error, "the zone database lacks a user's zone", ["zone": person.timezone]) }
            return made
        }
        guard !checks.isEmpty else { return done > 0 }
        let reply = try client.call(ClockInterface.Report.self, .init(checks: checks))
        state.withLock { $0.checks += 1 }
        log(
            .info, "checked",
            [
                "users": "\(checks.count)", "tasks": "\(checks.map(\.decisions.count).reduce(0, +))",
                "refused": "\(reply.refused.count)",
            ])
        return done > 0 || reply.refused.count < checks.map(\.decisions.count).reduce(0, +)
    }
}
