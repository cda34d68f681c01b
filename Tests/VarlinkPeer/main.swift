// varlink-peer SOCKET [INTERFACE]: a service for other people's Varlink clients to talk to, built from the product's
// own Varlink module. Serves org.example.peer, and org.varlink.certification when its text (a file that comes with
// varlink-go and other libraries) is given. Says "ready" on standard output; ends when standard input does.
//
// varlink-peer --certify SOCKET: the other way round, our client against somebody else's org.varlink.certification.
//
// varlink-peer --bench SECONDS: round trips per second of a small call, and of one byte over a socketpair, as JSON.

import Glibc
import JSON
import Sockets
import Varlink

guard CommandLine.arguments.count >= 2 else {
    say("usage: varlink-peer SOCKET [org.varlink.certification.varlink]", to: STDERR_FILENO)
    exit(64)
}

if CommandLine.arguments[1] == "--certify" {
    guard CommandLine.arguments.count == 3 else { exit(64) }
    do {
        let isCertified = try Certification.certify(at: CommandLine.arguments[2])
        say(isCertified ? "certified" : "not certified", to: STDOUT_FILENO)
        exit(isCertified ? 0 : 1)
    } catch let error as VarlinkTransportError where error.kind == .connect {
        exit(69)  // EX_UNAVAILABLE: nobody listens there yet
    }
}

if CommandLine.arguments[1] == "--bench" {
    let rates = try Bench.run(
        seconds: CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 1 : 1)
    say(#"{"varlink_calls_per_s": \#(rates.calls), "socketpair_per_s": \#(rates.bytes)}"#, to: STDOUT_FILENO)
    exit(0)
}

var router = VarlinkRouter(vendor: "Example", product: "Peer", version: "1", url: "https://example.org")
try Peer().register(on: &router)
if CommandLine.arguments.count > 2 {
    guard let bytes = contents(of: CommandLine.arguments[2]) else { exit(66) }
    try Certification().register(on: &router, text: String(decoding: bytes, as: UTF8.self))
}

let server = VarlinkServer(router, permit: VarlinkPermit.owner()) { method, error in
    say("\(method): \(error)", to: STDERR_FILENO)
}
server.serve(try ListeningSocket.unix(path: CommandLine.arguments[1], mode: 0o600))
say("ready", to: STDOUT_FILENO)
while readLine() != nil {}
server.drain(timeoutMilliseconds: 5_000)

/// Unbuffered, unlike `print` into a pipe.
@Sendable func say(_ line: String, to descriptor: Int32) {
    _ = Array("\(line)\n".utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

func contents(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while true {
        let byte = fgetc(file)
        if byte == EOF { return bytes }
        bytes.append(UInt8(byte))
    }
}
