import EnrichService
import Interfaces
import JSON
import Log
import Sockets
import TestSupport
import Testing
import Varlink

@Suite("Enrich 1.7 and 2.4 Enrichers that fail, hang or lie")
struct HostileEnricherTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var error: String
        var usesAttempt = true
        var isRetryable = true
        var retryAfterMs: Int?
        var script: ScriptedEnricher.Script
        var testDescription: String { name }

        /// An enricher that answers GetCapabilities and then this.
        static func answers(
            _ name: String, _ text: String, _ error: String, usesAttempt: Bool = true,
            isRetryable: Bool = true,
            retryAfterMs: Int? = nil
        ) -> Case {
            Case(
                name: name, error: error, usesAttempt: usesAttempt, isRetryable: isRetryable,
                retryAfterMs: retryAfterMs,
                script: ScriptedEnricher.wellBehaved { socket, _ in
                    try ScriptedEnricher.reply(socket, text)
                    return true
                })
        }
    }

    static let failures: [Case] = [
        .answers("no JSON", "these are no fields", "BadAnswer"),
        .answers("an array", "[1,2]", "BadAnswer"),
        .answers("a reply without a result", "{\"parameters\":{}}", "BadAnswer"),
        .answers("a result that is no object", "{\"parameters\":{\"result\":7}}", "BadAnswer"),
        .answers("no title", "{\"parameters\":{\"result\":{\"priority\":3}}}", "BadAnswer"),
        .answers("an empty title", ScriptedEnricher.result("  "), "BadAnswer"),
        .answers(
            "a title of 501 characters", ScriptedEnricher.result(String(repeating: "x", count: 501)),
            "BadAnswer"),
        .answers("a control character in the title", ScriptedEnricher.result("a\\u0007b"), "BadAnswer"),
        .answers(
            "a result over 64 KiB",
            ScriptedEnricher.result("x", ",\"notes\":\"\(String(repeating: "n", count: 70_000))\""),
            "BadAnswer"),
        .answers(
            "2,001 levels of JSON",
            "{\"parameters\":{\"result\":" + String(repeating: "[", count: 2001)
                + String(repeating: "]", count: 2001) + "}}",
            "BadAnswer"),
        Case(
            name: "invalid UTF-8", error: "BadAnswer",
            script: ScriptedEnricher.wellBehaved { socket, _ in
                try socket.write(
                    Array("{\"parameters\":{\"result\":{\"title\":\"".utf8) + [0xC3, 0x28]
                        + Array("\"}}}".utf8) + [0])
                return true
            }),
        Case(
            name: "half a message and the end", error: "ConnectionLost",
            script: ScriptedEnricher.wellBehaved { socket, _ in
                try socket.write(Array("{\"parameters\":{\"res".utf8))
                socket.close()
                return false
            }),
        Case(
            name: "the end instead of an answer", error: "ConnectionLost",
            script: ScriptedEnricher.wellBehaved { socket, _ in
                socket.close()
                return false
            }),
        .answers(
            "Unavailable",
            ScriptedEnricher.error("Unavailable", "{\"detail\":\"x\",\"retry_after_ms\":90000}"),
            "Unavailable", retryAfterMs: 90_000),
        .answers("BadAnswer", ScriptedEnricher.error("BadAnswer", "{\"detail\":\"x\"}"), "BadAnswer"),
        .answers(
            "Overloaded", ScriptedEnricher.error("Overloaded", "{\"retry_after_ms\":20000}"), "Overloaded",
            usesAttempt: false, retryAfterMs: 20_000),
        .answers(
            "RateLimited for long", ScriptedEnricher.error("RateLimited", "{\"retry_after_ms\":900001}"),
            "RateLimited", retryAfterMs: 900_001),
        .answers(
            "Unauthorized", ScriptedEnricher.error("Unauthorized", "{\"detail\":\"x\"}"), "Unauthorized",
            isRetryable: false),
        .answers(
            "BudgetExhausted", ScriptedEnricher.error("BudgetExhausted", "{\"detail\":\"x\"}"),
            "BudgetExhausted", isRetryable: false),
        .answers(
            "TextTooLong", ScriptedEnricher.error("TextTooLong", "{\"max_bytes\":3}"), "TextTooLong",
            isRetryable: false),
        .answers("an error nobody declared", "{\"error\":\"com.example.Odd\",\"parameters\":{}}", "Odd"),
        Case(
            name: "another kind only", error: "UnsupportedKind", isRetryable: false,
            script: ScriptedEnricher.wellBehaved(kinds: ["reminder"]) { _, _ in false }),
        Case(
            name: "a protocol of the future", error: "UnsupportedProtocol", usesAttempt: false,
            isRetryable: false,
            retryAfterMs: 5000,
            script: { socket, _ in
                try ScriptedEnricher.reply(
                    socket, ScriptedEnricher.error("UnsupportedProtocol", "{\"supported\":[7]}"))
                return true
            }),
    ]

    @Test(arguments: failures)
    func `what is no answer fails the text and leaves its words alone`(_ row: Case) throws {
        let queue = try FakeQueue()
        try queue.open()
        let enricher = try ScriptedEnricher(at: queue.folder.file("odd.sock"), row.script)
        let worker = try QueueWorker(
            apiSocket: queue.socket, enrichers: queue.folder.path, cores: 1, log: Logger(sink: LogList()))
        queue.add([.sample(1, "pay rent friday", enricher: "odd")])
        try worker.start()
        let fail = try #require(try queue.report(of: 1)?.fail)
        #expect(fail.error == row.error)
        #expect(fail.usesAttempt == row.usesAttempt)
        #expect(fail.retryable == row.isRetryable)
        #expect(fail.retryAfterMs == row.retryAfterMs)
        worker.stop(timeoutMilliseconds: 10_000)
        enricher.close()
        queue.close()
    }

    private func outcome(
        _ job: EnrichQueue.Job, _ script: @escaping ScriptedEnricher.Script,
        also: (ScriptedEnricher, FakeQueue) throws -> Void = { _, _ in }
    ) throws -> FakeQueue.Report? {
        let queue = try FakeQueue()
        try queue.open()
        let enricher = try ScriptedEnricher(at: queue.folder.file("odd.sock"), script)
        let worker = try QueueWorker(
            apiSocket: queue.socket, enrichers: queue.folder.path, cores: 1, log: Logger(sink: LogList()))
        queue.add([job])
        try worker.start()
        let report = try queue.report(of: job.id)
        try also(enricher, queue)
        worker.stop(timeoutMilliseconds: 10_000)
        enricher.close()
        queue.close()
        return report
    }

    @Test func `a hang ends at the time-out, with the connection closed`() throws {
        let closed = try WakeEvent()
        let report = try outcome(
            .sample(1, "x", enricher: "odd", timeoutMs: 1000),
            ScriptedEnricher.wellBehaved { socket, _ in
                // Says nothing; its end of the connection sees the other go.
                if try socket.read(atMost: 1).isEmpty { closed.signal() }
                return false
            }
        ) { _, _ in
            let isClosed = try closed.wait(until: Deadline(milliseconds: 60_000))
            #expect(isClosed)
        }
        #expect(report?.fail?.error == "TimedOut")
        #expect(report?.fail?.usesAttempt == true)
    }

    @Test func `an enricher that hangs when it is met has had its turn`() throws {
        let report = try outcome(.sample(1, "x", enricher: "odd", timeoutMs: 1000)) { _, _ in true }
        #expect(report?.fail?.error == "TimedOut")
        #expect(report?.fail?.usesAttempt == true)
    }

    @Test func `10,000 labels, an unknown field and wrong types leave the title and what is well formed`()
        throws
    {
        let labels = (0..<10_000).map { "\"l\($0)\"" }.joined(separator: ",")
        let rest =
            ",\"labels\":[\(labels.prefix(40_000))\"],\"priority\":\"high\",\"target\":7,\"deadline\":{\"date\":\"2026-01-20\"}"
            + ",\"auto_snooze_minutes\":99999,\"rrule\":\"FREQ=HOURLY\",\"colour\":\"red\""
        let report = try outcome(
            .sample(1, "x", enricher: "odd"),
            ScriptedEnricher.wellBehaved { socket, _ in
                try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Fine", rest))
                return true
            })
        let result = try #require(report?.complete?.result)
        #expect(result == EnricherInterface.Result(title: "Fine", deadline: .init(date: "2026-01-20")))
    }

    @Test func `two answers to one question count as the first`() throws {
        let report = try outcome(
            .sample(1, "x", enricher: "odd"),
            ScriptedEnricher.wellBehaved { socket, _ in
                let two = ScriptedEnricher.result("First") + "\0" + ScriptedEnricher.result("Second")
                try ScriptedEnricher.reply(socket, two)
                return true
            })
        #expect(report?.complete?.result.title == "First")
    }

    @Test func `without GetCapabilities an enricher is asked all the same`() throws {
        let report = try outcome(.sample(1, "x", enricher: "odd")) { socket, call in
            if call["method"] == "org.opentask.enricher.Enrich" {
                try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Read"))
            } else {
                try ScriptedEnricher.reply(
                    socket,
                    "{\"error\":\"org.varlink.service.MethodNotFound\",\"parameters\":{\"method\":\"x\"}}")
            }
            return true
        }
        #expect(report?.complete?.result.title == "Read")
    }

    @Test(arguments: [true, false])
    func `what the user wrote about themself goes only to who wants it`(_ isWanted: Bool) throws {
        var job = EnrichQueue.Job.sample(1, "x", enricher: "odd")
        job.context = .sample(userContext: "my wife is Ana")
        _ = try outcome(
            job,
            ScriptedEnricher.wellBehaved(wantsUserContext: isWanted) { socket, _ in
                try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Read"))
                return true
            }
        ) { enricher, _ in
            let context = enricher.asked("Enrich").first?["parameters"]?["context"]
            #expect(context?["user_context"]?.string == (isWanted ? "my wife is Ana" : nil))
            #expect(context?["now_local"] == "2026-01-15T10:00")
        }
    }

    @Test func `capabilities come first on a connection`() throws {
        _ = try outcome(
            .sample(1, "x", enricher: "odd"),
            ScriptedEnricher.wellBehaved { socket, _ in
                try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Read"))
                return true
            }
        ) { enricher, _ in
            let methods = enricher.asked.compactMap { $0["method"]?.string }
            #expect(methods == ["org.opentask.enricher.GetCapabilities", "org.opentask.enricher.Enrich"])
        }
    }

    @Test func `after five failures the enricher is left alone, and its texts wait at no attempt`() throws {
        let queue = try FakeQueue()
        try queue.open()
        let enricher = try ScriptedEnricher(
            at: queue.folder.file("odd.sock"),
            ScriptedEnricher.wellBehaved { socket, _ in
                try ScriptedEnricher.reply(socket, ScriptedEnricher.error("BadAnswer", "{\"detail\":\"x\"}"))
                return true
            })
        let log = LogList()
        let worker = try QueueWorker(
            apiSocket: queue.socket, enrichers: queue.folder.path, cores: 1, log: Logger(sink: log))
        queue.add((1...8).map { .sample($0, "x", enricher: "odd") })
        try worker.start()
        #expect(try queue.wait { $0.count == 8 })
        #expect(enricher.asked("Enrich").count == 5)
        for job: Int64 in 1...5 { #expect(queue.reports[job]?.first?.fail?.usesAttempt == true) }
        for job: Int64 in 6...8 {
            let fail = try #require(queue.reports[job]?.first?.fail)
            #expect(fail.error == "LeftAlone")
            #expect(!fail.usesAttempt)
            #expect((1...300_000).contains(fail.retryAfterMs ?? 0))
        }
        #expect(log.count(.error) == 1)
        worker.stop(timeoutMilliseconds: 10_000)
        enricher.close()
        queue.close()
    }
}
