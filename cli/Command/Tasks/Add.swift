import JSON

/// `opentask add TEXT`
public struct Add: Subcommand {
    public let words = ["add"]
    public let operands = "TEXT..."
    public let operandCount = 1...10_000
    public let summary = "Add a task, as you would say it"
    public let details = """
        The text is kept as it is typed; a moment later times, priority, project and labels are taken out of it:
          opentask add "Call the plumber tomorrow at 9am !high #home"
        """
    public let options = Which.any + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let title = call.operands.joined(separator: " ")
        let task = try Api(call).send("POST", "/api/tasks", ["title": .string(title)])
        if call.wantsJSON { return call.print(text(task)) }
        call.print("Added \(task["id"]?.int ?? 0): \(oneLine(task["title"]?.string ?? title))")
    }
}
