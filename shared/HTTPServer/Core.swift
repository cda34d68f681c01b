import Glibc
import Synchronization

/// What the threads of a server share: its settings, its connections, and whether it is draining.
final class Core: Sendable {
    private struct Registry {
        var connections: [Int32: Connection] = [:]
        var lastSerial: UInt32 = 0
    }

    let handler: any HTTPHandler
    let limits: HTTPLimits
    private let registry = Mutex(Registry())
    private let draining = Atomic(false)
    private let change = Signal()
    /// The acceptor, set once when the first socket is served; it lives as long as the core.
    private let acceptor = Mutex<Acceptor?>(nil)

    init(handler: any HTTPHandler, limits: HTTPLimits) {
        self.handler = handler
        self.limits = limits
    }

    var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

    func startDraining() { draining.store(true, ordering: .sequentiallyConsistent) }

    func setAcceptor(_ new: Acceptor?) { acceptor.withLock { $0 = new } }

    /// Makes an accepted socket known, before libmicrohttpd has it.
    func admit(_ socket: Int32, peer: HTTPPeer, on worker: Worker) {
        worker.load.add(1, ordering: .relaxed)
        registry.withLock { registry in
            registry.lastSerial &+= 1
            registry.connections[socket] = Connection(
                socket: socket, serial: registry.lastSerial, peer: peer, worker: worker)
        }
    }

    func connection(of socket: Int32) -> Connection? { registry.withLock { $0.connections[socket] } }

    var connections: [Connection] { registry.withLock { Array($0.connections.values) } }

    var connectionCount: Int { registry.withLock { $0.connections.count } }

    /// The connection of `socket` is closed, or about to be.
    func ended(_ socket: Int32, on worker: Worker) {
        worker.load.subtract(1, ordering: .relaxed)
        let left = registry.withLock { registry in
            registry.connections[socket] = nil
            return registry.connections.count
        }
        if left == limits.connections - 1 { acceptor.withLock { $0 }?.wake() }
        changed()
    }

    /// Something happened that a drain may wait for.
    func changed() { if isDraining { change.raise() } }

    /// Waits for a change, but not longer than `milliseconds`.
    func waitForChange(milliseconds: Int) { change.wait(milliseconds: milliseconds) }

    func watch(_ connection: Connection) { acceptor.withLock { $0 }?.watch(connection) }
    func unwatch(_ connection: Connection) { acceptor.withLock { $0 }?.unwatch(connection) }
    func linger(_ socket: Int32) { acceptor.withLock { $0 }?.linger(socket) }
}
