import Sockets
import Synchronization

/// A thread that works when it is woken and sleeps for as long as it says. Owned: `stop()` returns when it has ended.
public final class Worker: Sendable {
    private let signal = Signal()
    private let isStopping = Atomic(false)
    private let ended = Signal()

    /// - Parameter turn: called on the thread at the start and after each wake; gives how many milliseconds to sleep
    ///   at most, nil = until woken.
    /// - Throws: when the system has no thread left.
    public init(_ name: String, turn: @escaping @Sendable () -> Int?) throws {
        try WorkerThread.start(name) { [self] in
            while !isStopping.load(ordering: .acquiring) {
                signal.wait(milliseconds: turn())
            }
            ended.raise()
        }
    }

    public func wake() { signal.raise() }

    public func stop() {
        isStopping.store(true, ordering: .releasing)
        signal.raise()
        ended.wait()
    }
}
