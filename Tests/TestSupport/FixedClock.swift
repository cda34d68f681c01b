import Synchronization
public import Time

/// A clock that stands still until a test moves it.
public final class FixedClock: Clock, Sendable {
    private let state: Mutex<Instant>

    public init(_ now: Instant) { state = Mutex(now) }

    public func now() -> Instant { state.withLock { $0 } }

    public func set(_ now: Instant) { state.withLock { $0 = now } }

    public func advance(seconds: Int64) { state.withLock { $0 = $0.adding(seconds: seconds) } }
}
