import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A34, M-12, Q-20, Q-24 Quota reminders among the day's reminders")
struct ReminderPromptTests {
    private func groups(_ bench: Bench, as person: Bench.Person) throws -> [JSONValue] {
        try unwrap(try bench.call("GET", "/api/reminders", as: person)["groups"].array)
    }

    @Test func `2.7: each in its period, with every key; reminders' own counts are not touched`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try bench.periodIDs(of: ann)
        try bench.set(
            "label_config", #"[{"name":"Body","color":"blue"},{"name":"calm","color":"green"}]"#, of: ann)
        let weekly = try bench.make(
            "Stretch",
            [
                "progress_target": 3, "rrule": "FREQ=WEEKLY", "labels": ["ai-added", "body"],
                "create_label": true,
                "notes": "slowly", "quota_prompt_config": ["slot_id": .int(try unwrap(ids["Morning"]))],
            ], by: ann
        ).id
        let daily = try bench.make(
            "Floss",
            [
                "progress_target": 2, "rrule": "FREQ=DAILY", "labels": ["calm"], "create_label": true,
                "quota_prompt_config": ["numbers": ["1": .int(try unwrap(ids["Evening"]))]],
            ], by: ann
        ).id
        _ = try bench.make("Yearly", ["progress_target": 2, "rrule": "FREQ=YEARLY"], by: ann)
        let answer = try bench.call("GET", "/api/reminders", as: ann)
        #expect(answer["prompts_total"] == 3)
        #expect(answer["prompts_considered_total"] == 0)
        #expect(answer["total"] == 0)
        #expect(answer["has_any"] == false, "prompts do not count")
        let all = try groups(bench, as: ann)
        #expect(all.map { $0["prompts_waiting"]?.int } == [0, 2, 0, 0, 1, 0])
        #expect(all.allSatisfy { $0["count"] == 0 && $0["considered"] == 0 })
        let morning = try unwrap(all[1]["prompts"]?.array)
        #expect(morning.compactMap { $0["title"]?.string } == ["Floss", "Stretch"], "by title")
        #expect(
            morning[1].object
                == [
                    "prompt_key": .string("q:\(weekly):0:2026-10-14"), "task_id": .int(weekly), "number": nil,
                    "numbers": nil, "slot_id": .int(try unwrap(ids["Morning"])), "title": "Stretch",
                    "current": 0,
                    "target": 3, "period": "WEEKLY", "stripe_color": "blue", "has_notes": true,
                    "considered": false, "done": false,
                ])
        #expect(
            morning[0].object
                == [
                    "prompt_key": .string("q:\(daily):2:2026-10-14"), "task_id": .int(daily), "number": 2,
                    "numbers": [2], "slot_id": .int(try unwrap(ids["Morning"])), "title": "Floss",
                    "current": 0,
                    "target": 2, "period": "DAILY", "stripe_color": nil, "has_notes": false,
                    "considered": false, "done": false,
                ])
    }

    @Test func `V-7: a handled one stays in its period and counts as handled`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: ann).id
        try bench.patch(id, ["progress_current": 1], as: ann)
        let answer = try bench.call("GET", "/api/reminders", as: ann)
        #expect(answer["prompts_total"] == 0)
        #expect(answer["prompts_considered_total"] == 1)
        let early = try groups(bench, as: ann)[0]
        #expect(early["prompts"]?.array?.count == 1)
        #expect(early["prompts"]?.array?.first?["done"] == true)
        #expect(early["prompts_considered"] == 1)
        bench.at("10-15 00:00")
        #expect(
            try groups(bench, as: ann)[0]["prompts_waiting"] == 1,
            "a new day, also if nothing has run yet (Q-5)")
    }

    @Test func `Q-20: the user's switch and the server's leave none, and no count`() throws {
        for (environment, preference) in [
            (["OPENTASK_QUOTA_PROMPTS": "off"], "true"), ([:], "false"), ([:], "true"),
        ] {
            let bench = try Bench(environment)
            let ann = try bench.add()
            try bench.set("quota_prompts_enabled", preference, of: ann)
            _ = try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: ann)
            let answer = try bench.call("GET", "/api/reminders", as: ann)
            let isOn = environment.isEmpty && preference == "true"
            #expect(answer["prompts_total"] == (isOn ? 1 : 0))
            let shown = try groups(bench, as: ann).reduce(0) { $0 + ($1["prompts"]?.array?.count ?? 0) }
            #expect(shown == (isOn ? 1 : 0))
            #expect(answer["prompts_considered_total"] == 0)
        }
    }

    @Test func `Q-13: only the owner has them; without periods they are in Anytime`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        _ = try bench.make(
            "q", ["is_tracked": true, "rrule": "FREQ=DAILY", "project_id": .int(house)], by: bob)
        #expect(try bench.call("GET", "/api/reminders", as: ann)["prompts_total"] == 0)
        #expect(try bench.call("GET", "/api/reminders", as: bob)["prompts_total"] == 1)
        try bench.change("DELETE FROM time_slot")
        let only = try groups(bench, as: bob)
        #expect(only.count == 1)
        #expect(only[0]["prompts"]?.array?.first?["slot_id"] == .null)
    }

    @Test func `M-8: enrichment is told the user's default period`() throws {
        let house = try QueueHouse()
        let evening = try house.bench.period("Evening", of: house.ann)
        try house.bench.set("quota_prompt_slot_id", "\(evening)", of: house.ann)
        try house.type("breathe", ["is_reminder": true])
        let context = try house.claimOne().context
        #expect(context.defaultPeriod == "Evening")
        #expect(context.periods.first?.label == "Early morning")
    }
}
