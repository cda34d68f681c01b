import CLinux
import Glibc

/// Wakes a thread that waits in poll(2): set by any thread, stays set until it is cleared (eventfd(2)).
///
/// One waiter, many setters. Any number of `signal()` before a `clear()` count as one.
public final class WakeEvent: Sendable {
    let fd: Int32

    /// - Throws: `SocketError` when the process is out of descriptors.
    public init() throws(SocketError) {
        fd = opentask_event_create()
        guard fd >= 0 else { throw SocketError.last("eventfd") }
    }

    deinit { close(fd) }

    public func signal() {
        eventfd_write(fd, 1)  // fails only when it is set 2^64 - 2 times over, and then it is set
    }

    /// Takes the event back, so that the next wait waits again. Look at what it stands for after this, not before.
    public func clear() {
        var count: eventfd_t = 0
        eventfd_read(fd, &count)  // EAGAIN: was not set
    }

    /// Waits until the event is set; does not clear it.
    ///
    /// - Returns: false when the deadline passed first.
    @discardableResult
    public func wait(until deadline: Deadline = .never) throws(SocketError) -> Bool {
        try poll(fd, for: POLLIN, until: deadline) != 0
    }
}
