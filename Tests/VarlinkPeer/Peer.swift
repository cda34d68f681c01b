import JSON
import Synchronization
import Varlink

/// org.example.peer: one method for each way in which a call can go.
final class Peer: Sendable {
    private let notes = Mutex<[String]>([])

    static let text = """
        # One method for each way in which a call can go.
        interface org.example.peer

        type Colour (red, green, blue)

        type Thing (
          # What people call it.
          name: string,
          colour: ?Colour,
          sizes: []int,
          weights: [string]float,
          details: ?object
        )

        # Gives back what it gets.
        method Echo(thing: Thing) -> (thing: Thing)

        # Counts from 1 to `to`, one reply each; needs `more`.
        method Count(to: int) -> (number: int)

        # Counts without end, until the caller has gone; needs `more`.
        method CountOn() -> (number: int)

        # Keeps a text; made to be called with `oneway`.
        method Note(text: string) -> ()

        # What was noted.
        method Notes() -> (texts: []string)

        # Answers the error that it is asked for: one of this interface, or a failure.
        method Fail(how: (refused, internal, denied)) -> ()

        # Is described, but not there.
        method Missing() -> ()

        error Refused (reason: string, code: int)

        """

    struct Thing: Codable {
        var name: String
        var colour: Colour?
        var sizes: [Int]
        var weights: [String: Double]
        var details: JSONValue?

        enum Colour: String, Codable { case red, green, blue }
    }

    enum Echo: VarlinkMethod {
        static let name = "org.example.peer.Echo"
        struct Parameters: Codable { var thing: Thing }
        typealias Reply = Parameters
    }

    enum Count: VarlinkMethod {
        static let name = "org.example.peer.Count"
        struct Parameters: Codable { var to: Int }
        struct Reply: Codable { var number: Int }
    }

    enum CountOn: VarlinkMethod {
        static let name = "org.example.peer.CountOn"
        typealias Parameters = VarlinkEmpty
        typealias Reply = Count.Reply
    }

    enum Note: VarlinkMethod {
        static let name = "org.example.peer.Note"
        struct Parameters: Codable { var text: String }
        typealias Reply = VarlinkEmpty
    }

    enum Notes: VarlinkMethod {
        static let name = "org.example.peer.Notes"
        typealias Parameters = VarlinkEmpty
        struct Reply: Codable { var texts: [String] }
    }

    enum Fail: VarlinkMethod {
        static let name = "org.example.peer.Fail"
        struct Parameters: Codable { var how: How }
        typealias Reply = VarlinkEmpty
        enum How: String, Codable { case refused, `internal`, denied }
    }

    struct Broken: Error {}

    func register(on router: inout VarlinkRouter) throws {
        router.add(try VarlinkInterface(parsing: Peer.text))
        router.handle(Echo.self) { parameters, _ in parameters }
        router.stream(Count.self) { parameters, _, replies in
            for number in 1...max(parameters.to, 1) { try replies.send(Count.Reply(number: number)) }
        }
        router.stream(CountOn.self) { _, _, replies in
            var number = 0
            while !replies.isClosed {
                number += 1
                try replies.send(Count.Reply(number: number))
            }
        }
        router.handle(Note.self) { parameters, _ in
            self.notes.withLock { $0.append(parameters.text) }
            return VarlinkEmpty()
        }
        router.handle(Notes.self) { _, _ in Notes.Reply(texts: self.notes.withLock { $0 }) }
        router.handle(Fail.self) { parameters, _ in
            switch parameters.how {
            case .refused: throw VarlinkError("org.example.peer.Refused", ["reason": "asked to", "code": 7])
            case .denied: throw VarlinkError.permissionDenied
            case .internal: throw Broken()
            }
        }
    }
}
