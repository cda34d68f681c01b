import Domain
import Interfaces
import JSON
import TestSupport
import Testing
import Time

@Suite("X-17, X-18, N-10 What preferences move")
struct PreferenceEffectTests {
    let bench: Bench
    let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
    }

    @discardableResult
    func set(_ body: JSONValue) throws -> Answer {
        let answer = try bench.call("PATCH", "/api/user/preferences", body, as: ann)
        guard answer.status == 200 else { throw Missing(description: "\(answer.body ?? .null)") }
        return answer
    }

    func berlin(_ text: String) throws -> Instant {
        try unwrap(Instant(iso8601: text, zone: try unwrap(Zone("Europe/Berlin"))))
    }

    @Test func `Golden 120, X-17: a daily task keeps its local time, in one event, for good`() throws {
        let daily = try bench.make(
            "Water plants", ["rrule": "FREQ=DAILY", "due_at": .local("10-15 09:00")], by: ann
        ).id
        let oneOff = try bench.make("Call", ["due_at": "2026-10-15T14:00:00Z"], by: ann).id
        let before = try bench.count("event")
        let entries = try bench.count("undo")
        #expect(try set(["timezone": "Europe/Berlin"])["timezone"] == "Europe/Berlin")
        #expect(try bench.item(daily).target == Instant(iso8601: "2026-10-15T07:00:00Z", zone: Bench.zone))
        #expect(try bench.item(daily).originalTarget == bench.item(daily).target)
        #expect(try bench.item(oneOff).target == Instant(iso8601: "2026-10-15T14:00:00Z", zone: Bench.zone))
        #expect(try bench.count("event") == before + 1)
        #expect(try bench.count("undo") == entries)
        #expect(try bench.look(daily) == bench.item(daily).target)
        #expect(try bench.call("GET", "/api/auth/me", as: ann)["timezone"] == "Europe/Berlin")
        // Done in the new zone, it comes again at nine there.
        bench.clock.set(try berlin("2026-10-15T09:30"))
        let done = try bench.act("done", daily, as: ann)
        #expect(done["next_due_at"].string == (try berlin("2026-10-16T09:00")).iso8601)
    }

    @Test func `X-17 deadlines by date keep their date, automatic targets follow, snoozed ones stay`() throws
    {
        let dated = try bench.make("Tax", ["deadline_at": "2026-10-30"], by: ann).id
        let timed = try bench.make("Talk", ["deadline_at": .local("10-30 12:00")], by: ann).id
        let snoozed = try bench.make(
            "Run", ["rrule": "FREQ=DAILY", "due_at": .local("09:00")], by: ann
        ).id
        try bench.act("snooze", snoozed, ["until": .local("17:00")], as: ann)
        let late = try bench.make("Late", ["rrule": "FREQ=DAILY", "due_at": .local("08:00")], by: ann).id
        let finished = try bench.make("Old", ["deadline_at": "2026-10-31"], by: ann).id
        try bench.act("done", finished, as: ann)
        try set(["timezone": "Europe/Berlin"])
        #expect(try bench.item(dated).deadline == berlin("2026-10-30T23:59"))
        #expect(try bench.item(dated).target == berlin("2026-10-27T09:00"))
        #expect(try bench.item(dated).targetSource == .auto)
        #expect(try bench.item(timed).deadline == .local("10-30 12:00"))
        #expect(try bench.item(snoozed).target == .local("17:00"))
        #expect(try bench.item(late).target == .local("08:00"))
        #expect(try bench.item(finished).deadline == berlin("2026-10-31T23:59"))
    }

    @Test func `X-17 moves nobody else's tasks`() throws {
        let bob = try bench.add("bob")
        let his = try bench.make("His", ["rrule": "FREQ=DAILY", "due_at": .local("10-15 09:00")], by: bob)
        try set(["timezone": "Asia/Tokyo"])
        #expect(try bench.item(his.id).target == .local("10-15 09:00"))
        #expect(try bench.item(his.id).version == his.version)
    }

    @Test func `X-17 a target that lands in the past is over target at once, and the badge says so`() throws {
        // 20:00 in Chicago has passed in Tokyo, where it is 00:00 of the next day.
        let id = try bench.make("Read", ["rrule": "FREQ=DAILY", "due_at": .local("20:00")], by: ann).id
        try bench.take()
        try set(["timezone": "Asia/Tokyo"])
        #expect(try bench.item(id).target == Instant(iso8601: "2026-10-14T11:00:00Z", zone: Bench.zone))
        #expect(try bench.outbox().compactMap(\.badge) == [1])
    }

    @Test func `X-17 webhooks are told what people do to items, not what follows from a setting`() throws {
        _ = try bench.call(
            "POST", "/api/webhooks", ["url": "https://example.org/h", "events": ["task.updated"]], as: ann)
        let id = try bench.make("Run", ["rrule": "FREQ=DAILY", "due_at": .local("10-15 09:00")], by: ann).id
        try bench.take()
        try set(["timezone": "Europe/Berlin"])
        #expect(try bench.item(id).target == berlin("2026-10-15T09:00"))
        #expect(try bench.outbox().compactMap(\.event).isEmpty)
    }

    @Test func `X-17 undo of an older step leaves the moved target alone`() throws {
        let id = try bench.make("Read", ["rrule": "FREQ=DAILY", "due_at": .local("10-15 09:00")], by: ann).id
        try bench.patch(
            id, ["title": "Read more", "due_at": .local("10-16 09:00"), "reset_original_due_at": true],
            as: ann)
        try set(["timezone": "Europe/Berlin"])
        let undone = try bench.undo(as: ann)
        #expect(try bench.item(id).title == "Read")
        #expect(try bench.item(id).target == berlin("2026-10-16T09:00"))
        #expect(undone["skipped_fields"].array?.contains("due_at") == true)
    }

    @Test func `X-18 a new morning moves automatic targets that are ahead, and nothing else`() throws {
        let automatic = try bench.make("Tax", ["deadline_at": "2026-10-30"], by: ann).id
        let chosen = try bench.make(
            "Talk", ["deadline_at": "2026-10-30", "due_at": .local("10-20 09:00")], by: ann
        ).id
        let daily = try bench.make("Run", ["rrule": "FREQ=DAILY", "due_at": .local("10-15 09:00")], by: ann)
        let events = try bench.count("event")
        try set(["morning_time": "06:30"])
        #expect(try bench.item(automatic).target == .local("10-27 06:30"))
        #expect(try bench.item(automatic).originalTarget == .local("10-27 06:30"))
        #expect(try bench.item(chosen).target == .local("10-20 09:00"))
        #expect(try bench.item(daily.id).target == .local("10-15 09:00"))
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.look(automatic) == .local("10-27 06:30"))
    }

    @Test func `X-17, X-18 zone and morning in one request are one change`() throws {
        let id = try bench.make("Tax", ["deadline_at": "2026-10-30"], by: ann).id
        try set(["timezone": "Europe/Berlin", "morning_time": "06:00"])
        #expect(try bench.item(id).target == berlin("2026-10-27T06:00"))
        #expect(try bench.item(id).version == 2)
    }

    @Test func `N-10 a changed interval takes effect at once on what is over target`() throws {
        let unset = try bench.make("Unset", ["due_at": .local("09:00")], by: ann).id
        let high = try bench.make("High", ["due_at": .local("09:00"), "priority": 3], by: ann).id
        let own = try bench.make(
            "Own", ["due_at": .local("09:00"), "auto_snooze_minutes": 45], by: ann
        ).id
        let ahead = try bench.make("Ahead", ["due_at": .local("11:00")], by: ann).id
        bench.at("10:01")
        try set(["auto_snooze_minutes": 90, "auto_snooze_high_minutes": 0])
        #expect(try bench.look(unset) == .local("10:30"))
        #expect(try bench.look(high) == nil)
        #expect(try bench.look(own) == .local("10:30"))
        #expect(try bench.look(ahead) == .local("11:00"))
        try set(["auto_snooze_high_minutes": 20])
        #expect(try bench.look(high) == .local("10:20"))
        #expect(try bench.look(unset) == .local("10:30"))
    }

    @Test func `N-12 a look that has come and was not taken yet is not lost to a new interval`() throws {
        let id = try bench.make("Now", ["due_at": .local("10:05")], by: ann).id
        bench.at("10:05")
        try set(["auto_snooze_minutes": 240])
        #expect(try bench.look(id) == .local("10:05"))
    }
}
