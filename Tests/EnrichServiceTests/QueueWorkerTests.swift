import EnrichService
import Interfaces
import JSON
import Log
import Sockets
import Synchronization
import TestSupport
import Testing
import Varlink

@Suite("org.opentask.enrichqueue Working through the queue (enrich 1.5, 1.7)")
struct QueueWorkerTests {
    /// A queue, the built-in enricher on its socket, and a worker between them.
    private func withWorker(
        log: LogList = LogList(), _ body: (FakeQueue, QueueWorker) throws -> Void
    ) throws {
        let queue = try FakeQueue()
        try queue.open()
        let builtin = VarlinkServer(
            BuiltinMethods(cores: 2).router(), limits: BuiltinMethods.limits, permit: { _ in true })
        builtin.serve(try ListeningSocket.unix(path: queue.folder.file("builtin.sock")))
        let worker = try QueueWorker(
            apiSocket: queue.socket, enrichers: queue.folder.path, cores: 2,
            log: Logger(threshold: .debug, sink: log))
        defer {
            worker.stop(timeoutMilliseconds: 10_000)
            builtin.drain(timeoutMilliseconds: 1000)
            queue.close()
        }
        try body(queue, worker)
    }

    @Test func `a text that waits at the start is read by the built-in enricher and reported`() throws {
        try withWorker { queue, worker in
            queue.add([.sample(1, "Call the plumber tomorrow at 9am !high #home")])
            try worker.start()
            let report = try #require(try queue.report(of: 1)?.complete)
            #expect(report.result.title == "Call the plumber")
            #expect(report.result.target == .init(date: "2026-01-16", time: "09:00"))
            #expect(report.result.priority == 3)
            #expect(report.result.project == "Home")
            #expect(report.log.enricher == "builtin")
            #expect(report.log.input == "Call the plumber tomorrow at 9am !high #home")
        }
    }

    @Test func `a poke brings what was typed since`() throws {
        try withWorker { queue, worker in
            try worker.start()
            #expect(try queue.wait { _ in !queue.claims.isEmpty })
            queue.add([.sample(1, "pay rent friday")])
            worker.poke()
            #expect(try queue.report(of: 1)?.complete?.result.title == "Pay rent")
        }
    }

    @Test func `500 texts are all read, each once, ten a claim`() throws {
        try withWorker { queue, worker in
            queue.add((1...500).map { .sample($0, "buy \($0) apples tomorrow") })
            try worker.start()
            #expect(try queue.wait { $0.count == 500 })
            #expect(queue.reports.values.allSatisfy { $0.count == 1 && $0[0].complete != nil })
            #expect(queue.claims.allSatisfy { $0 <= 10 })
            #expect(queue.unknownTokens == 0)
        }
    }

    @Test func `an api that is not there yet is asked again`() throws {
        let queue = try FakeQueue()
        let worker = try QueueWorker(
            apiSocket: queue.socket, enrichers: queue.folder.path, cores: 1, log: Logger(sink: LogList()))
        try worker.start()
        queue.add([.sample(1, "x", enricher: "nobody")])
        try queue.open()
        // No enricher of that name: the text comes back and costs no attempt.
        let fail = try #require(try queue.report(of: 1)?.fail)
        #expect(fail.error == "NotReachable")
        #expect(!fail.usesAttempt)
        #expect(fail.retryable)
        worker.stop(timeoutMilliseconds: 10_000)
        queue.close()
    }

    @Test func `a name that is no socket's is refused for good`() throws {
        try withWorker { queue, worker in
            queue.add([.sample(1, "x", enricher: "../api"), .sample(2, "x", enricher: "")])
            try worker.start()
            #expect(try queue.report(of: 1)?.fail?.error == "UnknownEnricher")
            #expect(try queue.report(of: 2)?.fail?.retryable == false)
        }
    }

