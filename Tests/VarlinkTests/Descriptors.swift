import Glibc

/// A copy of `fd`, as a service manager hands it over.
func duplicate(_ fd: Int32) -> Int32 { dup(fd) }

/// Waits until the other side takes no more bytes. Sends none: an empty send fails just as well.
///
/// - Returns: false after five minutes, for a test to fail.
func waitUntilWritesFail(_ fd: Int32) -> Bool {
    let end = time(nil) + 300
    while time(nil) < end {
        if send(fd, nil, 0, Int32(MSG_NOSIGNAL)) < 0 { return errno == EPIPE }
        sched_yield()
    }
    return false
}
