import ApiService
import Dispatch
import Domain
import Interfaces
import JSON
import Sockets
import Synchronization
import Testing
import Time
import Varlink

/// What a service beside the api has got.
private final class Book: Sendable {
    /// How a call of Deliver goes.
    enum Mood: Sendable {
        case takes
        /// Has nothing of it.
        case fails
        /// Has it durably, but its reply is lost.
        case losesReply
        /// Takes the first message only.
        case takesOne
    }

    private let moods: Mutex<[Mood]>
    private let calls = Mutex<[[Push.Message]]>([])
    private let pokes = Mutex(0)
    private let news = DispatchSemaphore(value: 0)

    /// - Parameter moods: of the first calls; later ones are taken.
    init(_ moods: [Mood] = []) { self.moods = Mutex(moods) }

    func deliver(_ messages: [Push.Message]) throws -> [String] {
        let mood = moods.withLock { $0.isEmpty ? .takes : $0.removeFirst() }
        calls.withLock { $0.append(messages) }
        news.signal()
        switch mood {
        case .takes: return messages.map(\.id)
        case .takesOne: return [messages[0].id]
        case .fails, .losesReply: throw VarlinkError(Push.Errors.storeFailed, ["detail": "test"])
        }
    }

    func poke() {
        pokes.withLock { $0 += 1 }
        news.signal()
    }

    var all: [[Push.Message]] { calls.withLock { $0 } }
    var pokeCount: Int { pokes.withLock { $0 } }

    func wait(_ what: String, until condition: () -> Bool) throws {
        while !condition() {
            guard news.wait(timeout: .now() + 20) == .success || condition() else {
                throw Missing(description: what)
            }
        }
    }
}

/// A service on its socket in the bench's folder, until it goes.
private final class Neighbour {
    private let server: VarlinkServer

    init(_ bench: Bench, _ socket: String, _ book: Book) throws {
        var router = VarlinkRouter(vendor: "", product: "test", version: "", url: "")
        router.handle(Push.Deliver.self) { parameters, _ in
            .init(accepted: try book.deliver(parameters.messages))
        }
        router.handle(Push.GetVapidKey.self) { _, _ in .init(publicKey: "key", configured: true) }
        router.handle(Push.TestWebPush.self) { parameters, _ in
            .init(sent: parameters.endpoint == nil, reason: parameters.endpoint.map { "not \($0)" })
        }
        router.handle(EnrichControl.Poke.self) { _, _ in
            book.poke()
            return VarlinkEmpty()
        }
        server = VarlinkServer(router, permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: "\(bench.folder)/run/\(socket).sock"))
    }

    deinit { server.drain(timeoutMilliseconds: 5000) }
}

@Suite("The outbox leaves: at least once, in order, each message with an id of its own")
struct OutboxDeliveryTests {
    @Test func `what was committed arrives in the order of the commits, once while all goes well`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let book = Book()
        let push = try Neighbour(bench, "push", book)
        let service = try Service(bench.parts)
        defer { service.stop() }
        for _ in 1...30 {
            let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
            try bench.act("done", id, as: ann)
        }
        try book.wait("90 messages") { book.all.joined().count == 90 }
        try bench.wait("an empty outbox") { try bench.outbox().isEmpty }
        let ids = book.all.joined().map(\.id)
        #expect(Set(ids).count == 90)
        let numbers = ids.compactMap { $0.split(separator: "-").last.flatMap { Int($0) } }
        #expect(numbers == numbers.sorted() && numbers.count == 90)
        #expect(Set(ids.compactMap { $0.split(separator: "-").first }).count == 1, "one instance, one prefix")
        let kinds = book.all.joined().map(\.kind)
        #expect(kinds == (1...30).flatMap { _ in [.badge, .dismiss, .badge] as [Push.Message.Kind] })
        _ = push
    }

    @Test func `what push did not take, or whose reply was lost, comes again under the same ids`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for _ in 1...3 { try bench.make("x", ["due_at": .local("09:00")], by: ann) }
        let book = Book([.fails, .losesReply, .takesOne])
        let push = try Neighbour(bench, "push", book)
        let service = try Service(bench.parts)
        defer { service.stop() }
        try bench.wait("an empty outbox") { try bench.outbox().isEmpty }
        let calls = book.all.map { $0.map(\.id) }
        #expect(calls.count == 4)
        #expect(calls[0].count == 3)
        #expect(calls[1] == calls[0])
        #expect(calls[2] == calls[0])
        #expect(calls[3] == Array(calls[0].dropFirst()))
        #expect(
            bench.log.all.count { $0.contains("push does not take messages") } == 1, "a state is logged once")
        #expect(bench.log.all.contains { $0.contains("push takes messages again") })
        _ = push
    }

    @Test func `a push that comes late gets what waited, also from an api that was restarted`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let first = try Service(bench.parts)
        try bench.make("a", ["due_at": .local("09:00")], by: ann)
        first.stop()
        #expect(try bench.outbox().count == 1)
        let second = try Service(bench.parts)
        defer { second.stop() }
        try bench.make("b", ["due_at": .local("09:00")], by: ann)
        let book = Book()
        let push = try Neighbour(bench, "push", book)
        try bench.make("c", ["due_at": .local("09:00")], by: ann)
        try bench.wait("an empty outbox") { try bench.outbox().isEmpty }
        #expect(book.all.joined().compactMap(\.badge) == [1, 2, 3])
        _ = push
    }

    @Test func `A81, A82: the key and the test come from push`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let push = try Neighbour(bench, "push", Book())
        let key = try bench.call("GET", "/api/push/vapid-key")
        #expect(key.data == ["publicKey": "key", "configured": true])
        #expect(try bench.call("POST", "/api/push/test", as: ann).data == ["sent": true])
        let one = try bench.call("POST", "/api/push/test", ["endpoint": "https://p.example/x"], as: ann)
        #expect(one.data == ["sent": false, "reason": "not https://p.example/x"])
        _ = push
    }

    @Test func `a text that is typed pokes the enrich service at once, and one that waits when that comes`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let book = Book()
        let service = try Service(bench.parts)
        defer { service.stop() }
        _ = try bench.call("POST", "/api/tasks", ["title": "waits"], as: ann)
        let enrich = try Neighbour(bench, "enrich", book)
        _ = try bench.call("POST", "/api/tasks", ["title": "call bob"], as: ann)
        try book.wait("a poke") { book.pokeCount > 0 }
        _ = enrich
    }
}
