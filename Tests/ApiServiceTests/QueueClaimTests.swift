import Domain
import Interfaces
import JSON
import Testing
import Time
import Varlink

/// Bench, door and Ann, seen by the enrich service.
struct QueueHouse {
    let bench: Bench
    let door: Door
    let ann: Bench.Person

    init(_ environment: [String: String] = [:]) throws {
        bench = try Bench(environment)
        door = try Door(bench)
        ann = try bench.add()
    }

    /// A task whose text waits.
    @discardableResult
    func type(_ text: String, _ more: [String: JSONValue] = [:], by person: Bench.Person? = nil) throws
        -> Int64
    {
        var body = more
        body["title"] = .string(text)
        let answer = try bench.call("POST", "/api/tasks", .object(body), as: person ?? ann)
        guard answer["labels"].array?.contains("ai-to-process") == true else {
            throw Missing(description: "waiting text: \(answer.body ?? .null)")
        }
        return answer.id
    }

    func claim(_ limit: Int = 10, leaseMs: Int = 90_000) throws -> [EnrichQueue.Job] {
        try door.client.call(EnrichQueue.Claim.self, .init(limit: limit, leaseMs: leaseMs)).jobs
    }

    /// The one text that waits.
    func claimOne() throws -> EnrichQueue.Job { try unwrap(try claim(1).first, "text") }

    static let log = EnrichQueue.Log(enricher: "builtin", durationMs: 7, input: "in", output: "out")

    @discardableResult
    func complete(_ job: EnrichQueue.Job, _ result: EnricherInterface.Result) throws -> String {
        try door.client.call(
            EnrichQueue.Complete.self, .init(job: job.id, token: job.token, result: result, log: Self.log)
        ).outcome
    }

    func fail(
        _ job: EnrichQueue.Job, retryable: Bool = true, usesAttempt: Bool = true, retryAfterMs: Int? = nil
    ) throws {
        _ = try door.client.call(
            EnrichQueue.Fail.self,
            .init(
                job: job.id, token: job.token, error: "TimedOut", retryable: retryable,
                usesAttempt: usesAttempt,
                retryAfterMs: retryAfterMs, log: Self.log))
    }

    func labels(_ id: Int64) throws -> [String] { try bench.item(id).labels }

    /// The name of the error that `body` is answered with.
    func error(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? VarlinkError)?.name ?? "\(error)"
        }
    }
}

@Suite("enrich 1.5 Claims, leases, attempts")
struct QueueClaimTests {
    @Test func `a claim has everything that an enricher is given (1.2)`() throws {
        let house = try QueueHouse()
        _ = try house.bench.call("POST", "/api/projects", ["name": "Work"], as: house.ann)
        _ = try house.bench.call("POST", "/api/labels", ["name": "errands"], as: house.ann)
        let id = try house.type("call bob tomorrow", ["create_label": true])
        house.bench.at("11:30")
        let job = try house.claimOne()
        #expect(job.task == id)
        #expect(job.user == house.ann.id.rawValue)
        #expect(job.text == "call bob tomorrow")
        #expect(job.kind == "task")
        #expect(job.attempt == 1)
        #expect(job.enricher == "builtin")
        #expect(job.project == nil)
        #expect(!job.hasSchedule)
        #expect(job.timeoutMs == 60_000)
        #expect(job.fallback == "none")
        let context = job.context
        #expect(context.nowLocal == "2026-10-14T10:00", "the wall clock of the moment of typing")
        #expect(context.timeZone == "America/Chicago")
        #expect(context.utcOffsetMinutes == -300)
        #expect([context.morningTime, context.wakeTime, context.sleepTime] == ["09:00", "07:00", "22:00"])
        #expect(context.weekStart == "sunday")
        #expect(context.dateOrder == "mdy")
        #expect(context.projects.map(\.name) == ["Inbox", "Work"])
        #expect(context.labels == ["errands"])
        #expect(context.periods.map(\.start) == ["07:00", "09:00", "12:00", "16:00", "20:30"])
        #expect(context.defaultPeriod == "Early morning")
        #expect(context.userContext == nil)
    }

    @Test(arguments: [
        ("America/Chicago", "mdy"), ("Asia/Manila", "mdy"), ("Asia/Tokyo", "ymd"), ("Asia/Shanghai", "ymd"),
        ("Europe/Budapest", "ymd"), ("Europe/Stockholm", "ymd"), ("Europe/Berlin", "dmy"),
        ("Europe/London", "dmy"),
        ("America/Sao_Paulo", "dmy"), ("America/Toronto", "dmy"), ("Pacific/Honolulu", "mdy"),
        ("America/Argentina/Cordoba", "dmy"), ("America/Indiana/Indianapolis", "mdy"),
        ("America/Halifax", "dmy"),
        ("Asia/Seoul", "ymd"), ("Europe/Vilnius", "ymd"), ("Asia/Kolkata", "dmy"),
        ("America/Anchorage", "mdy"),
    ])
    func `1.2: the order of dates follows the zone`(_ zone: String, _ order: String) throws {
        let house = try QueueHouse()
        try house.type("x", by: try house.bench.add("bob", zone: zone))
        #expect(try house.claimOne().context.dateOrder == order)
    }

