import ApiService
import ApiStore
import Domain
import Interfaces
import JSON
import Sockets
import Synchronization
import Testing
import Time
import Varlink

/// An advisor whose answers a test decides, where the enrich service would be.
final class FakeAdvisor: Sendable {
    struct Script: Sendable {
        var provider: Result<Advisor.CheckProvider.Reply, VarlinkError> = .success(
            .init(provider: "p", providerDisplay: "P", model: "m", modelDisplay: "M"))
        var quickTake: Result<String?, VarlinkError> = .success("You have two calls today.")
        var picks: Result<[Advisor.Pick], VarlinkError> = .success([])
        var review: Result<[Advisor.Insight], VarlinkError> = .success([])
        var asked: [Advisor.Task] = []
        var counts: Advisor.Counts?
        var context: Advisor.Context?
    }

    let script = Mutex(Script())
    private let server: VarlinkServer

    init(_ bench: Bench) throws {
        var router = VarlinkRouter(vendor: "", product: "test", version: "1", url: "")
        let hub = Hub()
        router.handle(Advisor.CheckProvider.self) { _, _ in try hub.get { try $0.provider.get() } }
        router.handle(Advisor.QuickTake.self) { asked, _ in
            try hub.get { script in
                script.counts = asked.counts
                script.context = asked.context
                return .init(text: try script.quickTake.get())
            }
        }
        router.handle(Advisor.WhatsNext.self) { asked, _ in
            try hub.get { script in
                script.asked = asked.tasks
                script.context = asked.context
                return .init(picks: try script.picks.get(), summary: "Start with\nthe roof.")
            }
        }
        router.handle(Advisor.Review.self) { asked, _ in
            try hub.get { script in
                script.asked += asked.tasks
                script.counts = asked.counts
                return .init(insights: try script.review.get())
            }
        }
        server = VarlinkServer(router, permit: VarlinkPermit.owner())
        hub.place.withLock { $0.advisor = self }
        server.serve(try ListeningSocket.unix(path: bench.folder + "/run/enrich.sock"))
    }

    deinit { server.drain(timeoutMilliseconds: 5000) }

    func set(_ change: (inout Script) -> Void) { script.withLock { change(&$0) } }

    private final class Hub: Sendable {
        struct Weak { weak var advisor: FakeAdvisor? }
        let place = Mutex(Weak())

        func get<T>(_ body: (inout Script) throws -> T) throws -> T {
            guard let advisor = place.withLock({ $0.advisor }) else { throw VarlinkError.internalError }
            return try advisor.script.withLock { try body(&$0) }
        }
    }
}

@Suite("A71 to A77 AI")
struct AdviceTests {
    static let operations: [(String, String, JSONValue?)] = [
        ("GET", "/api/ai/status", nil), ("POST", "/api/ai/test", ["feature": "insights"]),
        ("POST", "/api/ai/quick-take", ["title": "Call"]), ("GET", "/api/ai/whats-next", nil),
        ("POST", "/api/ai/insights/generate", nil),
    ]
    static let on = ["OPENTASK_AI_ENABLED": "true"]

