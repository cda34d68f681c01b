import Interfaces

/// `opentask user add NAME`
public struct UserAdd: Subcommand {
    public let words = ["user", "add"]
    public let operands = "NAME"
    public let operandCount = 1...1
    public let summary = "Add a user; a password that was made up is printed once"
    public let details = "Only on the machine itself."
    public let options =
        Which.local + [
            Which.json,
            Option(
                "password", "P", variable: "OPENTASK_PASSWORD",
                help: "better given by the variable than seen by `ps`"),
            Option("timezone", "ZONE", help: "an IANA name, this machine's by default"),
            Option("email", "ADDRESS", help: "may be used to sign in, too"),
        ]

    public init() {}

    public func run(_ call: Invocation) throws {
        let timezone = try call.option("timezone") ?? MachineZone.name()
        let reply = try RunFolder(call).client("api.sock").call(
            Local.AddUser.self,
            .init(
                name: call.operands[0], password: call.option("password"), timezone: timezone,
                email: call.option("email")))
        if call.wantsJSON { return call.print(try json(reply)) }
        let password = reply.password.map { ", password \($0)" } ?? ""
        call.print("Added user \(call.operands[0])\(password)")
    }
}

/// `opentask token create USER [LABEL]`
public struct TokenCreate: Subcommand {
    public let words = ["token", "create"]
    public let operands = "USER [LABEL]"
    public let operandCount = 1...2
    public let summary = "Make a token for scripts and other clients, and print it alone"
    public let details =
        "Only on the machine itself. The token is shown this once; it has all rights of its user."
    public let options = Which.local + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let label = call.operands.count > 1 ? call.operands[1] : "opentask"
        let reply = try RunFolder(call).client("api.sock").call(
            Local.CreateToken.self, .init(user: call.operands[0], label: label))
        call.print(call.wantsJSON ? try json(reply) : reply.token)
    }
}
