import Domain
import JSON
import Testing
import Time

@Suite("A34, M-12 The day's reminders")
struct ReminderRouteTests {
    private func list(_ bench: Bench, as person: Bench.Person) throws -> Answer {
        let answer = try bench.call("GET", "/api/reminders", as: person)
        guard answer.status == 200 else { throw Missing(description: "reminders: \(answer.status)") }
        return answer
    }

    private func group(_ answer: Answer, _ label: String?) throws -> JSONValue {
        let groups = answer["groups"].array ?? []
        return try unwrap(
            groups.first { $0["slot"]?["label"]?.string == label }, "group \(label ?? "Anytime")")
    }

    private func ids(_ value: JSONValue?) -> [Int64] { value?.array?.compactMap { $0["id"]?.int } ?? [] }

    @Test func `2.8: every key, every period in order even if empty, Anytime last`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try list(bench, as: ann)
        #expect(
            Set((answer.data.object ?? [:]).keys)
                == [
                    "groups", "not_today", "total", "considered_total", "prompts_total",
                    "prompts_considered_total", "has_any", "segments",
                ])
        let groups = try unwrap(answer["groups"].array)
        #expect(
            groups.map { $0["slot"]?["label"]?.string }
                == ["Early morning", "Morning", "Midday", "Afternoon", "Evening", nil])
        #expect(groups.last?["slot"] == .null)
        for group in groups {
            #expect(
                Set((group.object ?? [:]).keys)
                    == [
                        "slot", "reminders", "count", "considered", "considered_items", "prompts",
                        "prompts_waiting", "prompts_considered",
                    ])
        }
        let slots = try bench.call("GET", "/api/time-slots", as: ann)
        #expect(groups.dropLast().map { $0["slot"] ?? .null } == slots["time_slots"].array)
        #expect(answer["has_any"] == false)
        #expect(answer["total"] == 0)
        expectRefused(try bench.call("GET", "/api/reminders"), 401, "UNAUTHORIZED")
    }

    @Test func `M-2, M-3, M-7: each waiting reminder in its period, in order; the others apart`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let b = try bench.remind("b", at: "09:00", by: ann)
        let a = try bench.remind("A", at: "09:00", by: ann)
        let high = try bench.remind("z", at: "11:59", ["priority": 3], by: ann)
        let night = try bench.remind("n", at: "06:00", by: ann)
        let anytime = try bench.make("x", ["is_reminder": true, "rrule": nil], by: ann).id
        let weekly = try bench.make(
            "w", ["is_reminder": true, "rrule": "FREQ=WEEKLY;BYDAY=TH;BYHOUR=9;BYMINUTE=0"], by: ann
        ).id
        let ahead = try bench.make("later", ["is_reminder": true, "due_at": .local("10-20 09:00")], by: ann)
            .id
        _ = try bench.make("task", ["due_at": .local("09:00")], by: ann)
        let answer = try list(bench, as: ann)
        let morning = try group(answer, "Morning")
        #expect(ids(morning["reminders"]) == [high, a, b])
        #expect(morning["count"] == 3)
        #expect(morning["reminders"]?.array?[0] == (try bench.get(high, as: ann)).data)
        #expect(ids(try group(answer, nil)["reminders"]) == [night, anytime])
        #expect(Set(ids(answer["not_today"])) == [weekly, ahead])
        #expect(answer["total"] == 5)
        #expect(answer["has_any"] == true)
        bench.at("10-15 00:00")
        #expect(ids(try group(try list(bench, as: ann), "Morning")["reminders"]) == [high, a, b, weekly])
    }

    @Test func `M-5, M-6: considered ones are counted for their period, newest first, and can be put back`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let daily = try bench.remind("daily", at: "09:00", by: ann)
        let once = try bench.make("once", ["is_reminder": true, "due_at": .local("09:30")], by: ann).id
        let other = try bench.remind("other", at: "20:30", by: ann)
        try bench.act("done", daily, as: ann)
        bench.at("10:05")
        let done = try bench.act("done", once, as: ann)
        #expect(done["done"] == true)
        var answer = try list(bench, as: ann)
        let morning = try group(answer, "Morning")
        #expect(morning["count"] == 0)
        #expect(morning["considered"] == 2)
        #expect(ids(morning["considered_items"]) == [once, daily])
        #expect(answer["considered_total"] == 2)
        #expect(answer["total"] == 1)
        #expect(try bench.act("done", daily, as: ann)["already_done"] == true)

        try bench.act("undone", daily, as: ann)
        answer = try list(bench, as: ann)
        #expect(ids(try group(answer, "Morning")["reminders"]) == [daily])
        #expect(ids(try group(answer, "Morning")["considered_items"]) == [once])
        try bench.trash(once, as: ann)
        #expect(try group(try list(bench, as: ann), "Morning")["considered"] == 0, "trashed wins (T-4)")
        bench.at("10-15 00:00")
        answer = try list(bench, as: ann)
        #expect(answer["considered_total"] == 0)
        #expect(answer["total"] == 2)
        #expect(ids(try group(answer, "Evening")["reminders"]) == [other])
    }

    @Test func `1.13: own reminders only, never shared ones of others`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        let shared = try bench.remind("r", at: "09:00", ["project_id": .int(house)], by: bob)
        #expect(try list(bench, as: ann)["has_any"] == false)
        #expect(try list(bench, as: bob)["total"] == 1)
        // Considered by ann, it is handled for bob.
        try bench.act("done", shared, as: ann)
        #expect(try list(bench, as: bob)["considered_total"] == 1)
        #expect(try list(bench, as: ann)["considered_total"] == 0)
    }

    @Test func `has_any: also when all of them are finished, not when they are in the trash`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("once", ["is_reminder": true, "rrule": nil], by: ann).id
        try bench.act("done", id, as: ann)
        bench.at("10-20 10:00")
        let answer = try list(bench, as: ann)
        #expect(answer["has_any"] == true)
        #expect(answer["total"] == 0 && answer["considered_total"] == 0)
        try bench.trash(id, as: ann)
        #expect(try list(bench, as: ann)["has_any"] == false)
    }

    @Test func `2.8: segments beside the groups, never in them`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        _ = try bench.make("d", ["horizon": "days"], by: ann)
        let answer = try list(bench, as: ann)
        #expect(answer["segments"] == (try bench.call("GET", "/api/task-segments", as: ann))["segments"])
        #expect(answer["segments"].array?.count == 1)
        #expect(answer["total"] == 0)
    }

    @Test func `M-8, 2.3: a new reminder without a time is in the user's default period`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        func made() throws -> JSONValue { try bench.make("r", ["is_reminder": true], by: ann)["rrule"] }
        #expect(try made() == "FREQ=DAILY;BYHOUR=7;BYMINUTE=0")
        try bench.set("quota_prompt_slot_id", "\(try bench.period("Evening", of: ann))", of: ann)
        #expect(try made() == "FREQ=DAILY;BYHOUR=20;BYMINUTE=30")
        try bench.set("quota_prompt_slot_id", "4711", of: ann)
        #expect(try made() == "FREQ=DAILY;BYHOUR=7;BYMINUTE=0")
        try bench.change("DELETE FROM time_slot")
        #expect(try made() == .null)
        #expect(try list(bench, as: ann)["groups"].array?.count == 1, "only Anytime")
    }
}
