import JSON
import Sockets
import Synchronization
import Testing
import Varlink

@Suite("Varlink: a server that stops")
struct DrainTests {
    /// Drains on another thread; the event says that it has returned.
    private func drain(_ server: VarlinkServer) throws -> WakeEvent {
        let done = try WakeEvent()
        try WorkerThread.start("drain") {
            server.drain(timeoutMilliseconds: 300_000)
            done.signal()
        }
        return done
    }

    private let soon = Deadline(milliseconds: 300_000)

    @Test func `calls that have arrived are answered, then the connection ends`() throws {
        let running = try Running()
        var connection = try running.connect()
        try connection.write(#"{"method":"org.example.test.Hold"}"# + "\0")
        #expect(try running.service.held.wait(until: soon))
        // These two arrive while the first is worked on, and before the stop.
        let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0"
        try connection.write(echo + echo)
        let done = try drain(running.server)
        // From here on nothing more is taken: the other side's writes fail, so it knows.
        #expect(waitUntilWritesFail(connection.socket.fd))
        running.service.release.signal()
        #expect(try connection.reply() == ["parameters": ["number": 1]])
        #expect(try connection.reply() == ["parameters": ["text": "a"]])
        #expect(try connection.reply() == ["parameters": ["text": "a"]])
        #expect(try connection.reply() == nil)
        #expect(try done.wait(until: soon))
        #expect(running.server.connectionCount == 0)
    }

    @Test func `idle connections do not hold it up`() throws {
        let running = try Running()
        var idle = try (0..<5).map { _ in try running.connect() }
        // The server has them once each has been answered.
        for index in idle.indices {
            try idle[index].write(#"{"method":"org.example.test.Echo","parameters":{"text":"a"}}"# + "\0")
            _ = try idle[index].reply()
        }
        running.server.drain(timeoutMilliseconds: 300_000)
        for index in idle.indices { #expect(try idle[index].reply() == nil) }
        #expect(running.server.connectionCount == 0)
    }

    @Test func `a handler that does not end is left behind when the time is over`() throws {
        let running = try Running()
        var connection = try running.connect()
        try connection.write(#"{"method":"org.example.test.Hold"}"# + "\0")
        #expect(try running.service.held.wait(until: soon))
        running.server.drain(timeoutMilliseconds: 1)
        #expect(try connection.reply() == nil)
        running.service.release.signal()
    }

    @Test func `who calls while nobody accepts is answered by the next server`() throws {
        let running = try Running()
        running.server.drain(timeoutMilliseconds: 300_000)
        var connection = try running.connect()
        try connection.write(#"{"method":"org.example.test.Echo","parameters":{"text":"waited"}}"# + "\0")
        let next = try running.successor()
        #expect(try connection.reply() == ["parameters": ["text": "waited"]])
        next.drain(timeoutMilliseconds: 300_000)
    }

    @Test func `swapping servers under load loses no call, repeats none and fails none`() throws {
        let running = try Running()
        let client = running.client()
        let swaps = 30
        let stop = Mutex(false)
        defer { stop.withLock { $0 = true } }
        let progress = try WakeEvent()
        let results = Mutex<(sent: [String], failed: [String])>(([], []))
        let ended = try (0..<4).map { _ in try WakeEvent() }
        for (caller, event) in ended.enumerated() {
            try WorkerThread.start("caller") {
                var number = 0
                while !stop.withLock({ $0 }) {
                    let text = "\(caller)/\(number)"
                    do {
                        let reply = try client.call(Service.Echo.self, Service.Text(text: text))
                        results.withLock {
                            reply.text == text ? $0.sent.append(text) : $0.failed.append(text)
                        }
                    } catch {
                        results.withLock { $0.failed.append("\(text): \(error)") }
                    }
                    number += 1
                    progress.signal()
                }
                event.signal()
            }
        }
        var server = running.server
        for _ in 0..<swaps {
            // Each server answers at least some: the load is on while it stops.
            let before = results.withLock { $0.sent.count }
            while results.withLock({ $0.sent.count }) < before + 20 {
                try #require(try progress.wait(until: soon))
                progress.clear()
            }
            server.drain(timeoutMilliseconds: 300_000)
            server = try running.successor()
        }
        stop.withLock { $0 = true }
        for event in ended { #expect(try event.wait(until: soon)) }
        server.drain(timeoutMilliseconds: 300_000)
        let (sent, failed) = results.withLock { $0 }
        #expect(failed == [])
        #expect(running.service.echoed.withLock { $0.sorted() } == sent.sorted())
    }
}
