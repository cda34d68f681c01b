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
        isRaised.store(false, ordering: .releasing)
    }
}
