import Interfaces
import Varlink

/// `opentask enrich list`
public struct EnrichList: Subcommand {
    public let words = ["enrich", "list"]
    public let summary = "Print the enrichers of this machine, a star before the one in use"
    public let options = Which.local + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let run = try RunFolder(call)
        let reply = try run.client("enrich.sock").call(EnrichControl.List.self, VarlinkEmpty())
        if call.wantsJSON { return call.print(try json(reply)) }
        let inUse = try run.client("api.sock").call(Local.Status.self, VarlinkEmpty()).enricher
        let width = reply.enrichers.map(\.name.count).max() ?? 0
        call.print(
            reply.enrichers.map { enricher in
                let name = enricher.name + String(repeating: " ", count: width - enricher.name.count)
                let rest = [enricher.state, enricher.version, enricher.model, enricher.detail].compactMap {
                    $0
                }
                return
                    "\(enricher.name == inUse ? "*" : " ") \(name)  \(oneLine(rest.joined(separator: "  ")))"
            }.joined(separator: "\n"))
    }
}

/// `opentask enrich use NAME`
public struct EnrichUse: Subcommand {
    public let words = ["enrich", "use"]
    public let operands = "NAME"
    public let operandCount = 1...1
    public let summary = "Have texts understood by this enricher, those that wait included"
    public let options = Which.local

    public init() {}

    public func run(_ call: Invocation) throws {
        _ = try RunFolder(call).client("api.sock").call(Local.UseEnricher.self, .init(name: call.operands[0]))
        call.print("From now on \(call.operands[0]) reads the texts.")
    }
}

/// `opentask enrich status`
public struct EnrichStatus: Subcommand {
    public let words = ["enrich", "status"]
    public let summary = "Print how many texts wait, were understood, failed"
    public let options = Which.local + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let run = try RunFolder(call)
        let enrich = try run.client("enrich.sock").call(EnrichControl.Status.self, VarlinkEmpty())
        if call.wantsJSON { return call.print(try json(enrich)) }
        let api = try run.client("api.sock").call(Local.Status.self, VarlinkEmpty())
        var lines = [
            "enricher    \(api.enricher)", "waiting     \(api.jobsWaiting)", "running     \(enrich.running)",
            "understood  \(enrich.enriched) since the start", "failed      \(enrich.failed) since the start",
        ]
        lines += enrich.breakers.map {
            "\($0.enricher) failed too often, asked again in \($0.retryInSeconds) s"
        }
        call.print(lines.joined(separator: "\n"))
    }
}
