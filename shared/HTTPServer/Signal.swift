import Glibc

/// A flag that one thread waits for and others raise.
///
/// Unchecked: all state is touched under `mutex` only. The memory of mutex and condition must not move, so it is
/// allocated.
final class Signal: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var raised = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // So that setting the clock does not stretch a wait.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func raise() {
        pthread_mutex_lock(mutex)
        raised = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Returns when it is raised, and lowers it.
    func wait() {
        pthread_mutex_lock(mutex)
        while !raised { pthread_cond_wait(condition, mutex) }
        raised = false
        pthread_mutex_unlock(mutex)
    }

    /// Returns when it is raised, and lowers it, or after `milliseconds`.
    func wait(milliseconds: Int) {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + (milliseconds % 1000) * 1_000_000
        end.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        while !raised, pthread_cond_timedwait(condition, mutex, &end) == 0 {}
        raised = false
        pthread_mutex_unlock(mutex)
    }
}

/// Milliseconds of a clock that nobody sets.
func monotonicMilliseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1000 + now.tv_nsec / 1_000_000
}
