import ApiStore
import Domain
import Interfaces
import JSON
import Time
import Varlink

/// The advisor, as the api calls it: an interface that the enrich service has where a provider is set up.
struct AdvisorPeer: Sendable {
    /// Why there is no advice.
    enum Absence: Error {
        /// Nobody advises here.
        case absent
        /// The advisor was asked and could not; a word for the log and the page.
        case failed(String)
    }

    private let client: VarlinkClient
    /// Models take their time (`OPENTASK_AI_MAX_CONCURRENT` of api section 6, its default).
    private let door = AtMost(4)

    init(_ settings: Settings) {
        client = VarlinkClient(path: "\(settings.runPath)/enrich.sock")
    }

    /// Ends the calls under way.
    func close() { client.close() }

    func ask<M: VarlinkMethod>(
        _ method: M.Type, _ parameters: M.Parameters, milliseconds: Int
    ) throws(Absence) -> M.Reply {
        do {
            guard
                let reply = try door.run({
                    try client.call(method, parameters, timeoutMilliseconds: milliseconds)
                })
            else { throw Absence.failed("too many questions at a time") }
            return reply
        } catch let absence as Absence {
            throw absence
        } catch let error as VarlinkError {
            if error.name.hasPrefix("org.varlink.service.") { throw .absent }
            throw .failed(error.parameters["detail"]?.string ?? error.name)
        } catch let error as VarlinkTransportError where error.kind == .connect {
            throw .absent
        } catch let error as VarlinkTransportError where error.kind == .timeout {
            throw .failed("it took too long")
        } catch {
            throw .failed("it does not answer")
        }
    }

    /// Who advises on a feature; asked with each request that needs him, within two seconds.
    func provider(of feature: AIFeature) throws(Absence) -> Advisor.CheckProvider.Reply {
        try ask(
            Advisor.CheckProvider.self, .init(feature: feature.rawValue, deadlineMs: 2000), milliseconds: 2000
        )
    }
}

extension Failure {
    init(_ absence: AdvisorPeer.Absence) {
        switch absence {
        case .absent: self = .unavailable("No AI provider is set up on this server")
        case .failed(let why): self = .unavailable("There is no answer: \(why)")
        }
    }
}

extension Snapshot {
    /// What an advisor is told of tasks.
    func described(_ tasks: [TaskItem], of user: User, now: Instant) throws -> [Advisor.Task] {
        let zone = user.preferences.zone
        let names = Dictionary(
            try projects(visibleTo: user.id).map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
        return tasks.map { task in
            Advisor.Task(
                id: task.id.rawValue, title: task.title, priority: task.priority.rawValue,
                project: names[task.project] ?? "", labels: task.labels.filter { !$0.hasPrefix("ai-") },
                target: task.target.map { zone.date($0).description },
                deadline: task.deadline.map { zone.date($0).description },
                ageDays: Int(max(0, now.seconds(since: task.createdAt)) / 86_400),
                isRecurring: task.isRecurring)
        }
    }

    func adviceCounts(of user: User, now: Instant) throws -> Advisor.Counts {
        let zone = user.preferences.zone
        let counts = try taskCounts(of: user.id, now: now, today: zone.day(zone.date(now)))
        return Advisor.Counts(open: counts.total, overTarget: counts.overTarget, today: counts.today)
    }

    func adviceContext(of user: User, now: Instant) throws -> Advisor.Context {
        let local = user.preferences.zone.local(now)
        return Advisor.Context(
            nowLocal: "\(local.date)T\(local.time)", timeZone: user.preferences.zone.name,
            userContext: try readingPreferences(of: user.id).context)
    }

    /// Whether the user wants a feature.
    func wants(_ feature: AIFeature, _ user: UserID) throws -> Bool {
        let stored = try storedPreferences(of: user)
        return stored["ai_mode"]?.string != "off" && stored[feature.modeKey]?.string != "off"
    }
}
