// bench-loops: the loops that `make bench` times, in Swift because their peers must not pay for another language.
//
//   bench-loops serve SOCKET           answers Varlink on SOCKET and raw bytes on SOCKET.raw, until standard input ends
//   bench-loops varlink SOCKET SECONDS calls the first, one call after the other
//   bench-loops raw SOCKET SECONDS     sends the same bytes to the second, and reads as many back
//   bench-loops webpush SECONDS        encrypts Web Push messages with the product's module
//   bench-loops ecdh SECONDS           makes keys and derives secrets with libcrypto alone
//
// The last four print how often they got round per second.

import Glibc
import Sockets

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.count) {
case ("serve", 2): try EchoService.serve(at: words[1])
case ("varlink", 3): report(try roundTrips(varlink: words[1], for: seconds(words[2])))
case ("raw", 3): report(try roundTrips(raw: words[1], for: seconds(words[2])))
case ("webpush", 2): report(try webPushMessages(for: seconds(words[1])))
case ("ecdh", 2): report(bareExchanges(for: seconds(words[1])))
default: exit(64)
}

func seconds(_ text: String) -> Double {
    guard let seconds = Double(text), seconds > 0 else { exit(64) }
    return seconds
}

func report(_ perSecond: Double) {
    print(perSecond)
}

/// Runs `body` for this long, after a tenth of it that is not counted.
///
/// - Returns: rounds per second.
func rate(over seconds: Double, _ body: () throws -> Void) rethrows -> Double {
    func rounds(_ seconds: Double) throws -> Double {
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        var rounds = 0
        var now = start
        while now < end {
            // The clock costs tens of nanoseconds, a round some microseconds.
            for _ in 0..<16 { try body() }
            rounds += 16
            now = .now
        }
        return Double(rounds) / ((now - start) / .seconds(1))
    }
    _ = try rounds(seconds / 10)
    return try rounds(seconds)
}
