import Glibc

/// Ends the process when it has not ended by itself in time.
public enum OverdueExit {
    /// Starts a thread that sleeps for `limit`, calls `lastWords` and leaves with status 1, without exit handlers.
    public static func arm(after limit: Duration, lastWords: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(limit: limit, lastWords: lastWords))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
                let (seconds, attoseconds) = box.limit.components
                var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
                var rest = timespec()
                while nanosleep(&left, &rest) != 0 { left = rest }  // EINTR
                box.lastWords()
                _exit(EXIT_FAILURE)
            }, box.toOpaque())
        // Without a thread the service manager's own limit (TimeoutStopSec=) holds.
        if result != 0 { box.release() }
    }

    private final class Box: Sendable {
        let limit: Duration
        let lastWords: @Sendable () -> Void

        init(limit: Duration, lastWords: @escaping @Sendable () -> Void) {
            self.limit = limit
            self.lastWords = lastWords
        }
    }
}
