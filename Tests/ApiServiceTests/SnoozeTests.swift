import Domain
import JSON
import Testing
import Time

@Suite("A25 One task, snoozed")
struct SnoozeTests {
    @Test(
        arguments: [
            ("17:00", ["option": "60"], "18:00"), ("17:00", ["option": "next_period"], "20:30"),
            ("13:00", ["option": "60"], "15:00"), ("13:00", ["option": "next_period"], "16:00"),
            ("13:00", ["option": "10"], "14:30"), ("17:20", ["option": "60"], "18:20"),
            ("13:00", ["option": "tomorrow"], "10-15 09:00"), ("13:00", ["delta_minutes": 90], "14:30"),
            ("13:00", ["delta_minutes": -90], "11:30"), ("13:00", [:], "15:00"),
            ("13:00", ["until": "2026-10-14T12:00"], "12:00"),
        ] as [(String, JSONValue, String)])
    func `S-3: what is asked for at 14:20`(_ target: String, _ body: JSONValue, _ result: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        let id = try bench.make("x", ["due_at": .local(target)], by: ann).id
        let answer = try bench.act("snooze", id, body, as: ann)
        #expect(answer["due_at"] == .local(result))
        #expect(answer["previous_due_at"] == .local(target))
        #expect(answer["original_due_at"] == .local(target))
        #expect(answer["snooze_count"] == 1)
        #expect(answer["is_snoozed"] == true)
        #expect(answer["description"].string?.hasPrefix("Snoozed \"x\" to ") == true)
        #expect(answer.data.object?["stopped_at_deadline"] == nil)
    }

