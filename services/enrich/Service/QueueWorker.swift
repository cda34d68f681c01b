internal import Interfaces
public import Log
internal import Sockets
internal import Synchronization
internal import Varlink

/// Works through the texts that wait: claims them from the api, has the right enricher read them, guards the answers,
/// reports.
///
/// ```
///   Poke ─► claim ─► lane of the enricher ─► ask ─► guard ─► report: Complete or Fail
///             ▲                                                │
///             └───────────── while more wait ──────────────────┘
/// ```
///
/// 1. Nothing is held here that is not also a leased row in the api: killed at any instruction, the lease runs out and
///    the text is claimed again.
/// 2. Claim, Complete and Fail name a token; what a later claim has overtaken is refused there (StaleToken) and
///    forgotten here.
/// 3. One reading of a task at a time.
/// 4. A lease that runs low is extended while its text is in hand, and no text stays longer in an enricher's hands than
///    its time-out: the connection is closed then.
/// 5. Nothing is polled. Without texts the one thread sleeps until it is poked.
public final class QueueWorker: Sendable {
    private struct InHand {
        var job: EnrichQueue.Job
        var leaseEnd: ContinuousClock.Instant
        var phase = Phase.waiting
    }

    private enum Phase {
        case waiting
        case reading
        /// Read or failed; the api is being told.
        case reporting
    }

    private struct State {
        var inHand: [Int64: InHand] = [:]
        var lanes: [String: Lane] = [:]
        /// The api may have more than the last claim brought.
        var mayHaveMore = true
        var isStopping = false
        var isStopped = false
        var enriched = 0
        var failed = 0

        var hasRoom: Bool {
            inHand.count < QueueWorker.mostInHand
                && inHand.values.count { $0.phase == .waiting } < QueueWorker.batch
        }
    }

    /// Texts of a claim (1.5), and how many may wait here for their turn.
    private static let batch = 10
    /// Those that run and those whose report is under way included.
    private static let mostInHand = 40
    /// Of a claim, ms: the built-in enricher's time-out and 30 s. For others it is extended when their turn comes.
    private static let leaseMs = 35_000
    private static let spareMs = 30_000
    /// After a failure of the api, ms.
    private static let retry = 200...10_000

    private let enrichers: String
    private let cores: Int
    private let log: Logger
    private let api: VarlinkClient
    private let reporter: Reporter
    private let state = Mutex(State())
    private let wake: WakeEvent
    private let changed: WakeEvent

    /// - Parameters:
    ///   - apiSocket: the path of the api's Varlink socket.
    ///   - enrichers: the folder of the enrichers' sockets, `NAME.sock`.
    ///   - cores: how many texts the built-in enricher reads at a time.
    /// - Throws: when the process has no descriptors left.
    public init(apiSocket: String, enrichers: String, cores: Int, log: Logger) throws {
        self.enrichers = enrichers
        self.cores = cores
        self.log = log
        api = VarlinkClient(path: apiSocket, timeoutMilliseconds: 10_000)
        reporter = try Reporter(api, leaseMs: Self.leaseMs, log: log)
        wake = try WakeEvent()
        changed = try WakeEvent()
    }

    /// Begins to claim, on a thread of its own.
    public func start() throws {
        try WorkerThread.start("claim") { [self] in
            run()
            state.withLock { $0.isStopped = true }
            changed.signal()
        }
    }

    /// There is work.
    public func poke() {
        state.withLock { $0.mayHaveMore = true }
        wake.signal()
    }

    /// Claims no more, gives back what waits, waits for what runs. Returns when all is reported or the time is over;
    /// calls that still run then are cut off and given back.
    public func stop(timeoutMilliseconds: Int) {
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        let cut = Deadline(milliseconds: timeoutMilliseconds * 3 / 4)
        state.withLock { $0.isStopping = true }
        reporter.hurry()
        wake.signal()
        wait(until: cut)
        for lane in state.withLock({ Array($0.lanes.values) }) { lane.close() }
        wait(until: deadline)
    }

