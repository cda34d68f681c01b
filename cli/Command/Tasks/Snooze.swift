import JSON

/// `opentask snooze ID`
public struct Snooze: Subcommand {
    public let words = ["snooze"]
    public let operands = "ID"
    public let operandCount = 1...1
    public let summary = "Move a task's target, by your usual step unless you say where to"
    public let details = "A task never moves past a deadline that is still ahead."
    public let options =
        Which.any + [
            Which.json, Option("until", "TIME", help: "to this time, 2026-03-01T09:00, in your own zone"),
            Option("minutes", "N", help: "so many minutes later than its own target"),
            Option("option", "WORD", help: "as one of the snooze buttons does"),
        ]

    public init() {}

    public func run(_ call: Invocation) throws {
        let id = try taskID(call.operands[0])
        let api = try Api(call)
        let task = try api.send("POST", "/api/tasks/\(id)/snooze", .object(try body(call)))
        if call.wantsJSON { return call.print(text(task)) }
        let stopped = task["stopped_at_deadline"]?.bool == true ? "\nIt stops at its deadline." : ""
        call.print(try TaskLine(api).text(task) + stopped)
    }

    private func body(_ call: Invocation) throws(CommandFailure) -> [String: JSONValue] {
        let given = ["until", "minutes", "option"].filter { call.option($0) != nil }
        guard given.count < 2 else { throw .usage("--\(given[0]) and --\(given[1]) exclude each other") }
        if let until = call.option("until") { return ["until": .string(until)] }
        if let option = call.option("option") { return ["option": .string(option)] }
        guard let minutes = call.option("minutes") else { return [:] }
        guard let number = Int64(minutes), number > 0 else { throw .usage("--minutes wants a number from 1") }
        return ["delta_minutes": .int(number)]
    }
}