    @Test(arguments: [nil, "false"])
    func `without a provider all of them are 503, but what was found stays readable`(_ value: String?) throws
    {
        let bench = try Bench(value.map { ["OPENTASK_AI_ENABLED": $0] } ?? [:])
        let ann = try bench.add()
        for (method, path, body) in Self.operations {
            expectRefused(try bench.call(method, path, body, as: ann), 503, "SERVICE_UNAVAILABLE")
            expectRefused(try bench.call(method, path, body), 401, "UNAUTHORIZED")
        }
        expectRefused(
            try bench.call("GET", "/api/ai/insights/status?session_id=x", as: ann), 404, "NOT_FOUND")
        expectRefused(
            try bench.call("GET", "/api/ai/insights/status", as: ann), 400, "VALIDATION_ERROR",
            culprit: "session_id")
        let results = try bench.call("GET", "/api/ai/insights/results", as: ann)
        #expect(results.status == 200)
        #expect(results["results"] == [])
        #expect(results["generated_at"] == .null)
        #expect(results["stale"] == false)
        #expect(results["duration_ms"] == .null)
        #expect(results["signal_counts"] == [:])
        #expect(results["active_session"] == .null)
        #expect(results["signals"].array?.count == 6)
        #expect(
            Set(results["signals"].array?.first?.object?.keys ?? [:].keys) == [
                "key", "label", "color", "icon", "description",
            ])
    }

    @Test func `switched on with an enrich service that has no advisor, they are 503 too`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        for service in [false, true] {
            let house = service ? try EnrichHouse(bench) : nil
            defer { withExtendedLifetime(house) {} }
            for (method, path, body) in Self.operations.dropFirst() where path != "/api/ai/whats-next" {
                expectRefused(try bench.call(method, path, body, as: ann), 503, "SERVICE_UNAVAILABLE")
            }
            expectRefused(
                try bench.call("GET", "/api/ai/whats-next?refresh=true", as: ann), 503,
                "SERVICE_UNAVAILABLE")
            // Without refresh nobody is asked: nothing was made today.
            let nothing = try bench.call("GET", "/api/ai/whats-next", as: ann)
            #expect(nothing.status == 200)
            #expect(nothing.data == .null)
        }
    }

    // A72

    @Test func `A72 tells who advises, and why it does not work`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let advisor = try FakeAdvisor(bench)
        let good = try bench.call("POST", "/api/ai/test", ["feature": "insights"], as: ann)
        #expect(good["success"] == true)
        #expect(good["provider"] == "p")
        #expect(good["provider_display"] == "P")
        #expect(good["model"] == "m")
        #expect(good["model_display"] == "M")
        #expect(good["error"] == .null)
        #expect((good["duration_ms"].int ?? -1) >= 0)
        advisor.set { $0.provider = .failure(VarlinkError(Advisor.Errors.failed, ["detail": "no money"])) }
        let bad = try bench.call("POST", "/api/ai/test", ["feature": "quick_take"], as: ann)
        #expect(bad.status == 200)
        #expect(bad["success"] == false)
        #expect(bad["error"] == "no money")
        expectRefused(
            try bench.call("POST", "/api/ai/test", ["feature": "x"], as: ann), 400, "VALIDATION_ERROR",
            culprit: "feature")
        try bench.set("ai_insights_mode", #""off""#, of: ann)
        expectRefused(
            try bench.call("POST", "/api/ai/test", ["feature": "insights"], as: ann), 400,
            "VALIDATION_ERROR", culprit: "feature")
    }

    @Test func `A72 enrichment is the self-test of whoever reads the texts`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let house = try EnrichHouse(bench)
        defer { withExtendedLifetime(house) {} }
        let good = try bench.call("POST", "/api/ai/test", ["feature": "enrichment"], as: ann)
        #expect(good["success"] == true)
        #expect(good["provider"] == "builtin")
        try bench.set("enricher", #""gone""#, of: ann)
        let bad = try bench.call("POST", "/api/ai/test", ["feature": "enrichment"], as: ann)
        #expect(bad["success"] == false)
        #expect(bad["error"].string?.contains("gone") == true)
    }

    // A73

    @Test func `A73 a sentence about a title; nothing is stored`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let advisor = try FakeAdvisor(bench)
        try bench.make("Late", ["due_at": .local("09:00")], by: ann)
        try bench.set("ai_context", #""I work at night.""#, of: ann)
        let before = try bench.count("event")
        let answer = try bench.call("POST", "/api/ai/quick-take", ["title": "Call Bo"], as: ann)
        #expect(answer["text"] == "You have two calls today.")
        #expect(advisor.script.withLock { $0.counts } == .init(open: 1, overTarget: 1, today: 1))
        #expect(advisor.script.withLock { $0.context?.userContext } == "I work at night.")
        #expect(try bench.count("event") == before)
        #expect(try bench.count("enrichment") == 0)
        advisor.set { $0.quickTake = .failure(VarlinkError(Advisor.Errors.failed, ["detail": "x"])) }
        let failed = try bench.call("POST", "/api/ai/quick-take", ["title": "Call Bo"], as: ann)
        #expect(failed.status == 200)
        #expect(failed["text"] == .null)
        try bench.set("ai_quicktake_mode", #""off""#, of: ann)
        #expect(try bench.call("POST", "/api/ai/quick-take", ["title": "x"], as: ann)["text"] == .null)
        for body: JSONValue in [[:], ["title": " "], ["title": 1], ["title": "x", "has_due_date": 1]] {
            expectRefused(
                try bench.call("POST", "/api/ai/quick-take", body, as: ann), 400, "VALIDATION_ERROR")
        }
    }

    // A74

    @Test func `A74 is made when asked, kept for the UTC day, and only of what may be picked`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let roof = try bench.make("Roof", by: ann).id
        let urgent = try bench.make("Now", ["priority": 4], by: ann).id
        let far = try bench.make("Far", ["due_at": .local("11-30 09:00")], by: ann).id
        let his = try bench.make("His", by: bob).id
        let advisor = try FakeAdvisor(bench)
        advisor.set {
            $0.picks = .success(
                [roof, roof, urgent, far, his, 999].map { .init(taskID: $0, reason: "because\n\($0)") })
        }
        #expect(try bench.call("GET", "/api/ai/whats-next", as: ann).data == .null)
        let made = try bench.call("GET", "/api/ai/whats-next?refresh=true", as: ann)
        #expect(made["tasks"] == [["task_id": .int(roof), "reason": .string("because \(roof)")]])
        #expect(made["summary"] == "Start with the roof.")
        #expect(made["generated_at"] == .local("10:00"))
        #expect(advisor.script.withLock { $0.asked.map(\.id) } == [roof])
        #expect(try bench.call("GET", "/api/ai/whats-next", as: ann).data == made.data)
        #expect(try bench.call("GET", "/api/ai/whats-next", as: bob).data == .null)
        // 19:00 in Chicago is the next day in UTC.
        bench.at("18:59")
        #expect(try bench.call("GET", "/api/ai/whats-next", as: ann).data == made.data)
        bench.at("19:00")
        #expect(try bench.call("GET", "/api/ai/whats-next", as: ann).data == .null)
        advisor.set { $0.picks = .failure(VarlinkError(Advisor.Errors.failed, ["detail": "x"])) }
        expectRefused(
            try bench.call("GET", "/api/ai/whats-next?refresh=true", as: ann), 503, "SERVICE_UNAVAILABLE")
        try bench.set("ai_whats_next_mode", #""off""#, of: ann)
        expectRefused(try bench.call("GET", "/api/ai/whats-next", as: ann), 503, "SERVICE_UNAVAILABLE")
    }

    @Test func `A74 never makes anything for a demo account`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        try bench.make("Roof", by: ann)
        try bench.change("UPDATE user SET is_demo = 1")
        let advisor = try FakeAdvisor(bench)
        #expect(try bench.call("GET", "/api/ai/whats-next?refresh=true", as: ann).data == .null)
        #expect(advisor.script.withLock { $0.asked }.isEmpty)
    }

    // A75 to A77

    @Test func `a run over all tasks: begun at once, worked through, read by status and results`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let roof = try bench.make("Roof", ["priority": 3], by: ann).id
        let bed = try bench.make("Bed", by: ann).id
        try bench.make("Pills", ["is_reminder": true], by: ann)
        let advisor = try FakeAdvisor(bench)
        advisor.set {
            $0.review = .success([
                .init(taskID: bed, score: 20, commentary: "fine", signals: []),
                .init(
                    taskID: roof, score: 130, commentary: "it rains", signals: ["act_soon", "odd", "vague"]),
                .init(taskID: 999, score: 50, commentary: "nobody's", signals: []),
            ])
        }
        let begun = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        #expect(begun.status == 200)
        #expect(begun["total_tasks"] == 2)
        #expect(begun["single_call"] == true)
        #expect(begun["started_at"] == .local("10:00"))
        let id = try unwrap(begun["session_id"].string)
        let path = "/api/ai/insights/status?session_id=\(id)"
        let running = try bench.call("GET", path, as: ann)
        #expect(running["status"] == "running")
        #expect(running["progress_pct"] == 0)
        #expect(running["finished_at"] == .null)
        expectRefused(try bench.call("GET", path, as: bob), 404, "NOT_FOUND")
        let busy = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        expectRefused(busy, 409, "CONFLICT", culprit: "session_id")
        #expect(busy.body?["details"]?["completed"] == 0)
        #expect(busy.body?["details"]?["total_tasks"] == 2)
        let active = try bench.call("GET", "/api/ai/insights/results", as: ann)["active_session"]
        #expect(active["session_id"]?.string == id)

        // The service's own thread takes it up.
        let service = try Service(bench.parts)
        defer { service.stop() }
        try bench.wait("end of the run") {
            try bench.call("GET", path, as: ann)["status"] != "running"
        }
        let done = try bench.call("GET", path, as: ann)
        #expect(done["status"] == "complete")
        #expect(done["completed"] == 2)
        #expect(done["progress_pct"] == 100)
        #expect(done["finished_at"] == .local("10:00"))
        #expect(done["error"] == .null)
        let results = try bench.call("GET", "/api/ai/insights/results", as: ann)
        #expect(
            results["results"] == [
                [
                    "task_id": .int(roof), "score": 100, "commentary": "it rains",
                    "signals": ["act_soon", "vague"], "generated_at": .local("10:00"),
                ],
                [
                    "task_id": .int(bed), "score": 20, "commentary": "fine", "signals": [],
                    "generated_at": .local("10:00"),
                ],
            ])
        #expect(results["signal_counts"] == ["act_soon": 1, "vague": 1])
        #expect(results["stale"] == false)
        #expect(results["generated_at"] == .local("10:00"))
        #expect((results["duration_ms"].int ?? -1) >= 0)
        #expect(results["active_session"] == .null)
        #expect(Set(advisor.script.withLock { $0.asked.map(\.id) }) == [roof, bed])
        #expect(try bench.call("GET", "/api/ai/insights/results", as: bob)["results"] == [])
        bench.at("10-15 10:00")
        #expect(try bench.call("GET", "/api/ai/insights/results", as: ann)["stale"] == true)
        // What is done or gone is not told any more.
        try bench.act("done", roof, as: ann)
        let rest = try bench.call("GET", "/api/ai/insights/results", as: ann)["results"].array
        #expect(rest?.map { $0["task_id"]?.int } == [bed])
    }

    @Test func `a run that fails says why, and another may begin`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        try bench.make("Roof", by: ann)
        let advisor = try FakeAdvisor(bench)
        advisor.set { $0.review = .failure(VarlinkError(Advisor.Errors.failed, ["detail": "no money"])) }
        let begun = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        let id = try unwrap(begun["session_id"].string)
        let service = try Service(bench.parts)
        defer { service.stop() }
        try bench.wait("end of the run") {
            try bench.rows("SELECT status FROM insight_session") == ["failed"]
        }
        let failed = try bench.call("GET", "/api/ai/insights/status?session_id=\(id)", as: ann)
        #expect(failed["status"] == "failed")
        #expect(failed["error"].string?.contains("no money") == true)
        #expect(failed["finished_at"] == .local("10:00"))
        let again = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        #expect(again.status == 200)
        #expect(again["session_id"].string != id)
    }

    @Test func `with nothing open there is no run`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        let advisor = try FakeAdvisor(bench)
        defer { withExtendedLifetime(advisor) {} }
        let answer = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        #expect(answer.status == 200)
        #expect(answer["session_id"] == .null)
        #expect(answer["total_tasks"] == 0)
        #expect(answer["message"].string?.isEmpty == false)
        try bench.set("ai_insights_mode", #""off""#, of: ann)
        expectRefused(
            try bench.call("POST", "/api/ai/insights/generate", as: ann), 503, "SERVICE_UNAVAILABLE")
    }

    @Test func `a run that a restart left for more than twenty minutes has failed`() throws {
        let bench = try Bench(Self.on)
        let ann = try bench.add()
        try bench.make("Roof", by: ann)
        let advisor = try FakeAdvisor(bench)
        _ = try bench.call("POST", "/api/ai/insights/generate", as: ann)
        bench.advance(seconds: 1200)
        let service = try Service(bench.parts)
        defer { service.stop() }
        try bench.wait("end of the run") {
            try bench.rows("SELECT status FROM insight_session") == ["failed"]
        }
        #expect(advisor.script.withLock { $0.asked }.isEmpty)
    }

    // A71

    @Test func `A71 tells the queue, what is being read, and what was`() throws {
        let house = try QueueHouse(Self.on)
        let bench = house.bench
        let bob = try bench.add("bob")
        let quiet = try bench.call("GET", "/api/ai/status", as: house.ann)
        #expect(quiet["enrichment_slot"]["state"] == "dead")
        #expect(quiet["enrichment_slot"]["currentOperation"] == .null)
        #expect(quiet["quick_take_slot"]["state"] == "uninitialized")
        #expect(quiet["queue"] == ["active": 0, "waiting": 0, "maxConcurrent": 4])
        #expect(quiet["in_progress"]["insights"] == .null)
        #expect(quiet["recent_activity"] == [])

        let first = try house.type("call Ana tomorrow")
        try house.complete(house.claimOne(), .init(title: "Call Ana"))
        let second = try house.type("call Bo tomorrow")
        _ = try house.claimOne()
        try house.type("his", by: bob)
        try house.type("waits")
        let enrich = try EnrichHouse(bench)
        defer { withExtendedLifetime(enrich) {} }
        let status = try bench.call("GET", "/api/ai/status", as: house.ann)
        #expect(status["enrichment_slot"]["state"] == "available")
        #expect(status["enrichment_slot"]["lastRequestAt"] == .local("10:00"))
        #expect(
            status["enrichment_slot"]["currentOperation"] == [
                "taskId": .int(second), "inputText": "call Bo tomorrow", "startedAt": .local("10:00"),
            ])
        #expect(status["queue"] == ["active": 1, "waiting": 2, "maxConcurrent": 4])
        let enrichment = try unwrap(status["in_progress"]["enrichment"])
        #expect(enrichment["pipeline_task_ids"] == [.int(second)])
        #expect(enrichment["pending_count"] == 1)
        #expect(enrichment["circuit_breaker_open"] == false)
        let entries = try unwrap(status["recent_activity"].array)
        #expect(entries.count == 1)
        #expect(
            entries.first == [
                "id": 1, "user_id": .int(house.ann.id.rawValue), "task_id": .int(first), "action": "enrich",
                "status": "success", "input": "in", "output": "out", "model": nil, "error": nil,
                "provider": "builtin", "duration_ms": 7, "created_at": .local("10:00"),
            ])
        #expect(
            try bench.call("GET", "/api/ai/status?action=insights", as: house.ann)["recent_activity"] == [])
        #expect(try bench.call("GET", "/api/ai/status?offset=1", as: house.ann)["recent_activity"] == [])
        #expect(try bench.call("GET", "/api/ai/status", as: bob)["recent_activity"] == [])
        expectRefused(
            try bench.call("GET", "/api/ai/status?limit=0", as: house.ann), 400, "VALIDATION_ERROR",
            culprit: "limit")
    }
}