    private func wait(until deadline: Deadline) {
        while true {
            changed.clear()
            if state.withLock({ $0.isStopped && $0.inHand.isEmpty }) { return }
            // Only descriptors can fail; the process ends in any case.
            guard (try? changed.wait(until: deadline)) == true else { return }
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Claiming

    private func run() {
        var pause: Int?
        while !isStopping {
            wake.clear()
            let shouldClaim = state.withLock { $0.hasRoom && $0.mayHaveMore }
            if shouldClaim {
                do {
                    try claim()
                    if pause != nil { log(.notice, "the api answers again") }
                    pause = nil
                    continue
                } catch {
                    if pause == nil {
                        log(.warning, "the api does not answer, texts wait", ["error": "\(error)"])
                    }
                    pause = min((pause ?? Self.retry.lowerBound / 2) * 2, Self.retry.upperBound)
                }
            }
            extendLeases()
            sleep(pause: pause)
        }
    }

    /// Waits for a poke or for room; as long as leases allow, and after a failure of the api as long as `pause`.
    private func sleep(pause: Int?) {
        let lease = state.withLock { $0.inHand.values.map(\.leaseEnd).min() }
        var milliseconds = lease.map { max(10, ($0 - .now).wholeMilliseconds - Self.leaseMs / 2) }
        if let pause { milliseconds = min(milliseconds ?? pause, pause) }
        // Only descriptors can fail; then there is no pause.
        _ = try? wake.wait(until: Deadline(milliseconds: milliseconds))
    }

    private func claim() throws {
        let begin = ContinuousClock.now
        let limit = Self.batch
        state.withLock { $0.mayHaveMore = false }
        let jobs: [EnrichQueue.Job]
        do {
            jobs = try api.call(EnrichQueue.Claim.self, .init(limit: limit, leaseMs: Self.leaseMs)).jobs
        } catch {
            state.withLock { $0.mayHaveMore = true }
            throw error
        }
        if jobs.count >= limit { state.withLock { $0.mayHaveMore = true } }
        if !jobs.isEmpty { log(.debug, "claimed", ["texts": "\(jobs.count)"]) }
        for job in jobs { accept(job, leaseEnd: begin + .milliseconds(Self.leaseMs)) }
    }

    private func accept(_ job: EnrichQueue.Job, leaseEnd: ContinuousClock.Instant) {
        enum Way {
            case lane(Lane)
            case busy
            case unknown
        }
        let way = state.withLock { state -> Way in
            // The lease of an earlier claim of the task ran out while it was in hand: let that reading end first.
            let isBusy = state.inHand.values.contains { $0.job.task == job.task && $0.phase != .reporting }
            guard !isBusy else { return .busy }
            state.inHand[job.id] = InHand(job: job, leaseEnd: leaseEnd)
            return laneNamed(job.enricher, &state).map { .lane($0) } ?? .unknown
        }
        switch way {
        case .lane(let lane): lane.add { [self] in read(job, lane) }
        case .busy:
            reporter.fail(job, Failure("InHand", usesAttempt: false, retryAfterMs: 1000), durationMs: 0) {}
        case .unknown: report(Failure("UnknownEnricher", isRetryable: false), for: job, durationMs: 0)
        }
    }

    /// - Returns: nil for a name that cannot be a socket's.
    private func laneNamed(_ name: String, _ state: inout State) -> Lane? {
        if let lane = state.lanes[name] { return lane }
        guard QueueWorker.isName(name) else { return nil }
        let lane = Lane(
            name: name, path: "\(enrichers)/\(name).sock",
            mostParallel: name == QueueWorker.builtin ? cores : 16
        ) { [log] failure in
            log(
                .error, "an enricher failed too often and is left alone for 5 minutes: see its own log",
                ["enricher": name, "error": failure.error])
        }
        state.lanes[name] = lane
        return lane
    }

    static let builtin = "builtin"

    /// A name that is one part of a path: 1 to 64 letters, digits, `-`, `_`, `.`; no dot in front.
    static func isName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count) && !name.hasPrefix(".")
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
    }

    /// Holds what is in hand and runs low. What the api no longer knows is left to its reading; the report will tell.
    private func extendLeases() {
        let low = state.withLock { state in
            state.inHand.values.filter { $0.leaseEnd - .now < .milliseconds(Self.leaseMs / 2 + 50) }.map(
                \.job)
        }
        for job in low { _ = extend(job, by: Self.leaseMs) }
    }