    @Test func `a period by its id; an unknown one, an unknown option, two targets at once are refused`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        let evening = try unwrap(try bench.rows("SELECT id FROM time_slot WHERE label = 'Evening'").first)
        let moved = try bench.act("snooze", id, ["option": .string("period:\(evening)")], as: ann)
        #expect(moved["due_at"] == .local("20:30"))
        for body in [
            ["option": "period:4711"], ["option": "0"], ["option": "1441"], ["option": "060000"],
            ["option": "soon"],
            ["until": "soon"], ["until": .local("12:00"), "option": "60"], ["delta_minutes": "60"],
        ] as [JSONValue] {
            let answer = try bench.call("POST", "/api/tasks/\(id)/snooze", body, as: ann)
            expectRefused(answer, 400, "VALIDATION_ERROR")
        }
    }

    @Test func `Golden 37 and 39: a snooze stops at the deadline, and there does nothing more`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("17:00")
        let id = try bench.make("x", ["due_at": .local("17:30"), "deadline_at": .local("18:00")], by: ann).id
        let stopped = try bench.act("snooze", id, ["option": "60"], as: ann)
        #expect(stopped["due_at"] == .local("18:00"))
        #expect(stopped["stopped_at_deadline"] == true)
        let entries = try bench.count("undo")
        let again = try bench.act("snooze", id, ["option": "60"], as: ann)
        #expect(again["stopped_at_deadline"] == true)
        #expect(again.version == stopped.version)
        #expect(try bench.count("undo") == entries)
    }

    @Test func `Golden 38: after the deadline the stop is gone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00"), "deadline_at": .local("12:00")], by: ann).id
        bench.at("14:20")
        let moved = try bench.act("snooze", id, ["option": "60"], as: ann)
        #expect(moved["due_at"] == .local("15:00"))
        #expect(moved.data.object?["stopped_at_deadline"] == nil)
    }

    @Test func `S-1: reminders, quotas and finished tasks are not snoozed`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let reminder = try bench.make("r", ["is_reminder": true], by: ann).id
        let quota = try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: ann).id
        let done = try bench.make("d", by: ann).id
        try bench.act("done", done, as: ann)
        for id in [reminder, quota, done] {
            let answer = try bench.call("POST", "/api/tasks/\(id)/snooze", ["option": "60"], as: ann)
            expectRefused(answer, 400, "VALIDATION_ERROR")
        }
    }

    @Test func `N-43: a snooze for a target that is another one now changes nothing and says so`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        let first = try bench.act("snooze", id, ["option": "60", "due_at": .local("09:00")], as: ann)
        #expect(first["due_at"] == .local("11:00"))
        let stale = try bench.act("snooze", id, ["option": "60", "due_at": .local("09:00")], as: ann)
        #expect(stale["stale"] == true)
        #expect(stale.version == first.version)
        #expect(first.data.object?["stale"] == nil)
    }

    @Test func `S-20: a person who snoozes a task that waits for enrichment has taken it in hand`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.call("POST", "/api/tasks", ["title": "call bob"], as: ann).id
        let snoozed = try bench.act("snooze", id, ["option": "60"], as: ann)
        #expect(snoozed["labels"] == [])
        #expect(snoozed["snooze_count"] == 0, "the first date is no snooze")
        #expect(try bench.count("job") == 0)
    }
}

@Suite("A31 The sweep")
struct SweepTests {
    private let keys: Set<String> = [
        "tasks_affected", "tasks_skipped", "skipped_urgent", "skipped_high", "snoozed_high",
        "skipped_reminders",
        "skipped_past_deadline", "stopped_at_deadline", "snoozed_ids", "urgent_left", "total_over_target",
        "until",
        "message", "feedback_notification",
    ]

    @Test func `Golden 55 and 56: two presses, lower ones first`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        var ids: [Int64] = []
        for priority in [1, 1, 3, 4] {
            let more: [String: JSONValue] = ["due_at": .local("09:00"), "priority": .int(Int64(priority))]
            ids.append(try bench.make("x", more, by: ann).id)
        }
        let first = try bench.sweep(["option": "60"], as: ann)
        #expect(Set((first.data.object ?? [:]).keys) == keys)
        #expect(first["tasks_affected"] == 2)
        #expect(Set(first["snoozed_ids"].array ?? []) == [.int(ids[0]), .int(ids[1])])
        #expect(first["skipped_high"] == 1)
        #expect(first["skipped_urgent"] == 2, "High and Urgent together, its published meaning")
        #expect(first["tasks_skipped"] == 2)
        #expect(first["urgent_left"] == 1)
        #expect(first["total_over_target"] == 2)
        #expect(first["until"] == .local("15:00"))

        let second = try bench.sweep(["option": "60"], as: ann)
        #expect(second["tasks_affected"] == 1)
        #expect(second["snoozed_high"] == 1)
        let text =
            "Snoozed 1 high-priority task until 3:00 PM. 1 Urgent still over target. Urgent can't be bulk snoozed"
        #expect(second["message"] == .string(text))
        #expect(try bench.item(ids[3]).target == .local("09:00"))
    }

    @Test func `S-18: nothing over target has the same shape and leaves no trace`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.sweep(as: ann)
        #expect(Set((answer.data.object ?? [:]).keys) == keys)
        #expect(answer["tasks_affected"] == 0)
        #expect(answer["message"] == "Nothing over target")
        #expect(try bench.count("undo") == 0)
        #expect(try bench.count("event") == 0)
    }

    @Test(
        arguments: [
            ([:], "12:00"), (["slot": "next"], "12:00"), (["slot": "20:30"], "20:30"),
            (["slot": "09:00"], "10-15 09:00"),
            (["tomorrow": true], "10-15 09:00"), (["delta_minutes": 60], "11:00"),
            (["delta_minutes": 20], "10:20"),
            (["until": "2026-10-14T18:00"], "18:00"),
        ] as [(JSONValue, String)])
    func `the ways to say until when`(_ body: JSONValue, _ until: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:30")], by: ann).id
        #expect(try bench.sweep(body, as: ann)["until"] == .local(until))
        #expect(try bench.item(id).target == .local(until))
    }

    @Test(
        arguments: [
            ["slot": "09:01"], ["slot": "9:00"], ["tomorrow": false], ["tomorrow": 1], ["delta_minutes": 0],
            ["delta_minutes": 60, "slot": "next"], ["until": .local("12:00"), "tomorrow": true],
            ["include_task_ids": [0]], ["include_task_ids": [4711]], ["include_task_ids": "1"],
            ["include_task_ids": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]], ["notify": "no"],
        ] as [JSONValue])
    func `what cannot be is refused and moves nothing`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:30")], by: ann).id
        let answer = try bench.call("POST", "/api/tasks/bulk/snooze-overdue", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR")
        #expect(try bench.item(id).version == 1)
    }

    @Test func `Golden 59: an included task moves whatever its priority; another's id is refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        func make(_ priority: Int64) throws -> Int64 {
            try bench.make("x", ["due_at": .local("09:00"), "priority": .int(priority)], by: ann).id
        }
        let urgent = try make(4)
        let unset = try make(0)
        let high = try make(3)
        let foreign = try bench.make("b", ["due_at": .local("09:00")], by: bob).id
        let body: JSONValue = ["include_task_ids": [.int(foreign)]]
        #expect(try bench.call("POST", "/api/tasks/bulk/snooze-overdue", body, as: ann).status == 400)
        let answer = try bench.sweep(["option": "60", "include_task_ids": [.int(urgent)]], as: ann)
        #expect(Set(answer["snoozed_ids"].array ?? []) == [.int(urgent), .int(unset)])
        #expect(try bench.item(high).version == 1)
        #expect(try bench.item(foreign).version == 1)
    }

    @Test func `Golden 60: a task stops at its deadline and counts as moved`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        let more: [String: JSONValue] = [
            "due_at": .local("13:00"), "deadline_at": .local("14:40"), "priority": 1,
        ]
        let id = try bench.make("x", more, by: ann).id
        let answer = try bench.sweep(["option": "60"], as: ann)
        #expect(answer["tasks_affected"] == 1)
        #expect(answer["stopped_at_deadline"] == [.int(id)])
        #expect(try bench.item(id).target == .local("14:40"))
    }
}
