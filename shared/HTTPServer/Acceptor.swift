import CMicrohttpd
import Glibc
import Synchronization

/// The thread that accepts connections, and looks after sockets that libmicrohttpd does not:
///
/// - listening sockets, as long as there is room for connections;
/// - the sockets of streams: libmicrohttpd does not watch a suspended connection, so nobody would notice for
///   hours that its peer has left;
/// - refused connections, whose peers are still sending: what comes is thrown away until they have read why.
///
/// Unchecked: `lingering` and `paused` belong to the thread; `commands` is locked; epoll may be told from any thread.
final class Acceptor: @unchecked Sendable {
    private struct Commands {
        var listening: [Int32] = []
        var linger: [Int32] = []
        var acceptStops = false
        var ends = false
    }

    private struct Lingering {
        var end: Int
    }

    /// What a token of the epoll stands for, in its upper half; below is the socket. All else is a stream's serial.
    private enum Kind {
        static let wake: UInt64 = 0xFFFF_FFFF
        static let listening: UInt64 = 0xFFFF_FFFE
        static let lingering: UInt64 = 0xFFFF_FFFD
    }

    private let core: Core
    private let workers: [Worker]
    private let epoll: Int32
    private let wakeup: Int32
    private let commands = Mutex(Commands())
    private let acceptStopped = Signal()
    private var thread = pthread_t()

    private var accepting: [Int32] = []
    private var paused = false
    private var resumesAt: Int?
    private var lingering: [Int32: Lingering] = [:]
    private var nextWorker = 0

    init(core: Core, workers: [Worker]) throws(HTTPServerError) {
        self.core = core
        self.workers = workers
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw HTTPServerError(step: "epoll_create1", code: errno) }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        // From here on `deinit` closes both.
        guard wakeup >= 0, otmhd_epoll(epoll, EPOLL_CTL_ADD, wakeup, EPOLLIN.rawValue, Kind.wake << 32) == 0
        else { throw HTTPServerError(step: "eventfd", code: errno) }
    }

    deinit {
        close(epoll)
        if wakeup >= 0 { close(wakeup) }
    }

    func start() throws(HTTPServerError) {
        let code = pthread_create(
            &thread, nil,
            { context in
                Unmanaged<Acceptor>.fromOpaque(context!).takeRetainedValue().run()  // given two lines below
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        if code != 0 { throw HTTPServerError(step: "pthread_create", code: code) }
    }
}

// For other threads.
extension Acceptor {
    func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }

    func listen(on socket: Int32) {
        commands.withLock { $0.listening.append(socket) }
        wake()
    }

    /// Returns when no further connection will be accepted. The sockets stay as they are.
    func stopAccepting() {
        commands.withLock { $0.acceptStops = true }
        wake()
        acceptStopped.wait()
    }

    /// Ends the thread.
    func stop() {
        commands.withLock { $0.ends = true }
        wake()
        pthread_join(thread, nil)
    }

    func watch(_ connection: Connection) {
        _ = otmhd_epoll(
            epoll, EPOLL_CTL_ADD, connection.socket, EPOLLRDHUP.rawValue | EPOLLONESHOT.rawValue,
            UInt64(connection.serial) << 32 | UInt64(connection.socket))
    }

    func unwatch(_ connection: Connection) { _ = otmhd_epoll(epoll, EPOLL_CTL_DEL, connection.socket, 0, 0) }

    /// Keeps the connection of `socket` open for its peer to read, after libmicrohttpd has closed it.
    func linger(_ socket: Int32) {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return }  // then the peer may see a reset instead of the answer
        shutdown(copy, Int32(SHUT_WR))
        commands.withLock { $0.linger.append(copy) }
        wake()
    }
}

// The thread.
extension Acceptor {
    private func run() {
        var events = [UInt32](repeating: 0, count: 64)
        var tokens = [UInt64](repeating: 0, count: 64)
        while true {
            let count = otmhd_epoll_wait(epoll, &events, &tokens, 64, timeout())
            for index in 0..<max(0, Int(count)) {
                let socket = Int32(truncatingIfNeeded: tokens[index] & 0xFFFF_FFFF)
                switch tokens[index] >> 32 {
                case Kind.wake: drainWakeup()
                case Kind.listening: accept(from: socket)
                case Kind.lingering: discard(from: socket)
                case let serial:
                    if let connection = core.connection(of: socket), UInt64(connection.serial) == serial {
                        connection.peerGone()
                    }
                }
            }
            if obey() { return }
            endLingering()
            resumeAccepting()
        }
    }

