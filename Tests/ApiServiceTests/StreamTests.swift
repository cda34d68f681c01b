import Dispatch
import Domain
import JSON
import Testing
import Time

@Suite("A94, api 4 The event stream", .serialized)
struct StreamTests {
    private let connected = EventReader.Event(id: nil, data: ["type": "connected"])

    @Test func `what is committed comes in order, with ids, to its user alone`() throws {
        let live = try LiveBench()
        let bob = try live.bench.add("bob")
        let reader = try live.open()
        #expect(reader.head.hasPrefix("HTTP/1.") && reader.head.contains(" 200 "))
        let head = reader.head.lowercased()
        #expect(head.contains("content-type: text/event-stream"))
        #expect(head.contains("cache-control: no-cache, no-transform"))
        #expect(head.contains("x-accel-buffering: no"))
        #expect(try reader.next() == connected)
        try live.make("bob's", by: bob)
        let id = try live.make("mine")
        #expect(try reader.next() == .init(id: 3, data: ["type": "sync"]))
        #expect(
            try reader.next()
                == .init(id: 4, data: ["type": "task_created", "taskId": .int(id), "title": "mine"]))
    }

    @Test func `D40: a change in a shared project is told to everybody who sees it`() throws {
        let live = try LiveBench()
        let bob = try live.bench.add("bob")
        let project = try live.bench.call(
            "POST", "/api/projects", ["name": "House", "shared": true], as: live.ann
        ).id
        let reader = try live.open(bob)
        #expect(try reader.next() == connected)
        try live.bench.make("x", ["project_id": .int(project)], by: live.ann)
        #expect(try reader.next()?.data == ["type": "sync"])
    }

    @Test func `Last-Event-ID brings what was missed, once and in order, and then what comes`() throws {
        let live = try LiveBench()
        let first = try live.open()
        #expect(try first.next() == connected)
        try live.make("one")
        let seen = try unwrap(try first.next()?.id)
        first.hangUp()
        try live.make("two")
        try live.make("three")
        let reader = try live.open(after: "\(seen)")
        #expect(try reader.next() == connected)
        var titles: [JSONValue?] = []
        for _ in 1...5 {
            let event = try unwrap(try reader.next())
            titles.append(event.data["title"])
        }
        #expect(titles == ["one", nil, "two", nil, "three"])
        try live.make("four")
        #expect(try reader.next()?.data == ["type": "sync"])
        #expect(try reader.next()?.data["title"] == "four")
        let atEnd = try live.open(after: "8")
        #expect(try atEnd.next() == connected)
        try live.make("five")
        #expect(try atEnd.next()?.id == 9, "nothing was missed")
    }

    @Test(arguments: ["999", "-3", "x", "", "0"])
    func `an id that is unknown, or no longer kept, brings one resync`(_ id: String) throws {
        let live = try LiveBench()
        try live.make("one")
        try live.bench.change("DELETE FROM event WHERE id < 2")
        let reader = try live.open(after: id)
        #expect(try reader.next() == connected)
        #expect(try reader.next() == .init(id: 2, data: ["type": "resync"]))
        try live.make("two")
        #expect(try reader.next()?.id == 3)
    }

    @Test func `whoever is too far behind loads everything anew instead of being cut off again and again`()
        throws
    {
        let live = try LiveBench()
        let title = String(repeating: "x", count: 9000)
        for _ in 1...40 { try live.make(title) }
        let reader = try live.open(after: "1")
        #expect(try reader.next() == connected)
        #expect(try reader.next()?.data == ["type": "resync"])
    }

    @Test func `sync events in a row are one, with the last id`() throws {
        let live = try LiveBench()
        let id = try live.make("x")
        for priority in 1...4 { try live.bench.patch(id, ["priority": .int(Int64(priority))], as: live.ann) }
        let reader = try live.open(after: "2")
        #expect(try reader.next() == connected)
        #expect(try reader.next() == .init(id: 6, data: ["type": "sync"]))
        try live.make("y")
        #expect(try reader.next()?.id == 7)
    }

    @Test func `a page that reads nothing is cut off, and the others go on`() throws {
        let live = try LiveBench()
        let lazy = try live.open()
        let reader = try live.open()
        #expect(try reader.next() == connected)
        let title = String(repeating: "x", count: 9000)
        // More than the kernel takes for the lazy one and the stream keeps for it.
        for index in 1...1200 {
            try live.make(title)
            #expect(try reader.next()?.data == ["type": "sync"], "\(index)")
            #expect(try reader.next()?.data["type"] == "task_created")
        }
        var had = 0
        while try lazy.next() != nil { had += 1 }
        #expect(lazy.isEnded && had < 2400)
        let other = try live.open()
        #expect(try other.next() == connected)
        try live.make("x")
        #expect(try other.next()?.data == ["type": "sync"])
    }

    @Test func `a heartbeat every 30 s; a session or token that is gone ends its stream there`() throws {
        let live = try LiveBench()
        var browser = Browser(live.bench)
        _ = try browser.signIn()
        let bob = try live.bench.add("bob")
        let page = try live.open(cookie: try unwrap(browser.session))
        let script = try live.open(bob)
        let other = try live.open()
        for reader in [page, script, other] { #expect(try reader.next() == connected) }
        live.bench.advance(seconds: 31)
        try live.make("wakes the thread that looks at the clock")
        #expect(try other.next()?.data == ["type": "sync"])
        #expect(try other.next()?.data["type"] == "task_created")
        #expect(try other.heartbeat())
        #expect(try script.heartbeat())

        let csrf = try unwrap(try browser.call("GET", "/api/auth/csrf").body?["csrfToken"]?.string)
        _ = try browser.call("POST", "/api/auth/signout", form: ["csrfToken": csrf, "json": "true"])
        let tokens = try live.bench.call("GET", "/api/tokens", as: bob)["tokens"].array ?? []
        let token = try unwrap(tokens.first?["id"]?.int)
        #expect(try live.bench.call("DELETE", "/api/tokens/\(token)", as: bob).status == 200)
        live.bench.advance(seconds: 31)
        try live.make("again")
        while try script.heartbeat() {}
        while try page.heartbeat() {}
        #expect(script.isEnded && page.isEnded)
        #expect(try other.heartbeat())
    }

    @Test func `at the end all streams end, so that their pages go to the next instance`() throws {
        let live = try LiveBench()
        let reader = try live.open()
        #expect(try reader.next() == connected)
        live.drain()
        #expect(try reader.next() == nil)
    }

    @Test func `no event is lost or doubled between opening and delivering`() throws {
        let live = try LiveBench()
        try live.make("0")
        let written = DispatchSemaphore(value: 0)
        DispatchQueue(label: "writer").async { [bench = live.bench, ann = live.ann] in
            for index in 1...300 { _ = try? bench.make("\(index)", by: ann) }
            written.signal()
        }
        // Streams that resume at the very beginning, opened while the writer writes.
        let readers = try (1...20).map { _ in try live.open(after: "0") }
        #expect(written.wait(timeout: .now() + 60) == .success)
        for reader in readers {
            #expect(try reader.next() == connected)
            var titles: [String] = []
            var last: Int64 = 0
            while titles.last != "300" {
                let event = try unwrap(try reader.next())
                let id = try unwrap(event.id)
                #expect(id > last)
                last = id
                if event.data["type"] == "resync" {
                    // Too far behind for a replay: counts from here.
                    titles = ["resync"]
                } else if let title = event.data["title"]?.string {
                    titles.append(title)
                }
            }
            let numbers = titles.compactMap { Int($0) }
            let first = try unwrap(numbers.first)
            #expect(numbers == Array(first...300))
            #expect(titles.first == "resync" || first == 0)
        }
    }
}
