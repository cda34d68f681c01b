public import JSON
import Sockets
import Synchronization

/// Calls the methods of one service over its Unix socket. Thread-safe; calls from several threads run side by side.
///
/// Connections are kept and used again, so a call costs one round trip. A connection that the service has ended while
/// it was idle is replaced without notice. When the service goes away in the middle, the request is repeated only if
/// it cannot have been read whole; otherwise the call throws `VarlinkTransportError` with `wasSent`, and the caller
/// decides whether to ask again.
///
/// Error replies are thrown as `VarlinkError`, everything else as `VarlinkTransportError`.
public final class VarlinkClient: Sendable {
    public let path: String
    private let timeoutMilliseconds: Int
    private let limits: VarlinkLimits

    private struct State {
        var isClosed = false
        /// Not in use, the one used last at the end.
        var idle: [ClientConnection] = []
        /// In use, so that `close()` can end them.
        var busy: [Int32: StreamSocket] = [:]
    }

    private let state = Mutex(State())

    /// Connections kept for the next calls; more are opened when more calls run at once, and closed after.
    private static let mostIdle = 4
    /// How often a request is tried again that was not read.
    private static let mostRetries = 3

    /// Connects when first called.
    ///
    /// - Parameters:
    ///   - path: the service's socket.
    ///   - timeoutMilliseconds: for one call, from connecting to its reply, where it does not say otherwise.
    public init(path: String, timeoutMilliseconds: Int = 30_000, limits: VarlinkLimits = VarlinkLimits()) {
        self.path = path
        self.timeoutMilliseconds = timeoutMilliseconds
        self.limits = limits
    }

    deinit { close() }

    /// Calls `method` and waits for its reply.
    public func call<M: VarlinkMethod>(
        _ method: M.Type, _ parameters: M.Parameters, timeoutMilliseconds: Int? = nil
    ) throws -> M.Reply {
        try decode(
            call(M.name, try JSONCoding.encode(parameters), timeoutMilliseconds ?? self.timeoutMilliseconds))
    }

    /// Calls a method by its name, with parameters whose shape is not known beforehand.
    public func call(
        raw method: String, _ parameters: JSONValue = [:], timeoutMilliseconds: Int? = nil
    ) throws -> JSONValue {
        try value(
            call(method, try JSONCoding.encode(parameters), timeoutMilliseconds ?? self.timeoutMilliseconds))
    }

    /// Calls `method` and does not wait for anything: neither whether it was read nor whether it worked.
    public func send<M: VarlinkMethod>(oneway method: M.Type, _ parameters: M.Parameters) throws {
        let message = CallMessage(method: M.name, parameters: try JSONCoding.encode(parameters), oneway: true)
        giveBack(try send(message, until: Deadline(milliseconds: timeoutMilliseconds)))
    }

    /// Calls `method` with `more` and hands over each reply as it comes; waits for the next one as long as it takes.
    ///
    /// Returns when the service ends the stream or `each` returns false; a last reply without parameters only ends the
    /// stream and is not handed over. `close()` from another thread makes it throw `closed`.
    public func stream<M: VarlinkMethod>(
        _ method: M.Type, _ parameters: M.Parameters, _ each: (M.Reply) throws -> Bool
    ) throws {
        try stream(M.name, try JSONCoding.encode(parameters)) { try each(try decode($0)) }
    }

    /// The same by name, with values whose shape is not known beforehand.
    public func stream(
        raw method: String, _ parameters: JSONValue = [:], _ each: (JSONValue) throws -> Bool
    ) throws {
        try stream(method, try JSONCoding.encode(parameters)) { try each(try value($0)) }
    }

    /// Ends all connections, for good: calls that wait throw `closed`, and so do calls that come after.
    public func close() {
        let (idle, busy) = state.withLock { state in
            defer { (state.idle, state.busy, state.isClosed) = ([], [:], true) }
            return (state.idle, state.busy)
        }
        for connection in idle { connection.socket.close() }
        for socket in busy.values { socket.close() }
    }

    private func call(_ method: String, _ parameters: [UInt8], _ timeoutMilliseconds: Int) throws
        -> ReplyMessage
    {
        let deadline = Deadline(milliseconds: timeoutMilliseconds)
        var connection = try send(CallMessage(method: method, parameters: parameters), until: deadline)
        let reply = try receive(on: &connection, until: deadline)
        guard !reply.continues else {
            discard(connection)
            throw VarlinkTransportError(.protocol, wasSent: true, "more than one reply, not asked for")
        }
        giveBack(connection)
        return try checked(reply)
    }

