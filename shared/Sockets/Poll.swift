import Glibc

/// Waits until one of `events` (or an error or hang-up) is there on `fd`.
///
/// - Returns: what is there; 0 when the deadline passed first.
func poll(_ fd: Int32, for events: Int32, until deadline: Deadline) throws(SocketError) -> Int32 {
    try poll((fd, events), (-1, 0), until: deadline).0
}

/// The same for two descriptors; a negative one is left out.
func poll(
    _ first: (fd: Int32, events: Int32), _ second: (fd: Int32, events: Int32), until deadline: Deadline
) throws(SocketError) -> (Int32, Int32) {
    var entries = (
        pollfd(fd: first.fd, events: Int16(first.events), revents: 0),
        pollfd(fd: second.fd, events: Int16(second.events), revents: 0)
    )
    while true {
        let count = withUnsafeMutableBytes(of: &entries) {
            Glibc.poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 2, deadline.pollMilliseconds)
        }
        if count > 0 { return (Int32(entries.0.revents), Int32(entries.1.revents)) }
        if count == 0, deadline.hasPassed { return (0, 0) }
        // A signal, or a wait longer than one poll can express: again, with what is left.
        if count < 0, errno != EINTR { throw SocketError.last("poll") }
    }
}
