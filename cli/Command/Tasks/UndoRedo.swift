import JSON

/// `opentask undo`
public struct Undo: Subcommand {
    public let words = ["undo"]
    public let summary = "Take back the last change"
    public let options = Which.any + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        try step(call, path: "/api/undo", word: "Undid")
    }
}

/// `opentask redo`
public struct Redo: Subcommand {
    public let words = ["redo"]
    public let summary = "Do again what was taken back last"
    public let options = Which.any + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        try step(call, path: "/api/redo", word: "Done again")
    }
}

private func step(_ call: Invocation, path: String, word: String) throws {
    let result = try Api(call).send("POST", path)
    if call.wantsJSON { return call.print(text(result)) }
    call.print("\(word): \(oneLine(result["description"]?.string ?? ""))")
}
