public import Sockets
import Synchronization

/// Answers calls on listening sockets.
///
/// One thread per connection, and one per listening socket that accepts. Handlers are synchronous, streams hold their
/// handler for as long as they last, and a service has a handful of peers: with a pool, a few streams would use it
/// up, and a reader of one connection would wait for a handler of another. An idle connection sleeps in recv(2) and
/// costs no CPU and some 25 KiB (measured: touched stack, read buffer).
///
/// Drain, in this order, so that no call is lost or done twice:
/// 1. The accepting threads end. What the kernel has queued is left for the next process on the same socket.
/// 2. Every connection's reading half is shut down. What had arrived is still answered; a peer that writes from here
///    on gets EPIPE and knows that its call was not seen.
/// 3. Connections end when they have answered; handlers of streams see `isClosed`.
/// 4. What is left at the time-out is cut.
public final class VarlinkServer: Sendable {
    private let router: VarlinkRouter
    private let limits: VarlinkLimits
    private let permit: @Sendable (PeerCredentials) -> Bool
    private let onFailure: @Sendable (_ method: String, any Error) -> Void

    private struct State {
        var accepting = 0
        var nextID = 0
        var connections: [Int: Connection] = [:]
    }

    private struct Connection {
        let socket: StreamSocket
        /// The listening socket that it came by.
        let listener: Int32
    }

    private let state = Mutex(State())
    /// Ends the accepting threads.
    private let stop: WakeEvent
    /// A thread of ours has ended.
    private let ended: WakeEvent

    /// - Parameters:
    ///   - permit: asked once for each connection. Each call of a peer that it refuses gets PermissionDenied.
    ///   - onFailure: gets what a handler threw and the peer was only told as InternalError. Called on the
    ///     connection's thread.
    public init(
        _ router: VarlinkRouter, limits: VarlinkLimits = VarlinkLimits(),
        permit: @escaping @Sendable (PeerCredentials) -> Bool,
        onFailure: @escaping @Sendable (_ method: String, any Error) -> Void = { _, _ in }
    ) {
        self.router = router
        self.limits = limits
        self.permit = permit
        self.onFailure = onFailure
        do {
            stop = try WakeEvent()
            ended = try WakeEvent()
        } catch {
            preconditionFailure("a server needs two descriptors at its start: \(error)")
        }
    }

    /// Answers on `socket` from now on; returns at once. May be called for several sockets.
    public func serve(_ socket: ListeningSocket) {
        state.withLock { $0.accepting += 1 }
        do {
            try WorkerThread.start("varlink-accept", stackBytes: 128 << 10) { [self] in
                accept(on: socket)
                state.withLock { $0.accepting -= 1 }
                ended.signal()
            }
        } catch {
            preconditionFailure("a server needs a thread at its start: \(error)")
        }
    }

    /// The same on a descriptor that was handed over, which this server owns from now on and closes in the end.
    ///
    /// - Throws: `SocketError` when it is no listening socket.
    public func serve(listening descriptor: Int32) throws {
        serve(try ListeningSocket(adopting: descriptor))
    }

    /// Accepts no more, finishes the calls that have arrived, ends all connections. Returns when that is done or the
    /// time is over. Connections are cut then; a handler that still runs is left to itself.
    public func drain(timeoutMilliseconds: Int) {
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        stop.signal()
        wait(until: deadline) { $0.accepting == 0 }
        for connection in connections() { connection.socket.shutdown(.reading) }
        wait(until: deadline) { $0.connections.isEmpty }
        for connection in connections() { connection.socket.close() }
    }

    /// Connections that are open now.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    private func connections() -> [Connection] { state.withLock { Array($0.connections.values) } }

    private func wait(until deadline: Deadline, _ isDone: (State) -> Bool) {
        while true {
            ended.clear()
            if state.withLock({ isDone($0) }) { return }
            do {
                guard try ended.wait(until: deadline) else { return }
            } catch {
                return  // a poll that fails would fail again; the caller ends the process anyway
            }
        }
    }

    private func accept(on listener: ListeningSocket) {
        while true {
            do {
                guard let socket = try listener.accept(until: stop) else { return }
                start(socket, from: listener.fd)
            } catch {
                onFailure("accept", error)
                return
            }
        }
    }

    private func start(_ socket: StreamSocket, from listener: Int32) {
        let id = state.withLock { state -> Int? in
            guard state.connections.values.count(where: { $0.listener == listener }) < limits.connections
            else {
                return nil
            }
            state.nextID += 1
            state.connections[state.nextID] = Connection(socket: socket, listener: listener)
            return state.nextID
        }
        guard let id else { return }  // the last reference goes, and with it the connection
        do {
            try WorkerThread.start("varlink", stackBytes: limits.stackBytes) { [self] in
                run(socket)
                end(id)
            }
        } catch {
            onFailure("accept", error)
            end(id)
        }
    }

    private func end(_ id: Int) {
        state.withLock { state in
            // Before it stops counting: when drain returns, peers have seen the end.
            state.connections[id]?.socket.close()
            state.connections[id] = nil
        }
        ended.signal()
    }

    /// One connection, from its first message to its end.
    private func run(_ socket: StreamSocket) {
        do {
            let peer = try socket.peer()
            let isPermitted = permit(peer)
            // A stranger may learn that it is one, but not fill our memory.
            var frames = MessageFrames(
                limit: isPermitted ? limits.messageBytes : min(limits.messageBytes, 64 << 10))
            let sink = SocketSink(socket: socket, stallMilliseconds: limits.stallMilliseconds)
            while let message = try frames.next(from: socket) {
                let next = router.answer(
                    message, from: peer, isPermitted: isPermitted, limits: limits,
                    on: ReplyChannel(sink, messageBytes: limits.messageBytes), failed: onFailure)
                if next == .close { return }
            }
        } catch {
            // The peer is gone, or its message too large to be taken in: there is nobody to tell.
        }
    }
}
