import Interfaces
import Varlink

/// `opentask doctor`
public struct Doctor: Subcommand {
    public let words = ["doctor"]
    public let summary = "Look at everything, say what is wrong and how to mend it"
    public let details = "Exit status 1 when something is wrong, 0 when there are at most notes."
    public let options =
        Which.local + [
            Which.json,
            Option(
                "url", "URL", help: "where browsers connect, http://127.0.0.1:3000 unless the instance tells"),
        ]

    public init() {}

    public func run(_ call: Invocation) throws {
        let findings = try findings(call)
        call.print(call.wantsJSON ? try json(findings) : findings.map(\.line).joined(separator: "\n"))
        let bad = findings.filter { $0.state == .bad }.count
        guard bad == 0 else {
            throw CommandFailure.failed(bad == 1 ? "one thing is wrong" : "\(bad) things are wrong")
        }
    }

    private func findings(_ call: Invocation) throws -> [Finding] {
        var findings = [Checks.clock(), Checks.zones()]
        let run: RunFolder
        do throws(CommandFailure) {
            run = try RunFolder(call)
        } catch {
            return findings + [
                .bad("instance", error.message, mend: "systemctl start opentask.target, or: opentask up")
            ]
        }
        let sockets = ServicePlan.all.flatMap(\.sockets).compactMap(\.path)
        findings += sockets.map { Checks.socket(run, $0) }
        findings += Checks.api(run)
        findings += Checks.push(run)
        findings += Checks.enricher(run)
        findings.append(Checks.http(call, run))
        return findings
    }
}
