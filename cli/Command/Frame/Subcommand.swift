/// One thing that `opentask` does, a file each.
public protocol Subcommand: Sendable {
    /// The words that call it: `["user", "add"]`.
    var words: [String] { get }
    /// The operands as the help shows them: `NAME`, `USER [LABEL]`.
    var operands: String { get }
    /// How many operands it takes.
    var operandCount: ClosedRange<Int> { get }
    /// One line for the table of contents.
    var summary: String { get }
    /// What else a person must know; may be empty.
    var details: String { get }
    /// Its options besides `--help`.
    var options: [Option] { get }

    func run(_ call: Invocation) throws
}

extension Subcommand {
    public var operands: String { "" }
    public var operandCount: ClosedRange<Int> { 0...0 }
    public var details: String { "" }
}

/// What a subcommand gets: its operands, its options with the environment behind them, and where to print.
public struct Invocation {
    public let operands: [String]
    let given: [String: String]
    let known: [Option]
    public let environment: [String: String]
    /// Prints what was asked for, with a line break behind it.
    public let print: (String) -> Void

    /// The value of an option: from the command line, else from its variable; nil when neither is set.
    public func option(_ name: String) -> String? {
        if let value = given[name] { return value }
        guard let variable = known.first(where: { $0.name == name })?.variable else { return nil }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    public func has(_ name: String) -> Bool { given[name] != nil }

    /// Whether JSON is wanted instead of words.
    var wantsJSON: Bool { has("json") }
}
