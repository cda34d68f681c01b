import ApiStore
import Interfaces
public import Varlink

/// The parts of the service at work: what follows the store and what answers on the sockets.
public final class Service: Sendable {
    public let api: Api
    public let varlink: VarlinkRouter
    private let workers: [Worker]
    private let insights: InsightRunner

    /// - Throws: when the system has no thread left.
    public init(_ parts: Parts) throws {
        api = Api(parts)
        let outbox = Outbox(parts)
        let poker = EnrichPoker(parts)
        let streams = parts.streams
        let workers = [
            try Worker("outbox") { outbox.turn() },
            try Worker("enrich-poker") { poker.turn() },
            try Worker("streams") { streams.turn() },
        ]
        for worker in workers { _ = parts.commits.follow { worker.wake() } }
        let runner = InsightRunner(parts)
        let insightWorker = try Worker("insights") { runner.turn() }
        _ = parts.insightRuns.follow { insightWorker.wake() }
        insights = runner
        self.workers = workers + [insightWorker]

        var router = VarlinkRouter(
            product: "opentask-api", interfaces: [ClockInterface.name, EnrichQueue.name, Local.name])
        ClockMethods(parts).register(on: &router)
        QueueMethods(parts).register(on: &router)
        LocalMethods(parts, api: api).register(on: &router)
        varlink = router
    }

    /// Ends the threads. What has not left is in the store.
    public func stop() {
        insights.stop()
        for worker in workers { worker.stop() }
    }
}
