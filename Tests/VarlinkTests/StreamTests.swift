import Sockets
import Synchronization
import Testing
import Varlink

@Suite("Varlink: streams")
struct StreamTests {
    @Test func `a client gets each reply, and the end`() throws {
        let running = try Running()
        let client = running.client()
        for number in [0, 1, 1_000] {
            var got: [Int] = []
            try client.stream(Service.Count.self, Service.Number(number: number)) { reply in
                got.append(reply.number)
                return true
            }
            #expect(got == Array(0..<number))
        }
        #expect(running.server.connectionCount == 1)  // one after the other, on the same connection
    }

    @Test func `a real last reply is handed over`() throws {
        let running = try Running()
        var got: [Int] = []
        try running.client().stream(Service.Last.self, Service.Number(number: 3)) { reply in
            got.append(reply.number)
            return true
        }
        #expect(got == [0, 1, 2, 3])
    }

    @Test func `replies come as they are sent, not one late`() throws {
        let running = try Running()
        let client = running.client()
        var got: [Int] = []
        running.service.tick.signal()
        try client.stream(Service.Watch.self, VarlinkEmpty()) { reply in
            got.append(reply.number)
            running.service.tick.signal()
            return got.count < 100
        }
        #expect(got == Array(0..<100))
    }

    @Test func `a handler that waits is woken when its client leaves`() throws {
        let running = try Running()
        let client = running.client()
        running.service.tick.signal()
        try client.stream(Service.Watch.self, VarlinkEmpty()) { _ in false }
        #expect(try running.service.watchEnded.wait(until: Deadline(milliseconds: 300_000)))
        #expect(try client.call(Service.Echo.self, Service.Text(text: "next")).text == "next")
    }

    @Test func `a client that throws in the middle leaves the stream`() throws {
        struct Enough: Error, Equatable {}
        let running = try Running()
        let client = running.client()
        running.service.tick.signal()
        #expect(throws: Enough()) {
            try client.stream(Service.Watch.self, VarlinkEmpty()) { _ in throw Enough() }
        }
        #expect(try running.service.watchEnded.wait(until: Deadline(milliseconds: 300_000)))
    }

    @Test func `a stream and calls go on side by side`() throws {
        let running = try Running()
        let client = running.client()
        running.service.tick.signal()
        var count = 0
        try client.stream(Service.Watch.self, VarlinkEmpty()) { _ in
            count += 1
            let reply = try client.call(Service.Echo.self, Service.Text(text: "\(count)"))
            #expect(reply.text == "\(count)")
            running.service.tick.signal()
            return count < 10
        }
        #expect(running.service.echoed.withLock { $0 } == (1...10).map(String.init))
    }

    @Test func `a stopping server ends its streams properly`() throws {
        let running = try Running()
        let client = running.client()
        let outcome = Mutex<String?>(nil)
        let began = try WakeEvent()
        let ended = try WakeEvent()
        running.service.tick.signal()
        try WorkerThread.start("watcher") {
            do {
                try client.stream(Service.Watch.self, VarlinkEmpty()) { _ in
                    began.signal()
                    return true
                }
                outcome.withLock { $0 = "ended" }
            } catch {
                outcome.withLock { $0 = "\(error)" }
            }
            ended.signal()
        }
        #expect(try began.wait(until: Deadline(milliseconds: 300_000)))
        running.server.drain(timeoutMilliseconds: 300_000)
        #expect(try ended.wait(until: Deadline(milliseconds: 300_000)))
        #expect(outcome.withLock { $0 } == "ended")
    }

    @Test func `closing a client ends its stream in another thread`() throws {
        let running = try Running()
        let client = running.client()
        let kind = Mutex<VarlinkTransportError.Kind?>(nil)
        let began = try WakeEvent()
        let ended = try WakeEvent()
        running.service.tick.signal()
        try WorkerThread.start("watcher") {
            do {
                try client.stream(Service.Watch.self, VarlinkEmpty()) { _ in
                    began.signal()
                    return true
                }
            } catch let error as VarlinkTransportError {
                kind.withLock { $0 = error.kind }
            } catch {}
            ended.signal()
        }
        #expect(try began.wait(until: Deadline(milliseconds: 300_000)))
        client.close()
        #expect(try ended.wait(until: Deadline(milliseconds: 300_000)))
        #expect(kind.withLock { $0 } == .closed)
        #expect(throws: VarlinkTransportError.self) {
            try client.call(Service.Echo.self, Service.Text(text: "a"))
        }
    }
}
