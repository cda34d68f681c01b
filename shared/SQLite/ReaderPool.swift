import Synchronization

/// Read connections for many threads, made when needed and kept. Each read sees one committed state.
public final class ReaderPool: Sendable {
    private let path: String
    private let idle = Mutex<[Connection]>([])

    public init(path: String) {
        self.path = path
    }

    /// Runs `body` inside a read transaction.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        let connection: Connection
        if let kept = idle.withLock({ $0.popLast() }) {
            connection = kept
        } else {
            connection = Connection(try Database(path: path, mode: .readOnly, cacheKiB: 512))
        }
        defer { idle.withLock { $0.append(connection) } }
        return try connection.value.transaction(immediate: false) { try body(connection.value) }
    }

    /// Unchecked: a connection is either in the pool or with the one thread that took it out.
    private struct Connection: @unchecked Sendable {
        let value: Database
        init(_ value: Database) { self.value = value }
    }
}
