/// An option of a command: `--state DIR`, `--state=DIR`, or a word alone.
public struct Option: Sendable {
    /// Without the two dashes.
    public let name: String
    /// What the help calls its value; nil when it takes none.
    public let value: String?
    /// The variable that gives the value when the option does not.
    public let variable: String?
    public let help: String

    public init(_ name: String, _ value: String? = nil, variable: String? = nil, help: String) {
        self.name = name
        self.value = value
        self.variable = variable
        self.help = help
    }
}

/// A command line taken apart.
struct Arguments: Equatable {
    /// What is no option, in order.
    var operands: [String] = []
    /// By name; an option without a value has "".
    var options: [String: String] = [:]

    /// Options may stand anywhere; after `--` nothing is one.
    init(_ words: some Sequence<String>, options known: [Option]) throws(CommandFailure) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.drop { $0 == "-" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = word == "-h" ? "help" : String(parts.first ?? "")
            guard word == "-h" || word.hasPrefix("--"), let option = known.first(where: { $0.name == name })
            else {
                throw .usage("unknown option \(word)")
            }
            let given = parts.count > 1 ? String(parts[1]) : nil
            if let valueName = option.value {
                guard let value = given ?? words.popFirst() else {
                    throw .usage("--\(name) needs a value: --\(name) \(valueName)")
                }
                options[name] = value
            } else {
                guard given == nil else { throw .usage("--\(name) takes no value") }
                options[name] = ""
            }
        }
    }
}
