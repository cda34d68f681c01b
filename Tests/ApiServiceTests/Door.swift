import ApiService
import Dispatch
import Domain
import Interfaces
import SchedulerService
import Sockets
import Time
import Varlink

/// The api's Varlink door on a socket in the bench's folder, and a client in front of it.
final class Door {
    let client: VarlinkClient
    let path: String
    private let server: VarlinkServer

    /// - Parameter router: nil: clock, queue and local methods without the service's threads.
    init(_ bench: Bench, router: VarlinkRouter? = nil) throws {
        path = bench.folder + "/run/api.sock"
        server = VarlinkServer(try router ?? Self.router(bench), permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: path))
        client = VarlinkClient(path: path, timeoutMilliseconds: 20_000)
    }

    deinit {
        client.close()
        server.drain(timeoutMilliseconds: 5000)
    }

    private static func router(_ bench: Bench) throws -> VarlinkRouter {
        var router = VarlinkRouter(vendor: "OpenTask", product: "test", version: "0", url: "")
        for name in [ClockInterface.name, EnrichQueue.name, Local.name] {
            router.add(try VarlinkInterface(parsing: InterfaceText.named(name)))
        }
        ClockMethods(bench.parts).register(on: &router)
        QueueMethods(bench.parts).register(on: &router)
        LocalMethods(bench.parts, api: bench.api).register(on: &router)
        return router
    }

    // The clock

    func due(at now: Instant, limit: Int = 200) throws -> [ClockInterface.Person] {
        try client.call(ClockInterface.GetDue.self, .init(now: now.seconds, limit: limit)).people
    }

    func report(_ checks: [ClockInterface.Check]) throws -> [Int64] {
        try client.call(ClockInterface.Report.self, .init(checks: checks)).refused
    }

    /// One whole round, as the scheduler makes it at `now`.
    @discardableResult
    func round(at now: Instant) throws -> [Int64] {
        try report(due(at: now).compactMap { check($0, now: now) })
    }
}

extension Bench {
    /// Waits until `condition` holds, looking again after each commit.
    func wait(_ what: String, until condition: () throws -> Bool) throws {
        let committed = DispatchSemaphore(value: 0)
        let follower = parts.commits.follow { committed.signal() }
        defer { parts.commits.unfollow(follower) }
        while try !condition() {
            guard committed.wait(timeout: .now() + 20) == .success else {
                if try condition() { return }
                throw Missing(description: what)
            }
        }
    }
}
