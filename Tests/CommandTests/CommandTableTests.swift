import Command
import Testing

/// A command that tells what it was given.
private struct Echo: Subcommand {
    let words: [String]
    let operands = "WORD [WORD]"
    let operandCount = 1...2
    let summary = "Say it again"
    let options = [
        Option("loud", help: "louder"), Option("tone", "T", variable: "TONE", help: "in this tone"),
    ]

    func run(_ call: Invocation) throws {
        if call.operands[0] == "fail" { throw CommandFailure.failed("as asked") }
        if call.operands[0] == "alone" { throw CommandFailure.unreachable("nobody there") }
        if call.operands[0] == "wrong" { throw CommandFailure.configuration("set something") }
        call.print("\(call.operands) \(call.has("loud")) \(call.option("tone") ?? "-")")
    }
}

@Suite("The command line")
struct CommandTableTests {
    /// Status, what was printed, what was complained about.
    private func run(_ line: String, environment: [String: String] = [:]) -> (Int32, String, String) {
        var printed: [String] = []
        var complaints: [String] = []
        let table = CommandTable(
            Echo(words: ["echo"]), Echo(words: ["echo", "twice"]), Echo(words: ["deep", "echo"]),
            print: { printed.append($0) }, complain: { complaints.append($0) })
        let status = table.run(line.split(separator: " ").map(String.init), environment: environment)
        return (status, printed.joined(separator: "\n"), complaints.joined(separator: "\n"))
    }

    @Test(arguments: [
        ("echo a", "[\"a\"] false -"),
        ("echo a b", "[\"a\", \"b\"] false -"),
        ("echo --loud a", "[\"a\"] true -"),
        ("echo a --loud", "[\"a\"] true -"),
        ("echo a --tone low", "[\"a\"] false low"),
        ("echo a --tone=low", "[\"a\"] false low"),
        ("echo a --tone=", "[\"a\"] false "),
        ("echo -- --loud", "[\"--loud\"] false -"),
        ("echo -", "[\"-\"] false -"),
        ("echo twice a", "[\"a\"] false -"),
        ("deep echo a", "[\"a\"] false -"),
    ])
    func `options may stand anywhere, and nothing is one behind two dashes`(_ line: String, _ printed: String)
    {
        #expect(run(line) == (0, printed, ""))
    }

    @Test func `an option comes from its variable, and the command line wins`() {
        #expect(run("echo a", environment: ["TONE": "high"]).1 == "[\"a\"] false high")
        #expect(run("echo a --tone low", environment: ["TONE": "high"]).1 == "[\"a\"] false low")
        #expect(run("echo a", environment: ["TONE": ""]).1 == "[\"a\"] false -")
    }

    @Test(arguments: [
        "", "sing", "echo", "echo a b c", "echo a --soft", "echo a --tone", "echo a --loud=yes", "echo a -l",
        "deep",
        "deep sea",
    ])
    func `a line that makes no sense ends with status 2 and says where to read on`(_ line: String) {
        let (status, printed, complaint) = run(line)
        #expect(status == 2)
        #expect(printed == "")
        #expect(complaint.hasPrefix("opentask: "))
        #expect(complaint.contains("--help"))
    }

    @Test func `each kind of failure has its status`() {
        #expect(run("echo fail") == (1, "", "opentask: as asked"))
        #expect(run("echo alone") == (3, "", "opentask: nobody there"))
        #expect(run("echo wrong") == (78, "", "opentask: set something"))
    }

    @Test(arguments: [
        "--help", "-h", "help", "echo --help", "echo -h", "deep --help", "help deep echo", "echo a --help",
    ])
    func `help is printed, with status 0`(_ line: String) {
        let (status, printed, complaint) = run(line)
        #expect(status == 0)
        #expect(printed.contains("Say it again"))
        #expect(complaint == "")
    }

    @Test func `the help of a command tells its options and their variables`() {
        let help = run("echo --help").1
        for part in [
            "Usage: opentask echo WORD [WORD] [OPTION...]", "--tone T", "(TONE)", "--loud", "--help",
        ] {
            #expect(help.contains(part))
        }
    }
}
