import Glibc
import Synchronization

/// An HTTP/1.1 server on sockets that listen already.
///
/// The sockets stay their owner's: they are never closed and never shut down, so the next instance (a restart by the
/// service manager) goes on with whatever waits in their backlog.
///
/// `threads` threads run the handler; one more accepts. Idle connections and idle streams cost memory only.
public final class WebServer: Sendable {
    private enum State {
        case fresh
        case serving(Acceptor)
        case drained
    }

    private let core: Core
    private let workers: [Worker]
    private let state = Mutex(State.fresh)

    /// - Parameter threads: how many handlers may run (and block) at once.
    public init(handler: any HTTPHandler, threads: Int = 16, limits: HTTPLimits = .init()) {
        precondition(threads > 0)
        let core = Core(handler: handler, limits: limits)
        self.core = core
        workers = (0..<threads).map { _ in Worker(core: core) }
    }

    deinit { drain(timeoutMilliseconds: 0) }

    /// Begins to serve a listening stream socket, TCP or Unix, and returns at once. May be called for several.
    ///
    /// The socket is set to not block, which it is then for everyone who has it.
    public func serve(listening fd: Int32) throws(HTTPServerError) {
        let flags = fcntl(fd, F_GETFL)
        guard flags >= 0, fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw HTTPServerError(step: "fcntl", code: errno)
        }
        try acceptor().listen(on: fd)
    }

    /// Connections that are open now, over all sockets; idle ones and streams count.
    public var connectionCount: Int { core.connectionCount }

    /// Stops serving without failing anyone. Returns when all is over.
    ///
    /// 1. Nothing is accepted any more; who connects from now on waits in the backlog for the next instance.
    /// 2. Streams are closed after what was sent into them.
    /// 3. Requests that came, and those that still come on open connections, are answered with `Connection: close`.
    /// 4. Connections on which nothing comes for `HTTPLimits.idleGraceMilliseconds` are closed.
    /// 5. After `timeoutMilliseconds` whatever is left is cut off. A handler that is running is waited for.
    ///
    /// Not to be called from a handler.
    public func drain(timeoutMilliseconds: Int) {
        let acceptor = state.withLock { state -> Acceptor? in
            defer { state = .drained }
            return if case .serving(let acceptor) = state { acceptor } else { nil }
        }
        guard let acceptor else { return }
        core.startDraining()
        acceptor.stopAccepting()
        for connection in core.connections { connection.closeStream() }

        let start = monotonicMilliseconds()
        let end = start + max(0, timeoutMilliseconds)
        let graceEnd = start + min(core.limits.idleGraceMilliseconds, timeoutMilliseconds / 2)
        var now = start
        while core.connectionCount > 0, now < end {
            if now >= graceEnd { for connection in core.connections { connection.hangUpIfIdle() } }
            // Bytes that arrive on an idle connection make no signal; hence not longer than 20 ms.
            core.waitForChange(milliseconds: min(20, end - now))
            now = monotonicMilliseconds()
        }
        for connection in core.connections { connection.abort() }
        for worker in workers { worker.stop() }
        acceptor.stop()
        core.setAcceptor(nil)
    }

    /// The acceptor, started with all threads when it is first asked for.
    private func acceptor() throws(HTTPServerError) -> Acceptor {
        try state.withLock { state throws(HTTPServerError) in
            switch state {
            case .serving(let acceptor): return acceptor
            case .drained: throw HTTPServerError(step: "serve after drain", code: 0)
            case .fresh: break
            }
            signal(SIGPIPE, SIG_IGN)
            // The threads inherit the mask: signals are for the threads of the program.
            var all = sigset_t()
            var before = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_SETMASK, &all, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            do throws(HTTPServerError) {
                for worker in workers { try worker.start() }
                let acceptor = try Acceptor(core: core, workers: workers)
                try acceptor.start()
                core.setAcceptor(acceptor)
                state = .serving(acceptor)
                return acceptor
            } catch {
                for worker in workers { worker.stop() }
                throw error
            }
        }
    }
}
