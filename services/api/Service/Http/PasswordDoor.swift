import Dispatch
import Synchronization

/// Checks passwords, one at a time: each check takes 64 MiB for a fifth of a second. Whoever finds a queue is sent away,
/// so that people who knock do not hold the threads that everybody else's requests need.
final class PasswordDoor: Sendable {
    /// Of the server's threads, at most so many are at the door.
    private static let most = 3

    private let turn = DispatchSemaphore(value: 1)
    private let waiting = Atomic(0)

    /// Lets one in: `body` checks a password and notes how that went, before the next one's turn. So nobody has more
    /// tries than are allowed by trying at once.
    ///
    /// - Throws: 429 when too many are here already; what `body` throws.
    func enter<T>(_ body: () throws -> T) throws -> T {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
            throw Failure.rateLimited(seconds: 1)
        }
        turn.wait()
        defer { turn.signal() }
        return try body()
    }
}
