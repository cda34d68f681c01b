import Interfaces

/// `opentask vapid`
public struct Vapid: Subcommand {
    public let words = ["vapid"]
    public let summary = "Print the public key that browsers subscribe with"
    public let options = Which.local + [Which.json]

    public init() {}

    public func run(_ call: Invocation) throws {
        let reply = try RunFolder(call).client("push.sock").call(Push.GetVapidKey.self, .init())
        if call.wantsJSON { return call.print(try json(reply)) }
        guard reply.configured else {
            throw CommandFailure.failed("Web Push has no key: the log of opentask-push says why")
        }
        call.print(reply.publicKey)
    }
}
