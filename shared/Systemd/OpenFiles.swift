import Glibc

/// How many files and sockets this process may have open.
public enum OpenFiles {
    /// Raises the soft limit, commonly 1,024 for the sake of select(2), which nothing here uses, as far as the hard one
    /// allows, but to 16,384 at most. An open page is a socket.
    public static func raiseLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < 16_384 else { return }
        limit.rlim_cur = min(limit.rlim_max, 16_384)
        // A refusal leaves what was.
        setrlimit(resource, &limit)
    }
}