    /// - Returns: false when the text is no longer ours.
    private func extend(_ job: EnrichQueue.Job, by milliseconds: Int) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        let isOurs = reporter.extend(job, by: milliseconds)
        state.withLock { $0.inHand[job.id]?.leaseEnd = end }
        return isOurs
    }

    // MARK: Reading

    private func read(_ job: EnrichQueue.Job, _ lane: Lane) {
        guard !isStopping else {
            report(.stopping, for: job, durationMs: 0)
            return
        }
        let begin = ContinuousClock.now
        state.withLock { $0.inHand[job.id]?.phase = .reading }
        wake.signal()  // one fewer waits: there may be room for the next claim
        let isBuiltin = lane.name == Self.builtin
        let timeout = isBuiltin ? Self.builtinTimeoutMs : min(max(job.timeoutMs, 1000), 300_000)
        if !isBuiltin, !extend(job, by: timeout + Self.spareMs) {
            letGo(job, isEnriched: false)
            return
        }
        let parameters = EnricherInterface.Enrich.Parameters(
            requestID: "j\(job.id)-\(job.token.prefix(8))", attempt: job.attempt, deadlineMs: timeout,
            kind: job.kind,
            text: job.text, context: job.context)
        do throws(Failure) {
            let reading = try lane.ask(parameters)
            report(reading, of: lane.name, for: job, durationMs: (.now - begin).wholeMilliseconds)
        } catch {
            let failure = isStopping && error.error == "ConnectionLost" ? .stopping : error
            if isForGood(failure, job), job.fallback == Self.builtin, !isBuiltin {
                fallBack(job, after: failure)
            } else {
                report(failure, for: job, durationMs: (.now - begin).wholeMilliseconds)
            }
        }
    }

    /// ms. More than the parser can take on a machine that is busy; a hang all the same.
    private static let builtinTimeoutMs = 5_000

    private func isForGood(_ failure: Failure, _ job: EnrichQueue.Job) -> Bool {
        failure.usesAttempt && (!failure.isRetryable || job.attempt >= 2)
    }

    /// 1.7: the built-in enricher reads what the chosen one could not.
    private func fallBack(_ job: EnrichQueue.Job, after failure: Failure) {
        log(.info, "an enricher failed for good, the built-in one reads the text", ["error": failure.error])
        var second = job
        second.enricher = Self.builtin
        let lane = state.withLock { laneNamed(Self.builtin, &$0) }
        lane?.add { [self, second] in
            if let lane { read(second, lane) }
        }
    }

    // MARK: Reporting

    private func report(
        _ reading: Lane.Reading, of enricher: String, for job: EnrichQueue.Job, durationMs: Int
    ) {
        state.withLock { $0.inHand[job.id]?.phase = .reporting }
        let guards = Guards(
            text: job.text, context: job.context, project: job.project, hasSchedule: job.hasSchedule)
        let entry = EnrichQueue.Log(
            enricher: enricher, model: reading.model, durationMs: durationMs, input: job.text,
            output: reading.output,
            inputTokens: reading.usage?.inputTokens, outputTokens: reading.usage?.outputTokens)
        reporter.complete(job, guards.guarded(reading.result), entry) { [self] isTaken in
            if isTaken {
                log(.info, "enriched", ["job": "\(job.id)", "enricher": enricher, "ms": "\(durationMs)"])
            }
            letGo(job, isEnriched: isTaken)
        }
    }

    private func report(_ failure: Failure, for job: EnrichQueue.Job, durationMs: Int) {
        state.withLock { $0.inHand[job.id]?.phase = .reporting }
        reporter.fail(job, failure, durationMs: durationMs) { [self] in
            letGo(job, isEnriched: false, isFailed: failure.usesAttempt)
        }
    }

    private func letGo(_ job: EnrichQueue.Job, isEnriched: Bool, isFailed: Bool = false) {
        let isLast = state.withLock { state in
            if state.inHand[job.id]?.job.token == job.token { state.inHand[job.id] = nil }
            if isEnriched { state.enriched += 1 }
            if isFailed { state.failed += 1 }
            return state.inHand.isEmpty
        }
        if isLast { changed.signal() }
        wake.signal()  // there may be room for the next claim
    }

    // MARK: Looking

    /// Calls in flight, texts enriched and calls failed since the start, breakers that are open.
    func status() -> (running: Int, enriched: Int, failed: Int, breakers: [EnrichControl.Breaker]) {
        state.withLock { state in
            let breakers = state.lanes.values.compactMap { lane in
                lane.breakerRest.map {
                    EnrichControl.Breaker(enricher: lane.name, retryInSeconds: $0.wholeMilliseconds / 1000)
                }
            }
            return (
                state.inHand.values.count { $0.phase == .reading }, state.enriched, state.failed,
                breakers.sorted { $0.enricher < $1.enricher }
            )
        }
    }
}
