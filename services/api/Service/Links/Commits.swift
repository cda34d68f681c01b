import Synchronization

/// Tells every part that follows the store that something was committed. Raised after the commit, never before.
public final class Commits: Sendable {
    /// What a follower gives back when it no longer follows.
    public struct Follower: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var next = 0
        var followers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// - Parameter wake: called on the thread that committed; it must only wake somebody.
    public func follow(_ wake: @escaping @Sendable () -> Void) -> Follower {
        state.withLock { state in
            state.next += 1
            state.followers[state.next] = wake
            return Follower(number: state.next)
        }
    }

    public func unfollow(_ follower: Follower) {
        state.withLock { _ = $0.followers.removeValue(forKey: follower.number) }
    }

    public func raise() {
        for wake in state.withLock({ Array($0.followers.values) }) { wake() }
    }
}
