internal import Sockets
internal import Synchronization

/// Runs pieces of work in the order in which they come, up to `limit` at a time, on threads that end when nothing is
/// left: work here blocks on sockets, and an idle service has no thread and no wake-up.
final class WorkQueue: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        var limit: Int
    }

    private let name: String
    private let state: Mutex<State>
    private let whenIdle: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: at least 1.
    ///   - whenIdle: called when the last piece is done and nothing waits, on that piece's thread.
    init(_ name: String, limit: Int, whenIdle: @escaping @Sendable () -> Void = {}) {
        self.name = name
        self.whenIdle = whenIdle
        state = Mutex(State(limit: max(1, limit)))
    }

    func add(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(work) }
        spread()
    }

    /// Takes effect at once when it grows, and as threads end when it shrinks.
    func setLimit(_ limit: Int) {
        state.withLock { $0.limit = max(1, limit) }
        spread()
    }

    private func spread() {
        while state.withLock({ state in
            guard state.threads < min(state.limit, state.threads + state.waiting.count) else { return false }
            state.threads += 1
            return true
        }) {
            do {
                try WorkerThread.start(name) { [self] in run() }
            } catch {
                // No thread to be had: the caller's does the work, slower but sure.
                run()
            }
        }
    }

    private func run() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        let (work, isIdle) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
            guard !state.waiting.isEmpty, state.threads <= state.limit else {
                state.threads -= 1
                return (nil, state.threads == 0)
            }
            return (state.waiting.removeFirst(), false)
        }
        if isIdle { whenIdle() }
        return work
    }
}
