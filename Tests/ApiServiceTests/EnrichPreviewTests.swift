import ApiStore
import Domain
import EnrichService
import Interfaces
import JSON
import Log
import Sockets
import Testing
import Varlink

/// The real enrich service with its built-in enricher, on the sockets of a bench.
final class EnrichHouse {
    private var servers: [VarlinkServer] = []
    private let worker: QueueWorker

    init(_ bench: Bench) throws {
        let run = bench.folder + "/run"
        let log = Logger(threshold: .debug, sink: bench.log)
        worker = try QueueWorker(
            apiSocket: run + "/api.sock", enrichers: run + "/enrichers", cores: 1, log: log)
        try serve(
            EnrichMethods(worker: worker, enrichers: run + "/enrichers", log: log).router(),
            run + "/enrich.sock")
        try serve(BuiltinMethods(cores: 1).router(), run + "/enrichers/builtin.sock")
    }

    func serve(_ router: VarlinkRouter, _ path: String) throws {
        let server = VarlinkServer(router, permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: path))
        servers.append(server)
    }

    deinit { for server in servers { server.drain(timeoutMilliseconds: 5000) } }
}

@Suite("A98 What a text would become")
struct EnrichPreviewTests {
    let bench: Bench
    let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
    }

    func preview(_ body: JSONValue?) throws -> Answer {
        try bench.call("POST", "/api/enrich/preview", body, as: ann)
    }

    @Test func `a line is read with its spans, by the user's clock, and nothing is stored`() throws {
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        let before = try bench.rows("SELECT count(*) FROM task UNION ALL SELECT count(*) FROM event")
        let answer = try preview(["text": "pay rent tomorrow 9am p1"])
        #expect(answer.status == 200)
        #expect(
            Set((answer.data.object ?? [:]).keys) == [
                "title", "target", "deadline", "priority", "rrule", "recurrence_mode", "labels", "project",
                "notes", "kind", "quota", "auto_snooze_minutes", "estimate_minutes", "spans", "reasoning",
                "enricher",
            ])
        #expect(answer["title"] == "Pay rent")
        #expect(answer["target"] == ["date": "2026-10-15", "time": "09:00"])
        #expect(answer["priority"] == 4)
        #expect(answer["deadline"] == .null)
        #expect(answer["labels"] == [])
        #expect(answer["kind"] == "task")
        #expect(answer["enricher"] == "builtin")
        // UTF-16 positions in the text: "tomorrow", "9am" and "p1".
        let spans = try unwrap(answer["spans"].array)
        #expect(spans.contains { $0["field"] == "priority" && $0["start"] == 22 && $0["end"] == 24 })
        #expect(spans.contains { $0["field"] == "target" })
        #expect(try bench.rows("SELECT count(*) FROM task UNION ALL SELECT count(*) FROM event") == before)
        #expect(bench.log.all.allSatisfy { !$0.contains("rent") })
    }

    @Test func `preferences say how it is read`() throws {
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        #expect(try preview(["text": "Party 05/06/2027"])["target"]["date"] == "2027-05-06")
        try bench.set("date_order", #""dmy""#, of: ann)
        #expect(try preview(["text": "Party 05/06/2027"])["target"]["date"] == "2027-06-05")
        #expect(try preview(["text": "call Bo !4"])["priority"] == 0)
        try bench.set("quick_add_syntax", #""vikunja""#, of: ann)
        #expect(try preview(["text": "call Bo !4"])["priority"] != 0)
        try bench.set("strip_titles", "false", of: ann)
        let typed = try preview(["text": " call Bo tomorrow "])
        #expect(typed["title"] == "call Bo tomorrow")
        #expect(typed["target"]["date"] == "2026-10-15")
    }

    @Test func `a kind can be asked for`() throws {
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        let answer = try preview(["text": "stretch 3 times a week", "kind": "auto"])
        #expect(answer["kind"] == "quota")
        #expect(answer["quota"] == ["target": 3, "period": "week"])
    }

    @Test func `a chosen enricher that is not there, or is slow, gives way to the built-in one`() throws {
        let house = try EnrichHouse(bench)
        try bench.set("enricher", #""gone""#, of: ann)
        #expect(try preview(["text": "pay rent tomorrow"])["enricher"] == "builtin")
        // One that has no Preview, as models have none.
        var slow = VarlinkRouter(vendor: "", product: "slow", version: "1", url: "")
        slow.handle(EnricherInterface.GetCapabilities.self) { _, _ in
            .init(
                name: "slow", version: "1", kinds: ["task"], fields: ["title"], languages: ["en"],
                maxTextBytes: 10_000, maxParallel: 1, typicalMs: 2000, deterministic: false,
                usesNetwork: true, wantsUserContext: false)
        }
        try house.serve(slow, bench.folder + "/run/enrichers/slow.sock")
        try bench.set("enricher", #""slow""#, of: ann)
        #expect(try preview(["text": "pay rent tomorrow"])["enricher"] == "builtin")
    }

    @Test func `a fast enricher of the user's own is asked`() throws {
        let house = try EnrichHouse(bench)
        var fast = VarlinkRouter(vendor: "", product: "fast", version: "1", url: "")
        fast.handle(EnricherInterface.GetCapabilities.self) { _, _ in
            .init(
                name: "fast", version: "1", kinds: ["task"], fields: ["title"], languages: ["en"],
                maxTextBytes: 10_000, maxParallel: 1, typicalMs: 5, deterministic: true, usesNetwork: false,
                wantsUserContext: false)
        }
        fast.handle(EnricherInterface.Preview.self) { asked, _ in
            .init(result: .init(title: asked.text.uppercased()))
        }
        try house.serve(fast, bench.folder + "/run/enrichers/fast.sock")
        try bench.set("enricher", #""fast""#, of: ann)
        let answer = try preview(["text": "pay rent"])
        #expect(answer["enricher"] == "fast")
        #expect(answer["title"] == "PAY RENT")
        #expect(answer["spans"] == [])
    }

    @Test func `without an enrich service it is 503, with words`() throws {
        expectRefused(try preview(["text": "pay rent"]), 503, "SERVICE_UNAVAILABLE")
        // One that is there and fails is no better.
        var broken = VarlinkRouter(vendor: "", product: "broken", version: "1", url: "")
        broken.handle(EnrichControl.Preview.self) { _, _ in
            throw VarlinkError(EnrichControl.Errors.enricherFailed, ["name": "builtin", "detail": "x"])
        }
        let server = VarlinkServer(broken, permit: VarlinkPermit.owner())
        server.serve(try ListeningSocket.unix(path: bench.folder + "/run/enrich.sock"))
        defer { server.drain(timeoutMilliseconds: 5000) }
        expectRefused(try preview(["text": "pay rent"]), 503, "SERVICE_UNAVAILABLE")
    }

    @Test(arguments: ["\u{0}", "\u{1}\u{2}", "\u{200B}", "\u{FEFF}"])
    func `a text of signs that nobody sees is refused, or read as it is, and never 503`(_ text: String) throws
    {
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        let answer = try preview(["text": .string(text)])
        #expect([200, 400].contains(answer.status), "\(answer.body ?? .null)")
    }

    @Test func `whoever wants no reader gets none`() throws {
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        try bench.set("ai_mode", #""off""#, of: ann)
        expectRefused(try preview(["text": "pay rent"]), 503, "SERVICE_UNAVAILABLE")
        let off = try Bench(["OPENTASK_AI_ENABLED": "false"])
        let bob = try off.add("bob")
        expectRefused(
            try off.call("POST", "/api/enrich/preview", ["text": "pay"], as: bob), 503, "SERVICE_UNAVAILABLE")
    }

    @Test func `what is no text is refused before anybody is asked`() throws {
        let bad: [(JSONValue?, String)] = [
            (nil, ""), ([:], "text"), (["text": ""], "text"), (["text": " \n "], "text"),
            (["text": 5], "text"), (["text": nil], "text"),
            (["text": .string(String(repeating: "ä", count: 5001))], "text"),
            (["text": "x", "kind": "note"], "kind"), (["text": "x", "kind": 1], "kind"), ([], ""),
        ]
        for (body, culprit) in bad {
            expectRefused(try preview(body), 400, "VALIDATION_ERROR", culprit: culprit)
        }
        expectRefused(
            try bench.call("POST", "/api/enrich/preview", ["text": "x"]), 401, "UNAUTHORIZED")
    }
}