    private func drainWakeup() {
        var count: UInt64 = 0
        _ = read(wakeup, &count, 8)
    }

    private func obey() -> Bool {
        let todo = commands.withLock { commands in
            defer {
                commands.listening = []
                commands.linger = []
            }
            return commands
        }
        for socket in todo.listening where !todo.acceptStops {
            accepting.append(socket)
            if !paused { arm(socket) }
        }
        for socket in todo.linger {
            lingering[socket] = Lingering(end: monotonicMilliseconds() + core.limits.lingerMilliseconds)
            _ = otmhd_epoll(
                epoll, EPOLL_CTL_ADD, socket, EPOLLIN.rawValue | EPOLLRDHUP.rawValue,
                Kind.lingering << 32 | UInt64(socket))
        }
        if todo.acceptStops {
            pause(for: nil)
            accepting = []
            acceptStopped.raise()
        }
        guard todo.ends else { return false }
        for socket in lingering.keys { close(socket) }
        return true
    }

    private func accept(from listening: Int32) {
        // A few at a time, so that a flood of connections does not keep others from being looked after.
        for _ in 0..<32 where !paused {
            guard core.connectionCount < core.limits.connections else { return pause(for: nil) }
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let socket = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    accept4(
                        listening, $0, &size, Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue))
                }
            }
            guard socket >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause(for: 100)  // else epoll would spin
                default: return
                }
            }
            let worker = leastLoaded()
            core.admit(socket, peer: HTTPPeer(address), on: worker)
            if !worker.add(socket) { core.ended(socket, on: worker) }
        }
    }

    private func leastLoaded() -> Worker {
        nextWorker = (nextWorker + 1) % workers.count
        var best = workers[nextWorker]
        var bestLoad = best.load.load(ordering: .relaxed)
        for offset in 1..<max(1, workers.count) where bestLoad > 0 {
            let worker = workers[(nextWorker + offset) % workers.count]
            let load = worker.load.load(ordering: .relaxed)
            if load < bestLoad { (best, bestLoad) = (worker, load) }
        }
        return best
    }

    private func arm(_ socket: Int32) {
        _ = otmhd_epoll(
            epoll, EPOLL_CTL_ADD, socket, EPOLLIN.rawValue, Kind.listening << 32 | UInt64(socket))
    }

    /// Leaves new connections in the backlog, until there is room or for some time.
    private func pause(for milliseconds: Int?) {
        guard !paused else { return }
        paused = true
        resumesAt = milliseconds.map { monotonicMilliseconds() + $0 }
        for socket in accepting { _ = otmhd_epoll(epoll, EPOLL_CTL_DEL, socket, 0, 0) }
    }

    private func resumeAccepting() {
        guard paused, core.connectionCount < core.limits.connections,
            resumesAt.map({ $0 <= monotonicMilliseconds() }) ?? true
        else { return }
        paused = false
        resumesAt = nil
        for socket in accepting { arm(socket) }
    }

    private func discard(from socket: Int32) {
        guard lingering[socket] != nil else { return }
        var waste = [UInt8](repeating: 0, count: 65536)
        // Bounded per round, not in all: the time is the limit.
        for _ in 0..<16 {
            let count = read(socket, &waste, waste.count)
            if count > 0 || count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN { return }
            return release(socket)
        }
    }

    private func release(_ socket: Int32) {
        lingering[socket] = nil
        // Explicitly: as long as libmicrohttpd has its copy open, closing ours would not take it out of the epoll,
        // and events would come for a number that is somebody else's by then.
        _ = otmhd_epoll(epoll, EPOLL_CTL_DEL, socket, 0, 0)
        close(socket)
    }

    private func endLingering() {
        guard !lingering.isEmpty else { return }
        let now = monotonicMilliseconds()
        for (socket, state) in lingering where state.end <= now { release(socket) }
    }

    /// Milliseconds until something is due without an event; -1 for never.
    private func timeout() -> Int32 {
        let ends = lingering.values.map(\.end) + (resumesAt.map { [$0] } ?? [])
        guard let first = ends.min() else { return -1 }
        return Int32(clamping: max(0, first - monotonicMilliseconds()))
    }
}
