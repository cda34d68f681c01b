import FoundationEssentials

/// Where now comes from: the system's clock in a service, a fixed one in a test.
public protocol Clock: Sendable {
    /// The present instant, whole seconds, fraction cut.
    func now() -> Instant
}

/// The wall clock of the machine.
public struct SystemClock: Clock {
    public init() {}

    public func now() -> Instant {
        Instant(seconds: Int64(Date().timeIntervalSince1970.rounded(.down)))
    }
}
