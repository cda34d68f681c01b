import Interfaces
import Time

/// `opentask parse TEXT`
public struct Parse: Subcommand {
    public let words = ["parse"]
    public let operands = "TEXT..."
    public let operandCount = 1...10_000
    public let summary = "Show what the built-in enricher understands, and store nothing"
    public let options =
        Which.local + [
            Which.json, Option("kind", "KIND", help: "task, reminder, quota or auto (task)"),
            Option("timezone", "ZONE", help: "an IANA name, this machine's by default"),
        ]

    public init() {}

    public func run(_ call: Invocation) throws {
        let name = try call.option("timezone") ?? MachineZone.name()
        guard let zone = Zone(name) else { throw CommandFailure.usage("there is no time zone \"\(name)\"") }
        let now = SystemClock().now()
        let local = zone.local(now)
        let context = EnricherInterface.Context(
            nowLocal: "\(local.date)T\(local.time)", timeZone: zone.name,
            utcOffsetMinutes: zone.offset(at: now) / 60)
        let reply = try RunFolder(call).client("enrichers/builtin.sock").call(
            EnricherInterface.Preview.self,
            .init(
                kind: call.option("kind") ?? "task", text: call.operands.joined(separator: " "),
                context: context))
        call.print(call.wantsJSON ? try json(reply.result) : words(reply.result))
    }

    /// A line for each field that was said.
    private func words(_ result: EnricherInterface.Result) -> String {
        func moment(_ moment: EnricherInterface.Moment?) -> String? {
            moment.map { [$0.date, $0.time].compactMap { $0 }.joined(separator: " ") }
        }
        let rows: [(String, String?)] = [
            ("title", result.title), ("kind", result.kind), ("target", moment(result.target)),
            ("deadline", moment(result.deadline)),
            (
                "priority",
                result.priority > 0 ? ["low", "medium", "high", "urgent"][min(result.priority, 4) - 1] : nil
            ),
            ("repeats", result.rrule), ("project", result.project),
            ("labels", result.labels.isEmpty ? nil : result.labels.joined(separator: ", ")),
            ("quota", result.quota.map { "\($0.target) a \($0.period.rawValue)" }),
            ("takes", result.estimateMinutes.map { "\($0) minutes" }), ("notes", result.notes),
        ]
        return rows.compactMap { name, value in
            value.map { name + String(repeating: " ", count: 10 - name.count) + oneLine($0) }
        }.joined(separator: "\n")
    }
}
