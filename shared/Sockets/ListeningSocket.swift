import CLinux
import Glibc

/// A socket that accepts stream connections: one that the service manager handed over, or one bound here.
///
/// Thread-safe. A socket that was handed over is closed with this value, but neither shut down nor unlinked: its path
/// and its queue belong to the service manager, and whoever comes next goes on accepting. A path bound here is
/// removed again.
public final class ListeningSocket: Sendable {
    public let fd: Int32
    public let localAddress: SocketAddress
    /// The path to remove, and the file that it was.
    private let bound: (path: String, file: FileIdentity)?

    /// Takes over `fd`, which listens already. From here on this value closes it.
    ///
    /// The descriptor is set to non-blocking and close-on-exec: another process may share it and take the connection
    /// that poll(2) told us about.
    ///
    /// - Throws: `SocketError` when it is not a listening socket; `fd` is not closed then.
    public convenience init(adopting fd: Int32) throws(SocketError) {
        try self.init(adopting: fd, bound: nil)
    }

    private init(adopting fd: Int32, bound: (path: String, file: FileIdentity)?) throws(SocketError) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 else {
            throw SocketError.last("adopt a listening socket")
        }
        guard listens != 0 else { throw SocketError(code: EINVAL, step: "adopt a listening socket") }
        localAddress = try SocketAddress(boundTo: fd)
        guard fcntl(fd, F_SETFD, FD_CLOEXEC) == 0, fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0
        else {
            throw SocketError.last("adopt a listening socket")
        }
        self.fd = fd
        self.bound = bound
    }

    deinit {
        // Removed before it is closed: until then nobody else can have taken the path but by force.
        if let bound, FileIdentity(path: bound.path) == bound.file { unlink(bound.path) }
        close(fd)
    }

    /// Listens on a new Unix socket at `path` with the permissions `mode`, whatever the umask.
    ///
    /// A socket that an earlier process left there is replaced if nobody answers on it; any other file stays.
    ///
    /// - Throws: `SocketError` with `EADDRINUSE` when somebody answers or the path is no socket.
    public static func unix(path: String, mode: UInt32 = 0o660) throws(SocketError) -> ListeningSocket {
        let fd = opentask_stream_socket(AF_UNIX)
        guard fd >= 0 else { throw SocketError.last("socket") }
        do throws(SocketError) {
            // Before bind: there is no moment in which the path is open to more than `mode`.
            guard fchmod(fd, mode) == 0 else { throw SocketError.last("set the mode") }
            let bind = { () throws(SocketError) -> Int32 in
                try SocketAddress.withUnix(path: path, step: "bind") {
                    Glibc.bind(fd, $0, $1) == 0 ? 0 : errno
                }
            }
            var code = try bind()
            if code == EADDRINUSE, isStale(path) {
                unlink(path)
                code = try bind()
            }
            guard code == 0 else { throw SocketError(code: code, step: "bind") }
            guard let file = FileIdentity(path: path) else { throw SocketError.last("bind") }
            // After bind: what the umask took away is given back.
            guard chmod(path, mode) == 0 else { throw SocketError.last("set the mode") }
            guard listen(fd, SOMAXCONN) == 0 else { throw SocketError.last("listen") }
            return try ListeningSocket(adopting: fd, bound: (path, file))
        } catch {
            close(fd)
            throw error
        }
    }

    /// Listens on the first address of `host` that can be bound. Port 0: any free one, see `localAddress`.
    public static func tcp(host: String, port: UInt16) throws(SocketError) -> ListeningSocket {
        let fd = try SocketAddress.withTCP(host: host, port: port, step: "bind") {
            family, address, length -> Int32? in
            let fd = opentask_stream_socket(family)
            guard fd >= 0 else { return nil }
            var yes: Int32 = 1
            // Connections of the process before us may linger in TIME_WAIT; they do not keep us from the port.
            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
            if Glibc.bind(fd, address, length) == 0, listen(fd, SOMAXCONN) == 0 { return fd }
            let code = errno
            close(fd)
            errno = code
            return nil
        }
        do throws(SocketError) {
            return try ListeningSocket(adopting: fd)
        } catch {
            close(fd)
            throw error
        }
    }

    /// The next connection; nil when `stop` was signalled first.
    ///
    /// A process that is out of descriptors or memory waits 100 ms and tries again, as accept(2) can do nothing else.
    public func accept(until stop: WakeEvent) throws(SocketError) -> StreamSocket? {
        while true {
            let (_, stopped) = try poll((fd, POLLIN), (stop.fd, POLLIN), until: .never)
            if stopped != 0 { return nil }
            let connection = opentask_accept(fd)
            if connection >= 0 { return StreamSocket(adopting: connection) }
            switch errno {
            case EAGAIN, EINTR, ECONNABORTED, EPROTO, ENETDOWN, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH:
                continue  // taken by another process, or gone before we came
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                if try stop.wait(until: Deadline(milliseconds: 100)) { return nil }
            default:
                throw SocketError.last("accept")
            }
        }
    }

    /// Whether `path` is a socket on which nobody listens.
    private static func isStale(_ path: String) -> Bool {
        guard FileIdentity(path: path)?.isSocket == true else { return false }
        do {
            _ = try StreamSocket.connect(unix: path, timeoutMilliseconds: 1_000)
            return false
        } catch {
            return error.code == ECONNREFUSED
        }
    }
}

/// Which file a path is, links not followed.
private struct FileIdentity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
    let isSocket: Bool

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
}
