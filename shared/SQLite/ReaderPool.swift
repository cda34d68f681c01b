import Glibc
import Synchronization

/// Read connections for many threads, made when needed and kept. Each read sees one committed state.
///
/// Without a lock: each thread looks first where it put its connection the last time. One lock for all took a third of
/// the time of a small answer when 16 threads asked at once (Swift's `Mutex` is dear when it is contended).
public final class ReaderPool: Sendable {
    private let path: String
    private let places: [Place]

    /// - Parameter kept: connections that stay open while nobody reads; more are made when more threads read at once.
    public init(path: String, keeping kept: Int = 32) {
        self.path = path
        places = (0..<kept).map { _ in Place() }
    }

    deinit {
        while let connection = take(from: 0) { withExtendedLifetime(connection) {} }
    }

    /// Runs `body` inside a read transaction.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        let home = home
        let connection = try take(from: home) ?? Database(path: path, mode: .readOnly, cacheKiB: 512)
        defer { putBack(connection, at: home) }
        return try connection.transaction(immediate: false) { try body(connection) }
    }

    /// Unchecked: a connection is either in one place, from where it is taken by an atomic exchange, or with the one thread
    /// that took it.
    private final class Place: @unchecked Sendable {
        let connection = Atomic<Unmanaged<Database>?>(nil)
    }

    /// Where the calling thread looks first. Stacks lie megabytes apart, so do the addresses that name threads.
    private var home: Int {
        let thread = UInt64(pthread_self()) >> 12 &* 0x9E37_79B9_7F4A_7C15
        return Int(thread >> 33) % places.count
    }

    private func take(from home: Int) -> Database? {
        for step in places.indices {
            let place = places[(home + step) % places.count]
            // The load spares empty places the exchange, which would take the cache line from their owners.
            guard place.connection.load(ordering: .relaxed) != nil else { continue }
            if let found = place.connection.exchange(nil, ordering: .acquiring) {
                return found.takeRetainedValue()
            }
        }
        return nil
    }

    private func putBack(_ connection: Database, at home: Int) {
        let kept = Unmanaged.passRetained(connection)
        for step in places.indices {
            let place = places[(home + step) % places.count]
            if place.connection.compareExchange(expected: nil, desired: kept, ordering: .releasing).exchanged
            {
                return
            }
        }
        kept.release()  // all places are taken: closed
    }
}
