import JSON

/// `opentask done ID`
public struct Done: Subcommand {
    public let words = ["done"]
    public let operands = "ID"
    public let operandCount = 1...1
    public let summary = "Complete a task; a repeating one moves to its next time"
    public let options = Which.any + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let id = try taskID(call.operands[0])
        let api = try Api(call)
        let task = try api.send("POST", "/api/tasks/\(id)/done")
        if call.wantsJSON { return call.print(text(task)) }
        if task["already_done"]?.bool == true { return call.print("\(id) was done already.") }
        if task["was_recurring"]?.bool == true {
            return call.print("Done, and next:\n\(try TaskLine(api).text(task))")
        }
        call.print("Done: \(oneLine(task["title"]?.string ?? ""))")
    }
}
