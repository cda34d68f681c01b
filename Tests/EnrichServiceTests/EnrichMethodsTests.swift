import EnrichService
import Interfaces
import JSON
import Log
import Sockets
import TestSupport
import Testing
import Varlink

@Suite("org.opentask.enrich The service's own door")
struct EnrichMethodsTests {
    /// The door on a socket, with the built-in enricher and what else the test puts into the folder.
    private func withDoor(_ body: (VarlinkClient, TemporaryFolder) throws -> Void) throws {
        let run = TemporaryFolder()
        let enrichers = TemporaryFolder()
        let builtin = VarlinkServer(
            BuiltinMethods(cores: 2).router(), limits: BuiltinMethods.limits, permit: { _ in true })
        builtin.serve(try ListeningSocket.unix(path: enrichers.file("builtin.sock")))
        let log = Logger(sink: LogList())
        let worker = try QueueWorker(
            apiSocket: run.file("api.sock"), enrichers: enrichers.path, cores: 2, log: log)
        let methods = EnrichMethods(worker: worker, enrichers: enrichers.path, log: log)
        let door = VarlinkServer(methods.router(), permit: { _ in true })
        door.serve(try ListeningSocket.unix(path: run.file("enrich.sock")))
        let client = VarlinkClient(path: run.file("enrich.sock"))
        defer {
            client.close()
            door.drain(timeoutMilliseconds: 1000)
            builtin.drain(timeoutMilliseconds: 1000)
        }
        try body(client, enrichers)
    }

    @Test func `both interfaces are served whole`() throws {
        let log = Logger(sink: LogList())
        let worker = try QueueWorker(apiSocket: "/nowhere", enrichers: "/nowhere", cores: 1, log: log)
        for router in [
            EnrichMethods(worker: worker, enrichers: "/nowhere", log: log).router(),
            BuiltinMethods(cores: 1).router(),
        ] {
            #expect(router.handled == router.described)
        }
    }

    @Test func `the enrichers that have a socket are listed, the built-in one first`() throws {
        try withDoor { client, folder in
            let busy = try ScriptedEnricher(
                at: folder.file("abc.sock"),
                ScriptedEnricher.wellBehaved { socket, _ in
                    try ScriptedEnricher.reply(
                        socket, "{\"parameters\":{\"state\":\"warming\",\"detail\":\"loading\"}}")
                    return true
                })
            defer { busy.close() }
            let dead = try ScriptedEnricher(at: folder.file("dead.sock")) { socket, _ in
                socket.close()
                return false
            }
            defer { dead.close() }
            let found = try client.call(EnrichControl.List.self, VarlinkEmpty()).enrichers
            #expect(found.map(\.name) == ["builtin", "abc", "dead"])
            #expect(found.map(\.state) == ["ready", "warming", "down"])
            #expect(found[0].address == "unix:\(folder.file("builtin.sock"))")
            #expect(found[0].usesNetwork == false)
            #expect(found[1].detail == "loading")
            #expect(found[1].version == "9")
        }
    }

    @Test func `a preview is guarded and stores nothing`() throws {
        try withDoor { client, _ in
            let reply = try client.call(
                EnrichControl.Preview.self,
                .init(enricher: "builtin", kind: "task", text: "pay rent friday #home", context: .sample()))
            #expect(reply.enricher == "builtin")
            #expect(reply.result.title == "Pay rent")
            #expect(reply.result.project == "Home")
        }
    }

    @Test func `a preview of a slow enricher is the built-in one's`() throws {
        try withDoor { client, folder in
            let slow = try ScriptedEnricher(
                at: folder.file("slow.sock"), ScriptedEnricher.wellBehaved { _, _ in false })
            defer { slow.close() }
            let reply = try client.call(
                EnrichControl.Preview.self,
                .init(enricher: "slow", kind: "task", text: "pay rent friday", context: .sample()))
            #expect(reply.enricher == "builtin")
            #expect(slow.asked("Preview").isEmpty)
        }
    }

    @Test func `the built-in enricher passes the self-test, another's differences are told`() throws {
        try withDoor { client, folder in
            let good = try client.call(EnrichControl.Test.self, .init(name: "builtin"))
            #expect(good.passed)
            #expect(good.differences.isEmpty)
            let odd = try ScriptedEnricher(
                at: folder.file("odd.sock"),
                ScriptedEnricher.wellBehaved { socket, _ in
                    try ScriptedEnricher.reply(socket, ScriptedEnricher.result("Buy milk"))
                    return true
                })
            defer { odd.close() }
            let bad = try client.call(EnrichControl.Test.self, .init(name: "odd"))
            #expect(!bad.passed)
            #expect(bad.differences.contains("\"pay rent friday\": target is none, expected 2026-01-16"))
        }
    }

    @Test func `a name without a socket is UnknownEnricher, one that does not answer EnricherFailed`() throws
    {
        try withDoor { client, folder in
            #expect(throws: VarlinkError(EnrichControl.Errors.unknownEnricher, ["name": "../x"])) {
                try client.call(EnrichControl.Test.self, .init(name: "../x"))
            }
            let dead = try ScriptedEnricher(at: folder.file("dead.sock")) { socket, _ in
                socket.close()
                return false
            }
            defer { dead.close() }
            #expect(
                throws: VarlinkError(
                    EnrichControl.Errors.enricherFailed, ["name": "dead", "detail": "ConnectionLost"])
            ) {
                try client.call(EnrichControl.Test.self, .init(name: "dead"))
            }
        }
    }

    @Test func `the built-in enricher refuses what it cannot read, by name`() throws {
        try withDoor { _, folder in
            let client = VarlinkClient(path: folder.file("builtin.sock"))
            func read(_ text: String, kind: String = "task") throws -> EnricherInterface.Enrich.Reply {
                try client.call(
                    EnricherInterface.Enrich.self,
                    .init(
                        requestID: "r", attempt: 1, deadlineMs: 1000, kind: kind, text: text,
                        context: .sample()))
            }
            #expect(throws: VarlinkError("org.opentask.enricher.TextEmpty")) { try read(" ") }
            #expect(throws: VarlinkError("org.opentask.enricher.TextTooLong", ["max_bytes": 10_000])) {
                try read(String(repeating: "a", count: 10_001))
            }
            #expect(throws: VarlinkError("org.opentask.enricher.UnsupportedKind", ["kind": "song"])) {
                try read("x", kind: "song")
            }
            #expect(throws: VarlinkError("org.opentask.enricher.UnsupportedProtocol", ["supported": [1]])) {
                try client.call(EnricherInterface.GetCapabilities.self, .init(protocols: [7]))
            }
            let capabilities = try client.call(
                EnricherInterface.GetCapabilities.self, .init(protocols: [1, 7]))
            #expect(capabilities.maxParallel == 2)
            let health = try client.call(EnricherInterface.CheckHealth.self, VarlinkEmpty())
            #expect(health.state == "ready")
        }
    }
}
