import Synchronization

/// Lets a few in at a time and turns the others away: what waits for another process on a thread that answers people
/// must not take all of them.
final class AtMost: Sendable {
    private let most: Int
    private let inside = Atomic(0)

    init(_ most: Int) { self.most = most }

    /// - Returns: nil when as many as may be are inside; then `body` was not run.
    func run<T>(_ body: () throws -> T) rethrows -> T? {
        defer { inside.subtract(1, ordering: .relaxed) }
        guard inside.add(1, ordering: .relaxed).newValue <= most else { return nil }
        return try body()
    }
}
