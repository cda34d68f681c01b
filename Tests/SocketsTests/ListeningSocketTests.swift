import Glibc
import Sockets
import TestSupport
import Testing

@Suite("Listening sockets")
struct ListeningSocketTests {
    let folder = TemporaryFolder()
    var path: String { folder.file("socket") }

    @Test func `a bound path has the mode that was asked for, whatever the umask`() throws {
        for mode: UInt32 in [0o600, 0o660, 0o666, 0o777] {
            let socket = try ListeningSocket.unix(path: path, mode: mode)
            var status = stat()
            #expect(lstat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == mode)
            #expect(socket.localAddress == .unix(path: path))
        }
    }

    @Test func `a path bound here goes with its socket`() throws {
        var socket: ListeningSocket? = try ListeningSocket.unix(path: path)
        #expect(access(path, F_OK) == 0)
        _ = socket
        socket = nil
        #expect(access(path, F_OK) != 0)
    }

    @Test func `the path of somebody who came later stays`() throws {
        var first: ListeningSocket? = try ListeningSocket.unix(path: path)
        unlink(path)
        let second = try ListeningSocket.unix(path: path)
        _ = first
        first = nil
        #expect(access(path, F_OK) == 0)
        #expect(throws: Never.self) { try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000) }
        _ = second
    }

    @Test func `a path on which somebody answers is not taken`() throws {
        let socket = try ListeningSocket.unix(path: path)
        #expect(throws: SocketError(code: EADDRINUSE, step: "bind")) { try ListeningSocket.unix(path: path) }
        #expect(throws: Never.self) { try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000) }
        _ = socket
    }

    @Test func `a path that a dead process left is taken over`() throws {
        // A process that was killed leaves its path; so does closing a copy of the descriptor behind the value's back.
        let left = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafeBytes(of: &address) {
            bind(left, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        try #require(bound == 0)
        close(left)

        let socket = try ListeningSocket.unix(path: path)
        #expect(throws: Never.self) { try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000) }
        _ = socket
    }

    @Test func `a file that is no socket is left alone`() throws {
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SocketError(code: EADDRINUSE, step: "bind")) { try ListeningSocket.unix(path: path) }
        #expect(access(path, F_OK) == 0)
    }

    @Test func `a socket that was handed over is neither unlinked nor shut down`() throws {
        let manager = try ListeningSocket.unix(path: path)
        var service: ListeningSocket? = try ListeningSocket(adopting: dup(manager.fd))
        #expect(service?.localAddress == .unix(path: path))
        _ = service
        service = nil
        let client = try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000)
        let connection = try #require(try manager.accept(until: WakeEvent()))
        try connection.write([1])
        #expect(try client.read(atMost: 10, until: Deadline(milliseconds: 300_000)) == [1])
    }

    @Test func `what does not listen is not adopted`() throws {
        let (one, _) = try StreamSocket.pair()
        #expect(throws: SocketError(code: EINVAL, step: "adopt a listening socket")) {
            try ListeningSocket(adopting: one.fd)
        }
        #expect(throws: SocketError(code: EBADF, step: "adopt a listening socket")) {
            try ListeningSocket(adopting: -1)
        }
    }

    @Test(arguments: ["", String(repeating: "x", count: 108), "a\0b"])
    func `a path that no socket can have is refused`(path: String) {
        #expect(throws: SocketError.self) { try ListeningSocket.unix(path: path) }
        #expect(throws: SocketError.self) { try StreamSocket.connect(unix: path, timeoutMilliseconds: 10) }
    }

    @Test(arguments: ["127.0.0.1", "::1", "localhost"])
    func `a TCP port is found and answers`(host: String) throws {
        let socket = try ListeningSocket.tcp(host: host, port: 0)
        let port = try #require(socket.localAddress.port)
        #expect(port > 0)
        let client = try StreamSocket.connect(host: host, port: port, timeoutMilliseconds: 300_000)
        let connection = try #require(try socket.accept(until: WakeEvent()))
        try client.write(Array("hello".utf8))
        #expect(try connection.read(atMost: 5, until: Deadline(milliseconds: 300_000)) == Array("hello".utf8))
    }

    @Test func `a TCP port that is taken is refused`() throws {
        let socket = try ListeningSocket.tcp(host: "127.0.0.1", port: 0)
        let port = try #require(socket.localAddress.port)
        #expect(throws: SocketError(code: EADDRINUSE, step: "bind")) {
            try ListeningSocket.tcp(host: "127.0.0.1", port: port)
        }
    }

    @Test func `accepting ends when it is told to`() throws {
        let socket = try ListeningSocket.unix(path: path)
        let stop = try WakeEvent()
        let ended = try WakeEvent()
        try WorkerThread.start("accept") {
            do {
                if try socket.accept(until: stop) == nil { ended.signal() }
            } catch {}
        }
        stop.signal()
        #expect(try ended.wait(until: Deadline(milliseconds: 300_000)))
    }

    @Test func `connections are not inherited by programs that are started`() throws {
        let socket = try ListeningSocket.unix(path: path)
        let client = try StreamSocket.connect(unix: path, timeoutMilliseconds: 300_000)
        let connection = try #require(try socket.accept(until: WakeEvent()))
        for fd in [socket.fd, client.fd, connection.fd] { #expect(fcntl(fd, F_GETFD) == FD_CLOEXEC) }
    }
}
