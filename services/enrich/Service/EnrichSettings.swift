public import Daemon
internal import FoundationEssentials

/// What a person may set (docs/enrich.md).
public struct EnrichSettings: Sendable {
    /// The api's Varlink socket.
    public let apiSocket: String
    /// The folder of the enrichers' sockets.
    public let enrichers: String
    /// Texts that the built-in enricher reads at a time.
    public let cores: Int

    public init(_ environment: Environment) throws(ConfigurationError) {
        let run = environment.string("OPENTASK_RUN", default: "/run/opentask")
        guard run.hasPrefix("/") else {
            throw ConfigurationError("OPENTASK_RUN must be an absolute path, and is \"\(run)\"")
        }
        apiSocket = "\(run)/api.sock"
        enrichers = "\(run)/enrichers"
        cores = try environment.integer(
            "OPENTASK_ENRICH_PARALLEL", in: 1...64,
            default: max(1, ProcessInfo.processInfo.activeProcessorCount))
    }
}
