import Crypto
import Dispatch
import Synchronization

/// Checks passwords, one at a time: each check takes 64 MiB for a fifth of a second. Whoever finds a queue is sent away,
/// so that people who knock do not hold the threads that everybody else's requests need.
final class PasswordDoor: Sendable {
    /// Of the server's threads, at most so many are at the door.
    private static let most = 3

    private let turn = DispatchSemaphore(value: 1)
    private let waiting = Atomic(0)

    /// - Throws: 429 when too many are here already.
    func verify(_ password: String, _ stored: String) throws(Failure) -> Bool {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.most else {
            throw .rateLimited(seconds: 1)
        }
        turn.wait()
        defer { turn.signal() }
        return PasswordHash.verify(password, stored)
    }
}