    @Test func `a report for a text that is no longer ours is forgotten, and work goes on`() throws {
        try withWorker { queue, worker in
            queue.refuse(1, with: EnrichQueue.Errors.staleToken)
            queue.refuse(2, with: EnrichQueue.Errors.gone)
            queue.add([.sample(1, "one"), .sample(2, "two"), .sample(3, "three")])
            try worker.start()
            #expect(try queue.report(of: 1)?.complete != nil)
            #expect(try queue.report(of: 2)?.complete != nil)
            #expect(try queue.report(of: 3)?.complete != nil)
        }
    }

    @Test func `the same task is not read twice at a time`() throws {
        try withWorker { queue, worker in
            let hold = try WakeEvent()
            let enricher = try ScriptedEnricher(
                at: queue.folder.file("slow.sock"),
                ScriptedEnricher.wellBehaved(parallel: 4) { socket, _ in
                    try hold.wait()
                    try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Done"))
                    return true
                })
            defer { enricher.close() }
            var second = EnrichQueue.Job.sample(2, "again", enricher: "slow")
            second.task = 1
            queue.add([.sample(1, "once", enricher: "slow"), second])
            try worker.start()
            let fail = try #require(try queue.report(of: 2)?.fail)
            #expect(!fail.usesAttempt)
            hold.signal()
            #expect(try queue.report(of: 1)?.complete?.result.title == "Done")
        }
    }

    @Test func `another's lease is held for its time-out and 30 s before it is asked`() throws {
        try withWorker { queue, worker in
            let enricher = try ScriptedEnricher(
                at: queue.folder.file("other.sock"),
                ScriptedEnricher.wellBehaved { socket, _ in
                    try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Read"))
                    return true
                })
            defer { enricher.close() }
            queue.add([.sample(1, "text", enricher: "other", timeoutMs: 120_000)])
            try worker.start()
            #expect(try queue.report(of: 1)?.complete?.result.title == "Read")
            #expect(queue.extended(1) == 150_000)
        }
    }

    @Test func `stopping gives back what waits and what runs, at no attempt`() throws {
        try withWorker { queue, worker in
            let asked = try WakeEvent()
            let enricher = try ScriptedEnricher(
                at: queue.folder.file("hung.sock"),
                ScriptedEnricher.wellBehaved { _, _ in
                    asked.signal()
                    return true  // and no answer
                })
            defer { enricher.close() }
            queue.add([.sample(1, "runs", enricher: "hung"), .sample(2, "waits", enricher: "hung")])
            try worker.start()
            try asked.wait()
            worker.stop(timeoutMilliseconds: 2000)
            for job: Int64 in [1, 2] {
                let fail = try #require(queue.reports[job]?.first?.fail)
                #expect(fail.error == "Stopping")
                #expect(!fail.usesAttempt)
                #expect(fail.retryAfterMs == 0)
            }
        }
    }

    @Test func `the built-in enricher reads what the chosen one could not, if it is to fall back`() throws {
        try withWorker { queue, worker in
            let enricher = try ScriptedEnricher(
                at: queue.folder.file("bad.sock"),
                ScriptedEnricher.wellBehaved { socket, _ in
                    try ScriptedEnricher.reply(
                        socket, ScriptedEnricher.error("Refused", "{\"detail\":\"no\"}"))
                    return true
                })
            defer { enricher.close() }
            queue.add([
                .sample(1, "pay rent friday", enricher: "bad", attempt: 1, fallback: "builtin"),
                .sample(2, "pay rent friday", enricher: "bad", attempt: 2, fallback: "builtin"),
                .sample(3, "pay rent friday", enricher: "bad", attempt: 2, fallback: "none"),
            ])
            try worker.start()
            #expect(try queue.report(of: 1)?.fail?.error == "Refused")
            #expect(try queue.report(of: 2)?.complete?.log.enricher == "builtin")
            #expect(try queue.report(of: 3)?.fail?.error == "Refused")
        }
    }
}
