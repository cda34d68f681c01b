import Sockets
import Synchronization

final class Counter: Sendable {
    private let count = Mutex(0)

    func increment() { count.withLock { $0 += 1 } }

    var value: Int { count.withLock { $0 } }
}

final class Peers: Sendable {
    private let peers = Mutex<[PeerCredentials]>([])

    func add(_ peer: PeerCredentials) { peers.withLock { $0.append(peer) } }

    var all: [PeerCredentials] { peers.withLock { $0 } }
}
