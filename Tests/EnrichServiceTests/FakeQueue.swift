import EnrichService
import Interfaces
import Log
import Sockets
import Synchronization
import TestSupport
import Varlink

/// The api's end of the queue, over a real socket: hands out the jobs it was given, once each, and keeps what is
/// reported. A report with a token that it does not know is a failure of the test.
final class FakeQueue: Sendable {
    struct Report: Sendable {
        var complete: EnrichQueue.Complete.Parameters?
        var fail: EnrichQueue.Fail.Parameters?
    }

    private struct State {
        var waiting: [EnrichQueue.Job] = []
        var claimed: [Int64: EnrichQueue.Job] = [:]
        var reports: [Int64: [Report]] = [:]
        var claims: [Int] = []
        var extended: [Int64: Int] = [:]
        var refusals: [Int64: String] = [:]
        var unknown = 0
        var downFor = 0
    }

    private let state = Mutex(State())
    private let changed: WakeEvent
    let folder = TemporaryFolder()
    private let server: VarlinkServer

    init() throws {
        changed = try WakeEvent()
        var router = VarlinkRouter(vendor: "test", product: "queue", version: "1", url: "")
        router.add(try VarlinkInterface(parsing: InterfaceText.named(EnrichQueue.name)))
        let hub = Hub()
        router.handle(EnrichQueue.Claim.self) { parameters, _ in
            .init(jobs: hub.queue?.claim(parameters) ?? [])
        }
        router.handle(EnrichQueue.Extend.self) { parameters, _ in
            try hub.queue?.extend(parameters) ?? VarlinkEmpty()
        }
        router.handle(EnrichQueue.Complete.self) { parameters, _ in
            try hub.queue?.take(parameters.job, parameters.token, Report(complete: parameters))
            return .init(outcome: "applied")
        }
        router.handle(EnrichQueue.Fail.self) { parameters, _ in
            try hub.queue?.take(parameters.job, parameters.token, Report(fail: parameters))
            return VarlinkEmpty()
        }
        server = VarlinkServer(router, permit: { _ in true })
        hub.set(self)
    }

    /// Begins to answer at `api.sock`.
    func open() throws { server.serve(try ListeningSocket.unix(path: socket)) }

    var socket: String { folder.file("api.sock") }

    func close() { server.drain(timeoutMilliseconds: 1000) }

    // MARK: What the test says

    func add(_ jobs: [EnrichQueue.Job]) { state.withLock { $0.waiting += jobs } }

    /// Answers reports of this job with an error from now on.
    func refuse(_ job: Int64, with error: String) { state.withLock { $0.refusals[job] = error } }

    // MARK: What the test asks

    var reports: [Int64: [Report]] { state.withLock { $0.reports } }
    var claims: [Int] { state.withLock { $0.claims } }
    var unknownTokens: Int { state.withLock { $0.unknown } }
    func extended(_ job: Int64) -> Int? { state.withLock { $0.extended[job] } }

    /// Waits until `isDone`; false when a minute has not been enough.
    func wait(until isDone: @Sendable ([Int64: [Report]]) -> Bool) throws -> Bool {
        let deadline = Deadline(milliseconds: 60_000)
        while true {
            changed.clear()
            if isDone(reports) { return true }
            guard try changed.wait(until: deadline) else { return false }
        }
    }

    /// The one report of a job.
    func report(of job: Int64) throws -> Report? {
        _ = try wait { $0[job] != nil }
        let all = reports[job] ?? []
        return all.count == 1 ? all[0] : nil
    }

    // MARK: Methods

    private func claim(_ parameters: EnrichQueue.Claim.Parameters) -> [EnrichQueue.Job] {
        defer { changed.signal() }
        return state.withLock { state in
            let jobs = Array(state.waiting.prefix(parameters.limit))
            state.waiting.removeFirst(jobs.count)
            for job in jobs { state.claimed[job.id] = job }
            state.claims.append(jobs.count)
            return jobs
        }
    }

    private func extend(_ parameters: EnrichQueue.Extend.Parameters) throws -> VarlinkEmpty {
        try state.withLock { state in
            if let error = state.refusals[parameters.job] { throw VarlinkError(error) }
            state.extended[parameters.job] = parameters.leaseMs
        }
        return VarlinkEmpty()
    }

    private func take(_ job: Int64, _ token: String, _ report: Report) throws {
        defer { changed.signal() }
        try state.withLock { state in
            guard state.claimed[job]?.token == token else {
                state.unknown += 1
                throw VarlinkError(EnrichQueue.Errors.staleToken)
            }
            state.reports[job, default: []].append(report)
            if let error = state.refusals[job] { throw VarlinkError(error) }
        }
    }

    /// Lets the router's handlers reach the queue that owns them.
    private final class Hub: Sendable {
        private let held = Mutex<Weak>(Weak())

        private struct Weak { weak var queue: FakeQueue? }

        var queue: FakeQueue? { held.withLock { $0.queue } }
        func set(_ queue: FakeQueue) { held.withLock { $0.queue = queue } }
    }
}

extension EnrichQueue.Job {
    /// A job as the api would describe it; the token tells the id.
    static func sample(
        _ id: Int64, _ text: String, enricher: String = "builtin", attempt: Int = 1, kind: String = "task",
        timeoutMs: Int = 60_000, project: String? = nil, fallback: String = "none"
    ) -> EnrichQueue.Job {
        EnrichQueue.Job(
            id: id, token: "token-\(id)", user: 1, task: id, attempt: attempt, kind: kind, text: text,
            enricher: enricher, timeoutMs: timeoutMs, context: .sample(), project: project, fallback: fallback
        )
    }
}

extension EnricherInterface.Context {
    /// Thursday 2026-01-15 10:00 in Chicago, as docs/spec/enrich.md, 3.8.
    static func sample(
        projects: [String] = ["Inbox", "Work", "Home", "Shopping List"], syntax: String = "todoist",
        userContext: String? = nil
    ) -> EnricherInterface.Context {
        EnricherInterface.Context(
            nowLocal: "2026-01-15T10:00", timeZone: "America/Chicago", utcOffsetMinutes: -360,
            weekStart: "monday",
            dateOrder: "mdy", quickAddSyntax: syntax,
            projects: projects.map { EnricherInterface.Project(name: $0, shared: false) },
            labels: ["errands", "phone"],
            periods: [
                .init(label: "Early morning", start: "07:00"), .init(label: "Morning", start: "09:00"),
                .init(label: "Midday", start: "12:00"), .init(label: "Afternoon", start: "16:00"),
                .init(label: "Evening", start: "20:30"),
            ], defaultPeriod: "Morning", userContext: userContext)
    }
}

/// Lines that a test looks at.
final class LogList: LogSink {
    private let lines = Mutex<[(LogLevel, String)]>([])

    func write(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        lines.withLock { $0.append((level, message)) }
    }

    func count(_ level: LogLevel) -> Int { lines.withLock { lines in lines.count { $0.0 == level } } }
}
