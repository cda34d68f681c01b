import Dispatch
import Glibc
import HTTPServer
import Synchronization
import Testing

@Suite("WebServer.drain")
struct DrainTests {
    private var patient: HTTPLimits {
        var limits = HTTPLimits()
        limits.idleGraceMilliseconds = 60_000
        return limits
    }

    @Test func `a request under way gets its answer, with word that the connection ends`() throws {
        let entered = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        let server = try TestServer { _ in
            entered.signal()
            return .text(go.arrives() ? "late" : "never")
        }
        let client = try server.connect()
        try client.send(client.request("POST", "/", body: "x"))
        #expect(entered.arrives())
        let web = server.web
        let drained = onThread { web.drain(timeoutMilliseconds: 20_000) }
        go.signal()
        let answer = try client.answer()
        #expect(answer.text == "late")
        #expect(client.isAtEnd())
        #expect(drained.arrives())
    }

    @Test func `a request that comes on an idle connection while draining is answered`() throws {
        let server = try TestServer(limits: patient) { _ in .text("answered") }
        let clients = try (0..<10).map { _ in try server.connect() }
        for client in clients { #expect(try client.exchange("GET", "/").header("Connection") == nil) }
        let web = server.web
        let drained = onThread { web.drain(timeoutMilliseconds: 120_000) }
        for client in clients {
            // The drain may not have begun when the first of these arrives.
            var answer = try client.exchange("POST", "/", body: "x")
            while answer.header("Connection") == nil { answer = try client.exchange("POST", "/", body: "x") }
            #expect(answer.text == "answered")
            #expect(answer.header("Connection") == "close")
            #expect(client.isAtEnd())
        }
        #expect(drained.arrives())
    }

    @Test func `an idle connection is closed in order after the grace`() throws {
        let server = try TestServer { _ in .text("answered") }
        let client = try server.connect()
        #expect(try client.exchange("GET", "/").text == "answered")
        let silent = try server.connect()
        server.web.drain(timeoutMilliseconds: 10_000)
        #expect(client.isAtEnd())
        _ = silent
    }

    @Test func `a body that is still coming is waited for`() throws {
        let server = try TestServer { .text("\($0.body.count)") }
        let client = try server.connect()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.head().status == 100)
        let other = try server.connect()
        #expect(try other.exchange("GET", "/").text == "0")
        let web = server.web
        let drained = onThread { web.drain(timeoutMilliseconds: 20_000) }
        // The other one is idle and is closed after the grace; so the drain is past it.
        #expect(other.isAtEnd())
        try client.send("0123456789")
        #expect(try client.answer().text == "10")
        #expect(drained.arrives())
    }

    @Test func `streams end after what was sent, and their connections are closed`() throws {
        let streams = Mutex<[HTTPStream]>([])
        let server = try TestServer { _ in
            let stream = HTTPStream()
            streams.withLock { $0.append(stream) }
            return HTTPResponse(status: 200, body: .stream(stream))
        }
        let clients = try (0..<20).map { _ in
            let client = try server.connect()
            try client.send(client.request("GET", "/"))
            _ = try client.head()
            return client
        }
        for stream in streams.withLock({ $0 }) { stream.send(Array("last words".utf8)) }
        server.web.drain(timeoutMilliseconds: 10_000)
        for client in clients {
            #expect(try client.chunk() == Array("last words".utf8))
            #expect(try client.chunk() == nil)
            #expect(client.isAtEnd())
        }
        #expect(streams.withLock { $0.allSatisfy(\.isClosed) })
    }

    @Test func `at its end a drain cuts off whoever does not read`() throws {
        let server = try TestServer { _ in
            HTTPResponse(status: 200, body: .bytes([UInt8](repeating: 0, count: 50_000_000)))
        }
        let client = try RawClient(port: server.port, receiveBuffer: 4096)
        try client.send(client.request("GET", "/"))
        _ = try client.head()
        server.web.drain(timeoutMilliseconds: 100)
        #expect(client.readAll() < 50_000_000)
    }

    @Test func `the listening socket stays open, and who connects meanwhile is served by the next`() throws {
        let server = try TestServer { _ in .text("first") }
        #expect(try server.connect().exchange("GET", "/").text == "first")
        server.web.drain(timeoutMilliseconds: 5000)
        let waiting = try server.connect()
        try waiting.send(waiting.request("GET", "/"))
        let next = WebServer(handler: Answers { _ in .text("second") }, threads: 2)
        try next.serve(listening: server.listening)
        #expect(try waiting.answer().text == "second")
        next.drain(timeoutMilliseconds: 5000)
    }

    @Test func `under load, restart after restart, no request is lost and none is done twice`() throws {
        let (listening, port) = try listenOnLoopback()
        defer { close(listening) }
        let done = Mutex<[Int: Int]>([:])
        let answers = Answers { request in
            let number = Int(String(decoding: request.body, as: UTF8.self)) ?? -1
            done.withLock { $0[number, default: 0] += 1 }
            return .text("\(number)")
        }
        let stop = Atomic(false)
        let failures = Mutex<[String]>([])
        let sent = Atomic(0)
        var web = WebServer(handler: answers, threads: 4)
        try web.serve(listening: listening)
        let loads = (0..<16).map { _ in
            onThread {
                var client: RawClient?
                while !stop.load(ordering: .relaxed) {
                    let number = sent.add(1, ordering: .relaxed).newValue
                    do {
                        let open = try client ?? RawClient(port: port)
                        let answer = try open.exchange("POST", "/", body: "\(number)")
                        if answer.text != "\(number)" { failures.withLock { $0.append(answer.text) } }
                        client = answer.header("Connection") == "close" ? nil : open
                    } catch {
                        failures.withLock { $0.append("\(number): \(error)") }
                        client = nil
                    }
                }
            }
        }
        for _ in 0..<20 {
            // Some hundred requests each, so that every restart meets traffic.
            let goal = done.withLock { $0.count } + 300
            while done.withLock({ $0.count }) < goal { sched_yield() }
            web.drain(timeoutMilliseconds: 10_000)
            web = WebServer(handler: answers, threads: 4)
            try web.serve(listening: listening)
        }
        stop.store(true, ordering: .relaxed)
        for load in loads { #expect(load.arrives()) }
        web.drain(timeoutMilliseconds: 10_000)
        #expect(failures.withLock { $0 } == [])
        #expect(done.withLock { $0.count } == sent.load(ordering: .relaxed))
        #expect(done.withLock { $0.values.allSatisfy { $0 == 1 } })
    }
}
