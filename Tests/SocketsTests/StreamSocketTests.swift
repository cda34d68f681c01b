import Glibc
import Sockets
import Synchronization
import TestSupport
import Testing

@Suite("Stream sockets")
struct StreamSocketTests {
    let folder = TemporaryFolder()

    @Test func `what one side writes the other reads, then the end`() throws {
        let (one, other) = try StreamSocket.pair()
        try one.write([1, 2, 3])
        one.shutdown(.writing)
        #expect(try other.read(atMost: 2) == [1, 2])
        #expect(try other.read(atMost: 2) == [3])
        #expect(try other.read(atMost: 2) == [])
    }

    @Test func `a megabyte arrives whole`() throws {
        let (one, other) = try StreamSocket.pair()
        let sent = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try WorkerThread.start("writer") {
            try? one.write(sent)  // a failure shows in what is read
            one.close()
        }
        var got: [UInt8] = []
        while true {
            let part = try other.read(atMost: 100_000, until: Deadline(milliseconds: 300_000))
            if part.isEmpty { break }
            got.append(contentsOf: part)
        }
        #expect(got == sent)
    }

    @Test func `reading gives up at its deadline`() throws {
        let (one, other) = try StreamSocket.pair()
        #expect(throws: SocketError.timedOut("read")) {
            try one.read(atMost: 1, until: Deadline(milliseconds: 1))
        }
        _ = other
    }

    @Test func `writing gives up when the other side takes nothing`() throws {
        let (one, other) = try StreamSocket.pair()
        let much = [UInt8](repeating: 0, count: 1 << 22)
        #expect(throws: SocketError.timedOut("write")) { try one.write(much, stallMilliseconds: 1) }
        #expect(throws: SocketError.timedOut("write")) {
            try one.write(much, until: Deadline(milliseconds: 1))
        }
        _ = other
    }

    @Test func `writing to a closed connection is an error, not a signal`() throws {
        let (one, other) = try StreamSocket.pair()
        other.close()
        #expect(throws: SocketError(code: EPIPE, step: "write")) { try one.write([1]) }
    }

    @Test func `after the reading half is shut, what had arrived is read and new writes fail`() throws {
        let (one, other) = try StreamSocket.pair()
        try one.write([1, 2, 3])
        other.shutdown(.reading)
        #expect(throws: SocketError(code: EPIPE, step: "write")) { try one.write([4]) }
        #expect(try other.read(atMost: 10) == [1, 2, 3])
        #expect(try other.read(atMost: 10) == [])
        try other.write([5])
        #expect(try one.read(atMost: 10) == [5])
    }

    @Test func `closing wakes a reader in another thread`() throws {
        let (one, other) = try StreamSocket.pair()
        let ended = try WakeEvent()
        try WorkerThread.start("reader") {
            if (try? one.read(atMost: 1)) == [] { ended.signal() }
        }
        one.close()
        #expect(try ended.wait(until: Deadline(milliseconds: 300_000)))
        _ = other
    }

    @Test func `waiting tells the other side's end from an event and from time`() throws {
        let (one, other) = try StreamSocket.pair()
        let event = try WakeEvent()
        try other.write([1])  // bytes do not end a wait
        #expect(try one.wait(for: event, until: Deadline(milliseconds: 0)) == .timedOut)
        event.signal()
        #expect(try one.wait(for: event, until: .never) == .event)
        event.clear()
        #expect(try one.wait(for: event, until: Deadline(milliseconds: 0)) == .timedOut)
        other.close()
        #expect(try one.wait(for: event, until: .never) == .hungUp)
    }

    @Test func `a connection is quiet until something comes or it ends`() throws {
        let (one, other) = try StreamSocket.pair()
        #expect(one.isQuiet)
        try other.write([1])
        #expect(!one.isQuiet)
        _ = try one.read(atMost: 1)
        #expect(one.isQuiet)
        other.close()
        #expect(!one.isQuiet)
    }

    @Test func `nobody listening is told apart from nothing there`() throws {
        let path = folder.file("socket")
        #expect(throws: SocketError(code: ENOENT, step: "connect")) {
            try StreamSocket.connect(unix: path, timeoutMilliseconds: 1_000)
        }
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: SocketError(code: ECONNREFUSED, step: "connect")) {
            try StreamSocket.connect(unix: path, timeoutMilliseconds: 1_000)
        }
    }

    @Test func `connecting gives up when the listener's queue stays full`() throws {
        let listener = try ListeningSocket.unix(path: folder.file("socket"))
        try #require(listen(listener.fd, 0) == 0)  // one waits, the next is not let in
        let first = try StreamSocket.connect(unix: folder.file("socket"), timeoutMilliseconds: 300_000)
        #expect(throws: SocketError.timedOut("connect")) {
            try StreamSocket.connect(unix: folder.file("socket"), timeoutMilliseconds: 10)
        }
        _ = first
    }

    @Test func `the kernel says who is at the other end`() throws {
        let (one, _) = try StreamSocket.pair()
        let peer = try one.peer()
        #expect(peer.pid == getpid())
        #expect(peer.uid == geteuid())
        #expect(peer.gid == getegid())
        var groups = [gid_t](repeating: 0, count: 65536)
        let count = getgroups(Int32(groups.count), &groups)
        #expect(Set(peer.groups) == Set(groups.prefix(Int(count))))
    }

    @Test func `the first zero byte is found, inside its range only`() {
        let bytes: [UInt8] = [1, 0, 2, 0, 3]
        #expect(bytes.firstZero(in: 0..<5) == 1)
        #expect(bytes.firstZero(in: 2..<5) == 3)
        #expect(bytes.firstZero(in: 4..<5) == nil)
        #expect(bytes.firstZero(in: 2..<3) == nil)
        #expect(bytes.firstZero(in: 5..<5) == nil)
        #expect([UInt8]().firstZero(in: 0..<0) == nil)
    }
}
