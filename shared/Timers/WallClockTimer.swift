import CLinux
import Glibc
public import Time

/// Sleeps until an instant of the wall clock; wakes early when the clock is set, or when told to.
///
/// A timerfd on CLOCK_REALTIME with TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)): the kernel
/// does the waiting, so a sleep costs no wake-ups, and an instant that passed while the machine was suspended is
/// reported right after it resumes.
///
/// One thread sleeps; any thread may interrupt.
public final class WallClockTimer: Sendable {
    /// Why a sleep ended.
    public enum Wake: Hashable, Sendable {
        /// The instant has come.
        case reached
        /// Somebody set the clock, forwards or backwards (the machine woke from suspend, for one): now may be
        /// anything, compute the next instant afresh.
        case clockWasSet
        /// `interrupt()` was called since the last sleep ended.
        case interrupted
    }

    private let timer: Int32
    private let event: Int32

    /// - Throws: `TimerError` when the process has no file descriptors left.
    public init() throws(TimerError) {
        timer = opentask_timer_create()
        guard timer >= 0 else { throw TimerError(step: "timerfd_create", code: errno) }
        event = opentask_event_create()
        guard event >= 0 else {
            let code = errno
            close(timer)
            throw TimerError(step: "eventfd", code: code)
        }
    }

    deinit {
        close(timer)
        close(event)
    }

    /// Blocks the calling thread until `instant`; with nil, until interrupted or until the clock is set.
    /// An instant that has passed returns at once.
    public func sleep(until instant: Instant?) -> Wake {
        // Without an instant the timer still stands, in the far future: only an armed one hears of clock changes.
        // Zero would disarm it, so 1970 is moved by a second.
        let seconds = min(max(instant?.seconds ?? Self.farFuture, 1), Self.farFuture)
        if opentask_timer_arm(timer, seconds) != 0 {
            // Since Linux 5.15 arming itself may report a clock that was set since the last look; the timer is armed.
            // Nothing else can fail here with the arguments given (timerfd_settime(2)).
            return .clockWasSet
        }
        var watched = [
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
            pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&watched, 2, -1) > 0 else { continue }  // EINTR: a signal for somebody else
            var count: UInt64 = 0
            if watched[0].revents != 0, read(event, &count, 8) == 8 { return .interrupted }
            if watched[1].revents != 0 {
                if read(timer, &count, 8) == 8 { return .reached }
                if errno == ECANCELED { return .clockWasSet }
            }
        }
    }

    /// Ends the sleep that is going on, or the next one if there is none. Several calls count as one.
    public func interrupt() {
        var one: UInt64 = 1
        // Can only fail when 2^64 - 2 interrupts wait already, and then the sleeper wakes anyway.
        _ = write(event, &one, 8)
    }

    /// 2500-01-01, beyond any date the product takes, within what the kernel can add to.
    private static let farFuture: Int64 = 16_725_225_600
}

/// The system has no more of what a timer needs.
public struct TimerError: Error, Hashable, CustomStringConvertible {
    /// The system call.
    public let step: String
    /// errno.
    public let code: Int32

    public var description: String { "\(step): \(String(cString: strerror(code)))" }
}
