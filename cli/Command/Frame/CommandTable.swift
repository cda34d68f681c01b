import FoundationEssentials
import Interfaces
public import Processes

/// The command: finds the subcommand, parses its options, prints help, turns failures into words and statuses.
///
/// Exit statuses: 0 done, 1 failed, 2 wrong usage, 3 nobody answers, 78 a setting must be changed.
public struct CommandTable {
    private let commands: [any Subcommand]
    private let print: (String) -> Void
    private let complain: (String) -> Void

    /// - Parameters:
    ///   - print: gets what was asked for; standard output.
    ///   - complain: gets what went wrong; standard error.
    public init(
        _ commands: any Subcommand..., print: @escaping (String) -> Void = Streams.printOut,
        complain: @escaping (String) -> Void = Streams.printError
    ) {
        self.commands = commands
        self.print = print
        self.complain = complain
    }

    /// - Parameters:
    ///   - words: without the program's own name.
    ///   - environment: the process's own when nil.
    /// - Returns: the exit status.
    public func run(_ words: [String], environment: [String: String]? = nil) -> Int32 {
        do {
            try dispatch(words, environment ?? ProcessInfo.processInfo.environment)
            return 0
        } catch let failure as CommandFailure {
            complain("opentask: \(failure.message)")
            if case .usage = failure { complain("Try: \(helpCommand(words))") }
            return failure.status
        } catch {
            complain("opentask: \(error)")
            return 1
        }
    }

    private func dispatch(_ words: [String], _ environment: [String: String]) throws {
        guard let first = words.first else { throw CommandFailure.usage("what shall I do?") }
        if ["--help", "-h", "help"].contains(first) {
            return print(help(Array(words.dropFirst())))
        }
        if first == "--version" { return print("opentask \(productVersion)") }
        guard let command = find(words) else {
            let group = commands.filter { $0.words.first == first && $0.words.count > 1 }
            guard !group.isEmpty else {
                throw CommandFailure.usage(
                    first.hasPrefix("-")
                        ? "options come behind the command, as in: opentask list \(first) …"
                        : "there is no command \"\(first)\"")
            }
            if words.dropFirst().contains(where: { $0 == "--help" || $0 == "-h" }) {
                return print(help([first]))
            }
            let choices = group.map { $0.words.joined(separator: " ") }.joined(separator: ", ")
            throw CommandFailure.usage("\"\(first)\" needs one more word: \(choices)")
        }
        let known = command.options + [Option("help", help: "print this")]
        let arguments = try Arguments(words.dropFirst(command.words.count), options: known)
        if arguments.options["help"] != nil { return print(help(of: command)) }
        guard command.operandCount.contains(arguments.operands.count) else {
            throw CommandFailure.usage(
                "wrong number of words: opentask \((command.words + [command.operands]).filter { !$0.isEmpty }.joined(separator: " "))"
            )
        }
        try command.run(
            Invocation(
                operands: arguments.operands, given: arguments.options, known: known,
                environment: environment,
                print: print))
    }

    /// The command whose words the line begins with; the longest one.
    private func find(_ words: [String]) -> (any Subcommand)? {
        commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private func helpCommand(_ words: [String]) -> String {
        guard let command = find(words) else { return "opentask --help" }
        return "opentask \(command.words.joined(separator: " ")) --help"
    }

    private func help(_ words: [String]) -> String {
        if let command = find(words) { return help(of: command) }
        let shown = words.isEmpty ? commands : commands.filter { $0.words.first == words[0] }
        let rows = shown.map { ("\($0.words.joined(separator: " ")) \($0.operands)", $0.summary) }
        return """
            OpenTask, a personal task server.

            Usage: opentask COMMAND [OPTION...]

            \(columns(rows))

            Each command tells more with --help. Exit status: 0 done, 1 failed, 2 wrong usage, 3 nobody answers,
            78 a setting must be changed.
            """
    }

    private func help(of command: any Subcommand) -> String {
        let words = ["Usage: opentask"] + command.words + [command.operands, "[OPTION...]"]
        let line = words.filter { !$0.isEmpty }.joined(separator: " ")
        let options = (command.options + [Option("help", help: "print this")]).map { option in
            let variable = option.variable.map { " (\($0))" } ?? ""
            return ("--\(option.name)\(option.value.map { " \($0)" } ?? "")", option.help + variable)
        }
        return
            ([line, command.summary + "."] + [command.details].filter { !$0.isEmpty } + [columns(options)])
            .joined(separator: "\n\n")
    }

    private func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
            .joined(separator: "\n")
    }
}
