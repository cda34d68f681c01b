import CLinux
import Glibc

/// A connected stream socket. The descriptor lives as long as this value; `close()` ends the connection at once.
///
/// Thread-safe: one thread may read while another writes and a third closes. Writes never raise SIGPIPE.
public final class StreamSocket: Sendable {
    public let fd: Int32

    /// Takes over `fd`, a connected, blocking stream socket. From here on this value closes it.
    public init(adopting fd: Int32) { self.fd = fd }

    deinit { Glibc.close(fd) }

    /// Connects to the Unix socket at `path`.
    ///
    /// The time-out matters when the listener's queue is full: the kernel makes us wait for a place in it.
    public static func connect(
        unix path: String, timeoutMilliseconds: Int
    ) throws(SocketError) -> StreamSocket {
        try connect(unix: path, until: Deadline(milliseconds: timeoutMilliseconds))
    }

    public static func connect(unix path: String, until deadline: Deadline) throws(SocketError)
        -> StreamSocket
    {
        let fd = opentask_stream_socket(AF_UNIX)
        guard fd >= 0 else { throw SocketError.last("socket") }
        let socket = StreamSocket(adopting: fd)
        // unix(7): connect honours SO_SNDTIMEO; a non-blocking connect to a full queue fails and cannot be polled for.
        while true {
            // A time of 0 would mean none.
            let milliseconds = deadline == .never ? 0 : Int(max(deadline.pollMilliseconds, 1))
            var limit = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
            setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let code = try SocketAddress.withUnix(path: path, step: "connect") {
                Glibc.connect(fd, $0, $1) == 0 ? 0 : errno
            }
            if code == 0 { return socket }
            if code == EAGAIN || deadline.hasPassed && code == EINTR { throw SocketError.timedOut("connect") }
            if code != EINTR { throw SocketError(code: code, step: "connect") }
        }
    }

    /// Connects over TCP to the first address of `host` that answers.
    public static func connect(
        host: String, port: UInt16, timeoutMilliseconds: Int
    ) throws(SocketError) -> StreamSocket {
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        let fd = try SocketAddress.withTCP(host: host, port: port, step: "connect") {
            family, address, length -> Int32? in
            let fd = opentask_stream_socket(family)
            guard fd >= 0 else { return nil }
            let flags = fcntl(fd, F_GETFL)
            _ = fcntl(fd, F_SETFL, flags | O_NONBLOCK)
            var code = Glibc.connect(fd, address, length) == 0 ? 0 : errno
            if code == EINPROGRESS { code = finishConnect(fd, until: deadline) }
            if code == 0, fcntl(fd, F_SETFL, flags) == 0 { return fd }
            Glibc.close(fd)
            errno = code
            return nil
        }
        return StreamSocket(adopting: fd)
    }

    /// The `errno` of a connect that was in progress; 0: connected.
    private static func finishConnect(_ fd: Int32, until deadline: Deadline) -> Int32 {
        do {
            guard try poll(fd, for: POLLOUT, until: deadline) != 0 else { return ETIMEDOUT }
        } catch {
            return error.code
        }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
    }

    /// Two sockets connected to each other.
    public static func pair() throws(SocketError) -> (StreamSocket, StreamSocket) {
        var fds: (Int32, Int32) = (-1, -1)
        let code = withUnsafeMutableBytes(of: &fds) {
            opentask_stream_pair($0.assumingMemoryBound(to: Int32.self).baseAddress)
        }
        guard code == 0 else { throw SocketError.last("socketpair") }
        return (StreamSocket(adopting: fds.0), StreamSocket(adopting: fds.1))
    }

    /// Who is at the other end of a Unix socket.
    public func peer() throws(SocketError) -> PeerCredentials { try PeerCredentials(of: fd) }