    @Test func `oldest first for each user, users in turn, also one at a time`() throws {
        let house = try QueueHouse()
        let bob = try house.bench.add("bob")
        let eve = try house.bench.add("eve")
        for index in 1...4 { try house.type("ann \(index)") }
        for index in 1...2 { try house.type("bob \(index)", by: bob) }
        try house.type("eve 1", by: eve)
        var order: [String] = []
        while let job = try house.claim(1).first { order.append(job.text) }
        #expect(order == ["ann 1", "bob 1", "eve 1", "ann 2", "bob 2", "ann 3", "ann 4"])
    }

    @Test func `ten at most in one claim; none twice`() throws {
        let house = try QueueHouse()
        for index in 1...13 { try house.type("\(index)") }
        let first = try house.claim(100)
        let second = try house.claim(100)
        #expect(first.count == 10)
        #expect(second.count == 3)
        #expect(Set((first + second).map(\.task)).count == 13)
        #expect(Set((first + second).map(\.token)).count == 13)
        #expect(try house.claim().isEmpty)
    }

    @Test func `an expired lease lets somebody else claim; the first holder is stale from then on`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        let first = try house.claimOne()
        house.bench.advance(seconds: 89)
        #expect(try house.claim().isEmpty)
        house.bench.advance(seconds: 1)
        let second = try house.claimOne()
        #expect(second.id == first.id)
        #expect(second.token != first.token)
        #expect(second.attempt == 2, "who died with it has used an attempt up")
        let stale = EnrichQueue.Errors.staleToken
        #expect(house.error { try house.complete(first, .init(title: "no")) } == stale)
        #expect(house.error { try house.fail(first) } == stale)
        let extend = EnrichQueue.Extend.Parameters(job: first.id, token: first.token, leaseMs: 1000)
        #expect(house.error { _ = try house.door.client.call(EnrichQueue.Extend.self, extend) } == stale)
        #expect(try house.bench.item(id).title == "call bob")
        #expect(try house.complete(second, .init(title: "Call Bob")) == "applied")
        #expect(try house.bench.item(id).title == "Call Bob")
    }

    @Test func `a holder whose lease ran out, but whose job nobody claimed, may still hand in`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        let job = try house.claimOne()
        house.bench.advance(seconds: 3600)
        #expect(try house.complete(job, .init(title: "Call Bob")) == "applied")
        #expect(try house.bench.item(id).title == "Call Bob")
    }

    @Test func `Extend holds a job longer`() throws {
        let house = try QueueHouse()
        try house.type("call bob")
        let job = try house.claimOne()
        house.bench.advance(seconds: 80)
        _ = try house.door.client.call(
            EnrichQueue.Extend.self, .init(job: job.id, token: job.token, leaseMs: 60_000))
        house.bench.advance(seconds: 59)
        #expect(try house.claim().isEmpty)
        house.bench.advance(seconds: 1)
        #expect(try house.claim().count == 1)
    }

    @Test func `two leases that run out are both attempts: a crash loop ends`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        _ = try house.claimOne()
        house.bench.advance(seconds: 90)
        _ = try house.claimOne()
        house.bench.advance(seconds: 90)
        #expect(try house.claim().isEmpty)
        #expect(try house.labels(id) == ["ai-failed"])
        #expect(try house.bench.take().compactMap(\.alert?.collapseID) == ["ai-failed-\(id)"])
        #expect(try house.bench.count("job") == 0)
    }

    @Test func `Complete and Fail repeat their answer to a token that they have answered`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        let job = try house.claimOne()
        #expect(try house.complete(job, .init(title: "Call Bob")) == "applied")
        try house.bench.patch(id, ["title": "Mine"], as: house.ann)
        #expect(try house.complete(job, .init(title: "Call Bob")) == "applied")
        try house.fail(job)
        #expect(try house.bench.item(id).title == "Mine")
        #expect(try house.bench.count("enrichment") == 1)

        try house.type("another")
        let other = try house.claimOne()
        try house.fail(other)
        try house.fail(other)
        #expect(try house.bench.count("enrichment") == 2)
        house.bench.advance(seconds: 40)
        #expect(try house.claimOne().attempt == 2)
    }

    @Test func `a job that is no more is Gone`() throws {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        let job = try house.claimOne()
        try house.bench.patch(id, ["labels": []], as: house.ann)
        #expect(house.error { try house.complete(job, .init(title: "no")) } == EnrichQueue.Errors.gone)
        #expect(house.error { try house.fail(job) } == EnrichQueue.Errors.gone)
        #expect(try house.bench.item(id).title == "call bob")
    }
}