    private func stream(
        _ method: String, _ parameters: [UInt8], _ each: (ReplyMessage) throws -> Bool
    ) throws {
        let message = CallMessage(method: method, parameters: parameters, more: true)
        var connection = try send(message, until: Deadline(milliseconds: timeoutMilliseconds))
        var hasEnded = false
        // A stream that is left before its end leaves replies on the connection that nobody waits for.
        defer { hasEnded ? giveBack(connection) : discard(connection) }
        while true {
            let reply = try receive(on: &connection, until: .never)
            hasEnded = !reply.continues
            let wantsMore =
                hasEnded && reply.error == nil && reply.isEmpty ? false : try each(try checked(reply))
            if hasEnded || !wantsMore { return }
        }
    }

    private func checked(_ reply: ReplyMessage) throws -> ReplyMessage {
        guard let error = reply.error else { return reply }
        throw VarlinkError(error, try value(reply))
    }

    private func value(_ reply: ReplyMessage) throws -> JSONValue {
        do {
            return try JSONValue(parsing: Array(reply.parameters))
        } catch {
            throw VarlinkTransportError(.protocol, wasSent: true, "a reply with a value that is no JSON")
        }
    }

    private func decode<Reply: Decodable>(_ reply: ReplyMessage) throws -> Reply {
        do {
            return try JSONCoding.decode(Reply.self, from: reply.parameters)
        } catch {
            throw VarlinkTransportError(.protocol, wasSent: true, "a reply of another type: \(error)")
        }
    }
}

/// Connections: taken, written to, given back.
extension VarlinkClient {
    private func send(_ message: CallMessage, until deadline: Deadline) throws -> ClientConnection {
        let bytes = message.bytes
        guard bytes.count - 1 <= limits.messageBytes else {
            throw VarlinkTransportError(.tooLarge, "a request of \(bytes.count - 1) bytes")
        }
        var retries = 0
        while true {
            let connection = try take(until: deadline)
            do throws(SocketError) {
                try connection.socket.write(bytes, until: deadline)
                return connection
            } catch {
                discard(connection)
                // Not written whole, so not read whole: a service that stops cannot have begun with it.
                retries += 1
                guard error.isDisconnect, retries <= VarlinkClient.mostRetries else {
                    throw VarlinkTransportError(error, wasSent: false)
                }
            }
        }
    }

    private func receive(on connection: inout ClientConnection, until deadline: Deadline) throws
        -> ReplyMessage
    {
        do {
            guard let message = try connection.frames.next(from: connection.socket, until: deadline) else {
                throw VarlinkTransportError(.closed, wasSent: true, "before the reply")
            }
            return try ReplyMessage(parsing: message, depth: limits.depth)
        } catch let error as SocketError {
            discard(connection)
            throw VarlinkTransportError(error, wasSent: true)
        } catch let error as VarlinkTransportError {
            discard(connection)
            throw VarlinkTransportError(error.kind, wasSent: true, error.detail)
        }
    }

    /// A connection that is good as far as one can tell: one that was kept, else a new one.
    private func take(until deadline: Deadline) throws(VarlinkTransportError) -> ClientConnection {
        while true {
            let kept = try state.withLock { state throws(VarlinkTransportError) -> ClientConnection? in
                guard !state.isClosed else { throw VarlinkClient.closed }
                guard let kept = state.idle.popLast() else { return nil }
                state.busy[kept.socket.fd] = kept.socket
                return kept
            }
            guard let kept else { return try connect(until: deadline) }
            if kept.socket.isQuiet { return kept }
            discard(kept)
        }
    }

    private func connect(until deadline: Deadline) throws(VarlinkTransportError) -> ClientConnection {
        let socket: StreamSocket
        do throws(SocketError) {
            socket = try StreamSocket.connect(unix: path, until: deadline)
        } catch {
            throw VarlinkTransportError(error.isTimeout ? .timeout : .connect, "\(path): \(error)")
        }
        try state.withLock { state throws(VarlinkTransportError) in
            guard !state.isClosed else { throw VarlinkClient.closed }
            state.busy[socket.fd] = socket
        }
        return ClientConnection(socket: socket, frames: MessageFrames(limit: limits.messageBytes))
    }

    private func giveBack(_ connection: ClientConnection) {
        state.withLock { state in
            state.busy[connection.socket.fd] = nil
            // Bytes after the reply are nobody's: the service does not keep to the protocol.
            guard !state.isClosed, state.idle.count < VarlinkClient.mostIdle,
                !connection.frames.isInsideMessage
            else {
                connection.socket.close()
                return
            }
            state.idle.append(connection)
        }
    }

    private func discard(_ connection: ClientConnection) {
        state.withLock { $0.busy[connection.socket.fd] = nil }
        connection.socket.close()
    }

    private static let closed = VarlinkTransportError(.closed, "this client was closed")
}

/// A connection and what was read from it beyond the last reply.
struct ClientConnection: Sendable {
    let socket: StreamSocket
    var frames: MessageFrames
}
