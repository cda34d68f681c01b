internal import Interfaces
internal import JSON
public import Log
public import Varlink

/// `org.opentask.enrich`: the service's own door.
public struct EnrichMethods: Sendable {
    private let worker: QueueWorker
    private let folder: EnrichersFolder
    private let started: ContinuousClock.Instant
    private let log: Logger

    /// - Parameter enrichers: the folder of the enrichers' sockets.
    public init(worker: QueueWorker, enrichers: String, log: Logger) {
        self.worker = worker
        self.log = log
        folder = EnrichersFolder(path: enrichers)
        started = .now
    }

    /// A router that answers the whole interface.
    public func router() -> VarlinkRouter {
        var router = VarlinkRouter(product: "opentask-enrich", interfaces: [EnrichControl.name])
        router.handle(EnrichControl.Poke.self) { _, _ in
            worker.poke()
            return VarlinkEmpty()
        }
        router.handle(EnrichControl.Status.self) { _, _ in status() }
        router.handle(EnrichControl.List.self) { _, _ in
            EnrichControl.List.Reply(enrichers: folder.names.compactMap { folder.lane($0)?.installed() })
        }
        router.handle(EnrichControl.Preview.self) { parameters, _ in try preview(parameters) }
        router.handle(EnrichControl.Test.self) { parameters, _ in try test(parameters.name) }
        return router
    }

    private func status() -> EnrichControl.Status.Reply {
        let now = worker.status()
        return EnrichControl.Status.Reply(
            version: productVersion, uptimeSeconds: (.now - started).wholeMilliseconds / 1000,
            running: now.running, enriched: now.enriched, failed: now.failed, breakers: now.breakers)
    }

    private func lane(_ name: String) throws -> Lane {
        guard let lane = folder.lane(name) else {
            throw VarlinkError(EnrichControl.Errors.unknownEnricher, ["name": .string(name)])
        }
        return lane
    }

    /// By the named enricher if it is fast, deterministic and well, else by the built-in one.
    private func preview(_ asked: EnrichControl.Preview.Parameters) throws -> EnrichControl.Preview.Reply {
        let parameters = EnricherInterface.Preview.Parameters(
            kind: asked.kind, text: asked.text, context: asked.context)
        let guards = Guards(text: asked.text, context: asked.context)
        if asked.enricher != QueueWorker.builtin {
            let lane = try lane(asked.enricher)
            do {
                if let result = try lane.preview(parameters) {
                    return .init(enricher: lane.name, result: guards.guarded(result))
                }
            } catch {
                log(
                    .info, "a preview falls to the built-in enricher",
                    ["enricher": lane.name, "error": error.error])
            }
        }
        do {
            guard let result = try lane(QueueWorker.builtin).preview(parameters) else {
                throw Failure.badAnswer
            }
            return .init(enricher: QueueWorker.builtin, result: guards.guarded(result))
        } catch let error as Failure {
            throw failed(QueueWorker.builtin, error)
        }
    }

    private func test(_ name: String) throws -> EnrichControl.Test.Reply {
        let begin = ContinuousClock.now
        do {
            let differences = try SelfTest.differences(lane(name))
            return .init(
                passed: differences.isEmpty, differences: differences,
                durationMs: (.now - begin).wholeMilliseconds)
        } catch let error as Failure {
            throw failed(name, error)
        }
    }

    private func failed(_ name: String, _ failure: Failure) -> VarlinkError {
        VarlinkError(
            EnrichControl.Errors.enricherFailed, ["name": .string(name), "detail": .string(failure.error)])
    }
}
