import ApiStore
import Interfaces
import Log
import Synchronization
import Time
import Varlink

/// Tells the enrich service that texts wait: at once when one is typed, when the next retry or lease is due, and again
/// every 60 s while one waits (enrich 1.5), because a poke may be lost and nobody else would wake it.
final class EnrichPoker: Sendable {
    private let store: Store
    private let clock: any Clock
    private let peer: EnrichPeer
    private let log: Logger
    private let isUnreachable = Atomic(false)

    init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        peer = parts.enrich
        log = parts.log
    }

    /// - Returns: milliseconds until the next look; nil when no text waits.
    func turn() -> Int? {
        let now = clock.now()
        // An unreadable store is logged by those who write to it.
        guard let next = (try? store.read { try $0.nextJobAt() }) ?? nil else { return nil }
        guard next <= now else { return Int(min(60, next.seconds(since: now))) * 1000 }
        do {
            try peer.poke()
            if isUnreachable.exchange(false, ordering: .relaxed) {
                log(.notice, "enrich can be reached again")
            }
            return 60_000
        } catch {
            if !isUnreachable.exchange(true, ordering: .relaxed) {
                log(.warning, "enrich cannot be reached, texts wait as typed", ["error": "\(error)"])
            }
            return 5000
        }
    }
}

/// The enrich service, as the api calls it.
public struct EnrichPeer: Sendable {
    private let client: VarlinkClient

    init(path: String) {
        client = VarlinkClient(path: path, timeoutMilliseconds: 5000)
    }

    func poke() throws {
        try client.send(oneway: EnrichControl.Poke.self, VarlinkEmpty())
    }

    func call<M: VarlinkMethod>(
        _ method: M.Type, _ parameters: M.Parameters, milliseconds: Int
    ) throws -> M.Reply {
        try client.call(method, parameters, timeoutMilliseconds: milliseconds)
    }
}
