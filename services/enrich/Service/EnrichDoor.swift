public import Daemon
public import Varlink

/// The service's own socket, served so that draining it first stops the claiming: the built-in enricher, which is
/// drained after it, must still answer what runs.
public struct EnrichDoor: Servable {
    private let server: VarlinkServer
    private let worker: QueueWorker

    public init(_ server: VarlinkServer, worker: QueueWorker) {
        self.server = server
        self.worker = worker
    }

    public func serve(listening descriptor: Int32) throws { try server.serve(listening: descriptor) }

    public func drain(timeoutMilliseconds: Int) {
        let begin = ContinuousClock.now
        worker.stop(timeoutMilliseconds: timeoutMilliseconds * 3 / 4)
        let left = timeoutMilliseconds - (.now - begin).wholeMilliseconds
        server.drain(timeoutMilliseconds: max(0, left))
    }
}