    /// Reads what is there into `buffer[start...]`, waiting for the first byte.
    ///
    /// - Returns: how many bytes; 0 when the other side has closed its sending half.
    /// - Throws: `SocketError`; `isTimeout` when nothing came before the deadline.
    public func read(
        into buffer: inout [UInt8], from start: Int, until deadline: Deadline = .never
    ) throws(SocketError) -> Int {
        precondition(start < buffer.count, "no room to read into")
        while true {
            var flags: Int32 = 0
            if deadline != .never {
                guard try poll(fd, for: POLLIN, until: deadline) != 0 else {
                    throw SocketError.timedOut("read")
                }
                flags = Int32(MSG_DONTWAIT)
            }
            let count = buffer.withUnsafeMutableBytes { bytes in
                recv(fd, bytes.baseAddress?.advanced(by: start), bytes.count - start, flags)
            }
            if count >= 0 { return count }
            if errno != EINTR, errno != EAGAIN { throw SocketError.last("read") }
        }
    }

    /// Reads at most `count` bytes, waiting for the first; empty when the other side has closed its sending half.
    public func read(atMost count: Int, until deadline: Deadline = .never) throws(SocketError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let got = try read(into: &buffer, from: 0, until: deadline)
        buffer.removeLast(count - got)
        return buffer
    }

    /// Writes all of `bytes`.
    ///
    /// - Parameter stallMilliseconds: how long the other side may accept nothing at all; nil: as long as it likes.
    /// - Throws: `SocketError` when not all was written; `isTimeout` for a stall or a deadline that passed.
    public func write(
        _ bytes: [UInt8], stallMilliseconds: Int? = nil, until deadline: Deadline = .never
    ) throws(SocketError) {
        let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                send(fd, buffer.baseAddress?.advanced(by: written), buffer.count - written, flags)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                let stall = Deadline(milliseconds: stallMilliseconds)
                guard try poll(fd, for: POLLOUT, until: min(stall, deadline)) != 0 else {
                    throw SocketError.timedOut("write")
                }
            } else if errno != EINTR {
                throw SocketError.last("write")
            }
        }
    }

    /// One half of a connection, or both.
    public enum Half: Sendable { case reading, writing, both }

    /// Ends one half of the connection (shutdown(2)); who waits in it wakes up.
    ///
    /// After `.reading` on a Unix socket, what has arrived is still read and then comes the end; the other side's
    /// next write fails with EPIPE, so it knows that nothing of it was read.
    public func shutdown(_ half: Half) {
        let how =
            switch half {
            case .reading: Int32(SHUT_RD)
            case .writing: Int32(SHUT_WR)
            case .both: Int32(SHUT_RDWR)
            }
        Glibc.shutdown(fd, how)  // fails only when the connection has ended already
    }

    /// Ends the connection; the descriptor itself goes with the last reference.
    public func close() { shutdown(.both) }

    /// Why `wait` returned.
    public enum Wake: Hashable, Sendable {
        /// The other side has gone, or our reading half was shut down.
        case hungUp
        /// The event was signalled.
        case event
        case timedOut
    }

    /// Waits until the connection ends or `event` is signalled, whichever is first. Bytes that come in do not count.
    public func wait(for event: WakeEvent? = nil, until deadline: Deadline) throws(SocketError) -> Wake {
        let (hangUp, signal) = try poll(
            (fd, opentask_POLLRDHUP), (event?.fd ?? -1, POLLIN), until: deadline)
        return hangUp != 0 ? .hungUp : signal != 0 ? .event : .timedOut
    }

    /// Whether a connection on which nothing is expected is still good: not ended, and nothing came unasked.
    public var isQuiet: Bool {
        // A failed poll is no proof of a good connection.
        ((try? poll(fd, for: POLLIN | opentask_POLLRDHUP, until: Deadline(milliseconds: 0))) ?? 1) == 0
    }
}

extension Array where Element == UInt8 {
    /// Where the first zero byte in `range` is.
    public func firstZero(in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the array")
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, !range.isEmpty,
                let hit = memchr(base + range.lowerBound, 0, range.count)
            else { return nil }
            return UnsafeRawPointer(hit) - base
        }
    }
}
