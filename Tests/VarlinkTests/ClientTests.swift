import JSON
import Sockets
import Synchronization
import TestSupport
import Testing
import Varlink

@Suite("Varlink: the client")
struct ClientTests {
    /// A server that reads one message on each connection and answers with bytes as they are given, then does `next`.
    private func peer(
        answering bytes: [String], then next: @escaping @Sendable (StreamSocket) -> Void = { $0.close() }
    ) throws -> (folder: TemporaryFolder, path: String) {
        let folder = TemporaryFolder()
        let listener = try ListeningSocket.unix(path: folder.file("socket"))
        try WorkerThread.start("peer") {
            for answer in bytes {
                guard let socket = try? listener.accept(until: WakeEvent()) else { return }
                var frames = MessageFrames(limit: 1 << 20)
                _ = try? frames.next(from: socket)
                try? socket.write(Array(answer.utf8))
                next(socket)
            }
        }
        return (folder, folder.file("socket"))
    }

    private let text = Service.Text(text: "a")

    @Test func `calls use one connection, one after the other`() throws {
        let running = try Running()
        let client = running.client()
        for number in 0..<100 {
            #expect(try client.call(Service.Echo.self, Service.Text(text: "\(number)")).text == "\(number)")
        }
        #expect(running.server.connectionCount == 1)
    }

    @Test func `calls from many threads get their own replies`() throws {
        let running = try Running()
        let client = running.client()
        let wrong = Mutex<[String]>([])
        let ended = try (0..<8).map { _ in try WakeEvent() }
        for (caller, event) in ended.enumerated() {
            try WorkerThread.start("caller") {
                for number in 0..<100 {
                    let text = "\(caller)/\(number)"
                    let reply = try? client.call(Service.Echo.self, Service.Text(text: text)).text
                    if reply != text { wrong.withLock { $0.append("\(text): \(reply ?? "failed")") } }
                }
                event.signal()
            }
        }
        for event in ended { #expect(try event.wait(until: Deadline(milliseconds: 300_000))) }
        #expect(wrong.withLock { $0 } == [])
        #expect(running.service.echoed.withLock { $0.count } == 800)
    }

    @Test func `a service that was started again is called again`() throws {
        let running = try Running()
        let client = running.client()
        _ = try client.call(Service.Echo.self, text)
        running.server.drain(timeoutMilliseconds: 300_000)
        let next = try running.successor()
        #expect(try client.call(Service.Echo.self, text).text == "a")
        next.drain(timeoutMilliseconds: 300_000)
        #expect(running.service.echoed.withLock { $0.count } == 2)
    }

    @Test func `error replies are thrown as they are`() throws {
        let running = try Running()
        let client = running.client()
        #expect(throws: VarlinkError("org.example.test.Refused", ["reason": "asked to"])) {
            try client.call(Service.Fail.self, Service.Text(text: "refused"))
        }
        #expect(throws: VarlinkError.expectedMore) {
            try client.call(Service.Count.self, Service.Number(number: 1))
        }
        #expect(throws: VarlinkError.methodNotImplemented("org.example.test.Missing")) {
            try client.call(Service.Missing.self, VarlinkEmpty())
        }
    }

    @Test func `a method can be called by its name`() throws {
        let running = try Running()
        let client = running.client()
        #expect(try client.call(raw: "org.example.test.Echo", ["text": "a"]) == ["text": "a"])
        #expect(throws: VarlinkError.invalidParameter("text")) {
            try client.call(raw: "org.example.test.Echo")
        }
        #expect(throws: VarlinkError.interfaceNotFound("a \"quoted\"")) {
            try client.call(raw: "a \"quoted\".Name")
        }
        var replies: [JSONValue] = []
        try client.stream(raw: "org.example.test.Count", ["number": 2]) {
            replies.append($0)
            return true
        }
        #expect(replies == [["number": 0], ["number": 1]])
    }

    @Test func `nobody listening is a failure to connect`() throws {
        let folder = TemporaryFolder()
        let client = VarlinkClient(path: folder.file("none"))
        let error = #expect(throws: VarlinkTransportError.self) { try client.call(Service.Echo.self, text) }
        #expect(error?.kind == .connect)
        #expect(error?.wasSent == false)
    }

    @Test func `a connection that ends before the reply is not asked again`() throws {
        let peer = try peer(answering: ["", "", ""])
        let error = #expect(throws: VarlinkTransportError.self) {
            try VarlinkClient(path: peer.path).call(Service.Echo.self, text)
        }
        #expect(error?.kind == .closed)
        #expect(error?.wasSent == true)
    }

    @Test func `a connection that ends within the reply is closed too`() throws {
        let peer = try peer(answering: [#"{"parameters":{"te"#])
        let error = #expect(throws: VarlinkTransportError.self) {
            try VarlinkClient(path: peer.path).call(Service.Echo.self, text)
        }
        #expect(error?.kind == .closed)
    }

    @Test func `a reply that does not come in time ends the call, and its connection`() throws {
        let running = try Running()
        let client = running.client()
        let error = #expect(throws: VarlinkTransportError.self) {
            try client.call(Service.Hold.self, VarlinkEmpty(), timeoutMilliseconds: 1)
        }
        #expect(error?.kind == .timeout)
        running.service.release.signal()
        // The late reply is not taken for this call's.
        #expect(try client.call(Service.Echo.self, text).text == "a")
    }

    @Test(arguments: [
        "nonsense\0", "[]\0", "\0", "\u{FF}\u{FE}{\0", #"{"parameters":[]}"# + "\0",
        #"{"continues":1}"# + "\0",
        #"{"error":1}"# + "\0", #"{"parameters":{}}"# + "\0", #"{"parameters":{"text":1}}"# + "\0",
        #"{"parameters":{"text":"a"},"continues":true}"# + "\0",
    ])
    func `a reply that is none, or of another type, is a breach of protocol`(answer: String) throws {
        let peer = try peer(answering: [answer])
        let error = #expect(throws: VarlinkTransportError.self) {
            try VarlinkClient(path: peer.path).call(Service.Echo.self, text)
        }
        #expect(error?.kind == .protocol)
    }

    @Test func `a reply beyond the limit is refused`() throws {
        let peer = try peer(answering: [
            #"{"parameters":{"text":"\#(String(repeating: "x", count: 200))"}}"# + "\0"
        ])
        let client = VarlinkClient(path: peer.path, limits: VarlinkLimits(messageBytes: 100))
        let error = #expect(throws: VarlinkTransportError.self) { try client.call(Service.Echo.self, text) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.wasSent == true)
    }

    @Test func `a request beyond the limit is not sent`() throws {
        let running = try Running()
        let client = VarlinkClient(path: running.path, limits: VarlinkLimits(messageBytes: 100))
        let long = Service.Text(text: String(repeating: "x", count: 100))
        let error = #expect(throws: VarlinkTransportError.self) { try client.call(Service.Echo.self, long) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.wasSent == false)
        #expect(running.service.echoed.withLock { $0.isEmpty })
    }

    @Test func `a connection on which bytes came unasked is not used again`() throws {
        let reply = #"{"parameters":{"text":"a"}}"# + "\0"
        let peer = try peer(
            answering: [reply + #"{"parameters":{"text":"stray"}}"# + "\0", reply], then: { _ in })
        let client = VarlinkClient(path: peer.path)
        #expect(try client.call(Service.Echo.self, text).text == "a")
        #expect(try client.call(Service.Echo.self, text).text == "a")
    }
}
