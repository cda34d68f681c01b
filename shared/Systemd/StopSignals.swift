import Glibc

/// SIGTERM and SIGINT as values to wait for, instead of handlers that interrupt.
///
/// Create it first thing in `main`: it blocks both signals for the calling thread and so for every thread started
/// later, and has SIGPIPE ignored, because a peer that went away is an error of one write, not of the process.
public struct StopSignals: Sendable {
    public init() {
        var signals = Self.set
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks until a signal arrives.
    /// - Parameter limit: how long at most; nil waits for ever.
    /// - Returns: false when the limit passed without a signal.
    public func wait(atMost limit: Duration?) -> Bool {
        var signals = Self.set
        guard let limit else {
            var signal: Int32 = 0
            return sigwait(&signals, &signal) == 0
        }
        let (seconds, attoseconds) = limit.components
        var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        return sigtimedwait(&signals, nil, &time) > 0
    }

    private static var set: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        return signals
    }
}
