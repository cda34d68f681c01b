internal import Enricher
internal import Interfaces
internal import JSON
public import Varlink

/// `org.opentask.enricher` for the built-in enricher, which is asked over its socket like any other.
public struct BuiltinMethods: Sendable {
    private let enricher = BuiltinEnricher()
    private let cores: Int

    /// Of a message, either way (2.1).
    public static let limits = VarlinkLimits(messageBytes: 1 << 20)

    /// - Parameter cores: calls at a time.
    public init(cores: Int) { self.cores = cores }

    /// A router that answers the whole interface.
    public func router() -> VarlinkRouter {
        var router = VarlinkRouter(
            product: "the built-in enricher", version: BuiltinEnricher.version,
            interfaces: [EnricherInterface.name])
        router.handle(EnricherInterface.GetCapabilities.self) { parameters, _ in
            guard parameters.protocols.contains(1) else {
                throw VarlinkError("\(EnricherInterface.name).UnsupportedProtocol", ["supported": [1]])
            }
            return BuiltinEnricher.capabilities(maxParallel: cores)
        }
        router.handle(EnricherInterface.Enrich.self) { parameters, _ in
            .init(result: try read(parameters.text, parameters.kind, parameters.context))
        }
        router.handle(EnricherInterface.Preview.self) { parameters, _ in
            .init(result: try read(parameters.text, parameters.kind, parameters.context))
        }
        // A reading is over before a second call could come.
        router.handle(EnricherInterface.Cancel.self) { _, _ in VarlinkEmpty() }
        router.handle(EnricherInterface.CheckHealth.self) { _, _ in .init(state: "ready") }
        return router
    }

    private func read(
        _ text: String, _ kind: String, _ context: EnricherInterface.Context
    ) throws -> EnricherInterface.Result {
        do {
            return try enricher.read(text, kind: kind, context: context)
        } catch {
            let name = EnricherInterface.name
            switch error {
            case .textEmpty: throw VarlinkError("\(name).TextEmpty")
            case .textTooLong(let bytes):
                throw VarlinkError("\(name).TextTooLong", ["max_bytes": .int(Int64(bytes))])
            case .unsupportedKind(let kind):
                throw VarlinkError("\(name).UnsupportedKind", ["kind": .string(kind)])
            }
        }
    }
}
