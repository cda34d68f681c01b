import ApiStore
import Interfaces
public import Varlink

/// The parts of the service at work: what follows the store and what answers on the sockets.
public final class Service: Sendable {
    public let api: Api
    public let varlink: VarlinkRouter
    private let workers: [Worker]

    /// - Throws: when the system has no thread left.
    public init(_ parts: Parts) throws {
        api = Api(parts)
        let outbox = Outbox(parts)
        let poker = EnrichPoker(parts)
        let streams = parts.streams
        workers = [
            try Worker("outbox") { outbox.turn() },
            try Worker("enrich-poker") { poker.turn() },
            try Worker("streams") { streams.turn() },
        ]
        for worker in workers { _ = parts.commits.follow { worker.wake() } }

        var router = VarlinkRouter(
            product: "opentask-api", interfaces: [ClockInterface.name, EnrichQueue.name, Local.name])
        ClockMethods(parts).register(on: &router)
        QueueMethods(parts).register(on: &router)
        LocalMethods(parts, api: api).register(on: &router)
        varlink = router
    }

    /// Ends the threads. What has not left is in the store.
    public func stop() {
        for worker in workers { worker.stop() }
    }
}
