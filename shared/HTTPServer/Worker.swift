import CMicrohttpd
import Glibc
import Synchronization

/// A libmicrohttpd daemon of one thread, and what it calls.
///
/// One daemon per thread instead of libmicrohttpd's own pool: the pool's threads all wake for every new
/// connection and whichever is first takes up to ten of them, so that requests wait behind a blocked handler while
/// other threads idle. Here the acceptor gives each connection to the thread that has the fewest.
///
/// Unchecked: `daemon` is set once, before the first connection; the rest is constant or atomic.
final class Worker: @unchecked Sendable {
    let core: Core
    /// Connections that may want this thread; idle streams do not count.
    let load = Atomic(0)
    private var daemon: OpaquePointer?

    init(core: Core) { self.core = core }

    func start() throws(HTTPServerError) {
        var callbacks = otmhd_callbacks(
            access: { _, _, _, method, version, upload, size, context in
                guard let connection = Connection.from(context?.pointee), let method, let version, let size
                else {
                    return otmhd_result(0)
                }
                return otmhd_result(
                    connection.receive(method: method, version: version, upload: upload, size: size) ? 1 : 0)
            },
            uri: { _, uri, mhd in
                guard let uri, let mhd, let connection = Connection.from(otmhd_socket_context(mhd)) else {
                    return nil
                }
                connection.begin(uri: uri, mhd: mhd)
                return otmhd_socket_context(mhd)
            },
            completed: { _, _, context, reason in
                Connection.from(context?.pointee)?.complete(
                    sent: otmhd_is_sent(reason) != 0)
            },
            connection: { context, mhd, socketContext, event in
                guard let context, let mhd, let socketContext else { return }
                let worker = Unmanaged<Worker>.fromOpaque(context).takeUnretainedValue()
                if otmhd_is_start(event) != 0 {
                    socketContext.pointee = worker.core.connection(of: otmhd_socket(mhd))
                        .map { Unmanaged.passRetained($0).toOpaque() }
                } else if let opaque = socketContext.pointee {
                    socketContext.pointee = nil
                    Unmanaged<Connection>.fromOpaque(opaque).takeRetainedValue().end()
                }
            },
            // The server's core keeps its workers until their daemons have stopped.
            context: Unmanaged.passUnretained(self).toOpaque())
        let limits = core.limits
        // The core counts connections; a daemon's own limit would close what it has no place for.
        daemon = otmhd_start(
            &callbacks, UInt32(limits.connections), UInt32(limits.idleSeconds), limits.headBytes)
        if daemon == nil { throw HTTPServerError(step: "start libmicrohttpd", code: errno) }
    }

    /// Hands a connected socket over. libmicrohttpd closes it, also when this is false.
    func add(_ socket: Int32) -> Bool {
        // The address is only for callbacks that are not used; but one must be given.
        var address = sockaddr(
            sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        let size = socklen_t(MemoryLayout<sockaddr>.size)
        return MHD_add_connection(daemon, socket, &address, size) == .YES
    }

    /// Ends the thread, after the handler that it is in; open connections are closed.
    func stop() {
        if let daemon { MHD_stop_daemon(daemon) }
        daemon = nil
    }
}
