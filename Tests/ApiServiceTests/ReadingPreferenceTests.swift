import ApiStore
import Domain
import Interfaces
import JSON
import Testing

@Suite("What preferences tell an enricher (enrich 1.2, 1.7, 2.3)")
struct ReadingPreferenceTests {
    func set(_ house: QueueHouse, _ body: JSONValue) throws {
        let answer = try house.bench.call("PATCH", "/api/user/preferences", body, as: house.ann)
        guard answer.status == 200 else { throw Missing(description: "\(answer.body ?? .null)") }
    }

    @Test func `a text goes out with how its user writes, and to whom he trusts`() throws {
        let house = try QueueHouse()
        try touch(house.bench.folder + "/run/enrichers/mine.sock")
        let evening = try house.bench.store.read { try $0.periods(of: house.ann.id) }[4].id.rawValue
        try set(
            house,
            [
                "enricher": "mine", "enrich_fallback": "builtin", "quick_add_syntax": "vikunja",
                "date_order": "ymd", "ai_context": " My wife is Ana. ", "ai_enrichment_timeout_ms": 90_000,
                "quota_prompt_slot_id": .int(evening), "week_start": "monday", "morning_time": "08:15",
            ])
        try house.type("call Ana")
        let job = try house.claimOne()
        #expect(job.enricher == "mine")
        #expect(job.fallback == "builtin")
        #expect(job.timeoutMs == 90_000)
        #expect(job.context.quickAddSyntax == "vikunja")
        #expect(job.context.dateOrder == "ymd")
        #expect(job.context.userContext == "My wife is Ana.")
        #expect(job.context.defaultPeriod == "Evening")
        #expect(job.context.weekStart == "monday")
        #expect(job.context.morningTime == "08:15")
    }

    @Test func `without a word of his own the server's choices stand`() throws {
        let house = try QueueHouse()
        try house.type("call Ana")
        let job = try house.claimOne()
        #expect(job.enricher == "builtin")
        #expect(job.fallback == "none")
        #expect(job.timeoutMs == 60_000)
        #expect(job.context.quickAddSyntax == "todoist")
        #expect(job.context.dateOrder == "mdy")
        #expect(job.context.userContext == nil)
        #expect(job.context.defaultPeriod == "Early morning")
    }

    @Test(arguments: ["ai_mode", "ai_enrichment_mode"])
    func `enrich 1_1: off for the user, nobody reads, and what waited is let go quietly`(_ key: String) throws
    {
        let house = try QueueHouse()
        let waiting = try house.type("call Ana tomorrow")
        try set(house, [key: "off"])
        let plain = try house.bench.call(
            "POST", "/api/tasks", ["title": "buy milk tomorrow"], as: house.ann)
        #expect(plain["labels"] == [])
        let asked = try house.bench.call(
            "POST", "/api/tasks", ["title": "buy milk", "enrich": true], as: house.ann)
        #expect(asked["labels"] == [])
        try house.bench.patch(plain.id, ["labels": ["ai-to-process"]], as: house.ann)
        #expect(try house.labels(plain.id) == [])
        #expect(try house.claim().isEmpty)
        #expect(try house.labels(waiting) == [])
        #expect(try house.bench.count("job") == 0)
        #expect(try house.bench.outbox().isEmpty)
    }

    @Test func `enrich 1_1: switched off while it is read, the answer is discarded`() throws {
        let house = try QueueHouse()
        let id = try house.type("call Ana tomorrow")
        let job = try house.claimOne()
        try set(house, ["ai_mode": "off"])
        #expect(try house.complete(job, .init(title: "Call Ana", priority: 4)) == "discarded")
        #expect(try house.bench.item(id).priority == .unset)
        #expect(try house.labels(id) == [])
    }

    @Test func `strip_titles off: fields are set, the title stays as typed`() throws {
        let house = try QueueHouse()
        try set(house, ["strip_titles": false])
        let id = try house.type("call Ana tomorrow p1\nher number is 555 123")
        let job = try house.claimOne()
        let result = EnricherInterface.Result(
            title: "Call Ana", target: .init(date: "2026-10-15"), priority: 4,
            notes: "her number is 555 123")
        #expect(try house.complete(job, result) == "applied")
        let task = try house.bench.item(id)
        #expect(task.title == "call Ana tomorrow p1\nher number is 555 123")
        #expect(task.priority == .urgent)
        #expect(task.target == .local("10-15 09:00"))
        #expect(task.notes == nil)
    }
}
