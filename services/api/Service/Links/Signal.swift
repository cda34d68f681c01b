import Dispatch
import Synchronization

/// Wakes one waiting thread; several raises before it looks count as one.
public final class Signal: Sendable {
    private let isRaised = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    public init() {}

    public func raise() {
        if !isRaised.exchange(true, ordering: .acquiringAndReleasing) { semaphore.signal() }
    }

    /// Blocks until raised, or until `milliseconds` have passed; nil = for ever.
    public func wait(milliseconds: Int? = nil) {
        if let milliseconds {
            guard semaphore.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return }
        } else {
            semaphore.wait()
        }
        // An exchange, not a store: whoever raises from here on signals anew, and what was written before an earlier raise
        // is seen by whoever looks after this. A store may become visible after the loads that follow it.
        _ = isRaised.exchange(false, ordering: .acquiringAndReleasing)
    }
}
