import Domain
import JSON
import TestSupport
import Testing
import Time

extension Bench {
    /// The ids of somebody's periods by their names.
    func periodIDs(of person: Person) throws -> [String: Int64] {
        let slots = try call("GET", "/api/time-slots", as: person)["time_slots"].array ?? []
        return Dictionary(
            slots.compactMap { slot in
                guard let label = slot["label"]?.string, let id = slot["id"]?.int else { return nil }
                return (label, id)
            }, uniquingKeysWith: { first, _ in first })
    }

    func period(_ label: String, of person: Person) throws -> Int64 {
        try unwrap(try periodIDs(of: person)[label], label)
    }

    /// A reminder at a time of every day.
    func remind(_ title: String, at time: String, _ more: [String: JSONValue] = [:], by person: Person) throws
        -> Int64
    {
        let parts = time.split(separator: ":").compactMap { Int($0) }
        var body = more
        body["is_reminder"] = true
        body["rrule"] = .string("FREQ=DAILY;BYHOUR=\(parts[0]);BYMINUTE=\(parts[1])")
        return try make(title, body, by: person).id
    }

    /// What other rows of the store keep, for comparing before and after undo; `updated_at` and versions move on.
    func everything(of person: Person) throws -> [String] {
        let id = person.id.rawValue
        return try rows(
            "SELECT id || label || start_time || sort_order || created_at FROM time_slot WHERE user_id = \(id) ORDER BY id"
        )
            + rows("SELECT key || value FROM preference WHERE user_id = \(id)")
            + rows(
                """
                SELECT id || ' ' || ifnull(rrule, '-') || ifnull(anchor_time, '-') || ifnull(due_at, '-')
                    || ifnull(original_due_at, '-') || ifnull(quota_prompt_config, '-') || ifnull(deleted_at, '-')
                FROM task WHERE user_id = \(id) ORDER BY id
                """)
    }
}

@Suite("A43 to A46, M-10, M-16, M-17 Periods")
struct PeriodRouteTests {
    @Test func `A43, M-10: a new user has five, in order of their start`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("GET", "/api/time-slots", as: ann)
        #expect(answer.status == 200)
        #expect(answer["count"] == 5)
        let slots = try unwrap(answer["time_slots"].array)
        #expect(
            slots.compactMap { $0["start_time"]?.string } == ["07:00", "09:00", "12:00", "16:00", "20:30"])
        #expect(
            slots.compactMap { $0["label"]?.string }
                == ["Early morning", "Morning", "Midday", "Afternoon", "Evening"])
        #expect(
            Set((slots[0].object ?? [:]).keys)
                == ["id", "user_id", "label", "start_time", "sort_order", "created_at"])
        #expect(slots[0]["user_id"] == .int(ann.id.rawValue))
        #expect(slots[0]["created_at"] == .local("10:00"))
        expectRefused(try bench.call("GET", "/api/time-slots"), 401, "UNAUTHORIZED")
    }

    @Test func `A44: a new period, seen in order, told by an event, not in the undo history`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.call(
            "POST", "/api/time-slots", ["label": " Lunch ", "start_time": "13:15", "sort_order": 7], as: ann)
        #expect(made.status == 200)
        #expect(made["label"] == "Lunch")
        #expect(made["start_time"] == "13:15")
        #expect(made["sort_order"] == 7)
        #expect(made["user_id"] == .int(ann.id.rawValue))
        let list = try bench.call("GET", "/api/time-slots", as: ann)
        #expect(list["time_slots"].array?[3] == made.data)
        #expect(try bench.count("undo") == 0)
        #expect(try bench.rows("SELECT data FROM event") == [#"{"type":"sync"}"#])
    }

    @Test(
        arguments: [
            (["label": "x", "start_time": "09:00"], "start_time"),
            (["label": "x", "start_time": "9:30"], "start_time"),
            (["label": "x", "start_time": "24:00"], "start_time"),
            (["label": "x", "start_time": 9], "start_time"),
            (["label": "x"], "start_time"), (["label": " ", "start_time": "09:30"], "label"),
            (["start_time": "09:30"], "label"), (["label": 1, "start_time": "09:30"], "label"),
            (["label": "x", "start_time": "09:30", "sort_order": 1001], "sort_order"),
        ] as [(JSONValue, String)])
    func `A44, X-3: what cannot be is refused by name`(_ body: JSONValue, _ field: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/time-slots", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: field)
        #expect(try bench.count("time_slot") == 5)
        #expect(try bench.count("event") == 0)
    }

    @Test func `M-10: there are at most 24, and another user's start is nobody else's concern`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        for minute in 10..<29 {
            let body: JSONValue = ["label": "x", "start_time": .string("10:\(minute)")]
            #expect(try bench.call("POST", "/api/time-slots", body, as: ann).status == 200)
        }
        let body: JSONValue = ["label": "x", "start_time": "11:00"]
        expectRefused(try bench.call("POST", "/api/time-slots", body, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.call("POST", "/api/time-slots", body, as: bob).status == 200)
    }

    @Test func `A44, A-4: the same request with its key is answered from store`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let key = [(name: "Idempotency-Key", value: "once")]
        let body: JSONValue = ["label": "x", "start_time": "09:30"]
        let first = try bench.call("POST", "/api/time-slots", body, as: ann, headers: key)
        let second = try bench.call("POST", "/api/time-slots", body, as: ann, headers: key)
        #expect(first.data == second.data)
        #expect(try bench.count("time_slot WHERE user_id = \(ann.id.rawValue)") == 6)
    }

    @Test func `A45, M-16: a new start carries along, answers how many, and is one undo entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        bench.at("08:00")
        let on = try bench.remind("on", at: "09:00", by: ann)
        let early = try bench.remind("early", at: "09:15", by: ann)
        let late = try bench.remind("late", at: "10:00", by: ann)
        let other = try bench.remind("other", at: "12:00", by: ann)
        bench.at("11:00")
        let before = try bench.everything(of: ann)
        try bench.take()
        let events = try bench.count("event")
        let answer = try bench.call("PATCH", "/api/time-slots/\(id)", ["start_time": "09:30"], as: ann)
        #expect(answer.status == 200)
        #expect(
            Set((answer.data.object ?? [:]).keys) == ["slot", "reminders_moved", "quotas_moved", "undo_id"])
        #expect(answer["slot"]["start_time"] == "09:30")
        #expect(answer["slot"]["label"] == "Morning")
        #expect(answer["reminders_moved"] == 2)
        #expect(answer["quotas_moved"] == 0)
        #expect(try bench.item(on).anchorTime == LocalTime("09:30"))
        #expect(try bench.item(early).anchorTime == LocalTime("09:30"))
        #expect(try bench.item(late).version == 1)
        #expect(try bench.item(other).version == 1)
        #expect(try bench.count("event") == events + 1)

        let history = try bench.call("GET", "/api/undo/status", as: ann)
        #expect(answer["undo_id"] == history["latest_id"])
        let after = try bench.everything(of: ann)
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "time_slot_edit")
        #expect(undone["description"] == "Moved \"Morning\" to 9:30 AM")
        #expect(undone["tasks_affected"] == 2)
        #expect(undone["skipped_fields"] == [])
        #expect(try bench.everything(of: ann) == before)
        #expect(try bench.redo(as: ann)["redone_action"] == "time_slot_edit")
        #expect(try bench.everything(of: ann) == after)
    }

    @Test func `M-16: a start without reminders is an entry and an event all the same`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let answer = try bench.call(
            "PATCH", "/api/time-slots/\(id)", ["start_time": "09:30", "label": "Forenoon"], as: ann)
        #expect(answer["undo_id"].int != nil)
        #expect(try bench.count("event") == 1)
        #expect(try bench.undo(as: ann)["tasks_affected"] == 0)
        let slots = try bench.call("GET", "/api/time-slots", as: ann)["time_slots"].array
        #expect(slots?[1]["start_time"] == "09:00")
        #expect(slots?[1]["label"] == "Morning")
        #expect(try bench.count("event") == 2)
    }

    @Test func `M-16, U-10: renaming moves nothing, keeps the redo stack and makes no entry`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let reminder = try bench.remind("r", at: "09:00", by: ann)
        try bench.undo(as: ann)
        let answer = try bench.call("PATCH", "/api/time-slots/\(id)", ["label": "Forenoon"], as: ann)
        #expect(answer["slot"]["label"] == "Forenoon")
        #expect(answer["reminders_moved"] == 0)
        #expect(answer["undo_id"] == .null)
        #expect(try bench.redo(as: ann)["redone_action"] == "create")
        let events = try bench.count("event")
        let version = try bench.item(reminder).version
        let same = try bench.call(
            "PATCH", "/api/time-slots/\(id)", ["label": "Forenoon", "start_time": "09:00"], as: ann)
        #expect(same.status == 200)
        #expect(same["slot"] == answer["slot"])
        #expect(same["undo_id"] == .null)
        #expect(try bench.count("event") == events)
        #expect(try bench.item(reminder).version == version)
    }

    @Test(
        arguments: [
            ([:], ""), (["start_time": "12:00"], "start_time"), (["start_time": nil], "start_time"),
            (["label": nil], "label"), (["label": ""], "label"), (["sort_order": 3], "sort_order"),
            (["start_time": "09:30", "more": 1], "more"), (["start_time": "09:30:00"], "start_time"),
        ] as [(JSONValue, String)])
    func `A45: a strict body, and a start that is free`(_ body: JSONValue, _ field: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let before = try bench.everything(of: ann)
        let answer = try bench.call("PATCH", "/api/time-slots/\(id)", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: field)
        #expect(try bench.everything(of: ann) == before)
        #expect(try bench.count("event") == 0)
    }

    @Test func `A45, A46, 1.13: another's period is not found, and neither is none`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try bench.period("Morning", of: bob)
        for id in ["\(id)", "4711"] {
            let edited = try bench.call("PATCH", "/api/time-slots/\(id)", ["label": "x"], as: ann)
            expectRefused(edited, 404, "NOT_FOUND")
            expectRefused(try bench.call("DELETE", "/api/time-slots/\(id)", as: ann), 404, "NOT_FOUND")
        }
        for id in ["abc", "0", "-1"] {
            expectRefused(
                try bench.call("DELETE", "/api/time-slots/\(id)", as: ann), 400, "VALIDATION_ERROR")
        }
        #expect(try bench.call("GET", "/api/time-slots", as: bob)["count"] == 5)
    }

    @Test func `A46, M-17: what pointed to a period goes to the nearest one, and undo gives everything back`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try bench.periodIDs(of: ann)
        let morning = try unwrap(ids["Morning"])
        try bench.set("quota_prompt_slot_id", "\(morning)", of: ann)
        let r1 = try bench.remind("r1", at: "09:00", by: ann)
        let r2 = try bench.remind("r2", at: "11:00", by: ann)
        let trashed = try bench.remind("trashed", at: "09:30", by: ann)
        try bench.trash(trashed, as: ann)
        let other = try bench.remind("other", at: "07:00", by: ann)
        let weekly = try bench.make(
            "w",
            [
                "is_tracked": true, "rrule": "FREQ=WEEKLY",
                "quota_prompt_config": ["enabled": true, "slot_id": .int(morning)],
            ], by: ann
        ).id
        let daily = try bench.make(
            "d",
            [
                "progress_target": 3, "rrule": "FREQ=DAILY",
                "quota_prompt_config": [
                    "numbers": ["1": .int(morning), "2": nil, "3": .int(try unwrap(ids["Evening"]))]
                ],
            ], by: ann
        ).id
        let before = try bench.everything(of: ann)
        let answer = try bench.call("DELETE", "/api/time-slots/\(morning)", as: ann)
        #expect(answer.status == 200)
        #expect(
            Set((answer.data.object ?? [:]).keys) == ["slot", "reminders_moved", "quotas_moved", "undo_id"])
        #expect(answer["slot"]["id"] == .int(morning))
        #expect(answer["slot"]["start_time"] == "09:00")
        #expect(answer["reminders_moved"] == 3)
        #expect(answer["quotas_moved"] == 2)
        #expect(try bench.item(r1).rrule == "FREQ=DAILY;BYHOUR=7;BYMINUTE=0")
        #expect(try bench.item(r2).rrule == "FREQ=DAILY;BYHOUR=12;BYMINUTE=0")
        #expect(try bench.item(trashed).anchorTime == LocalTime("07:00"))
        #expect(try bench.item(other).version == 1)
        let early = JSONValue.int(try unwrap(ids["Early morning"]))
        #expect(try bench.get(weekly, as: ann)["quota_prompt_config"] == ["enabled": true, "slot_id": early])
        #expect(
            try bench.get(daily, as: ann)["quota_prompt_config"]
                == ["numbers": ["1": early, "2": nil, "3": .int(try unwrap(ids["Evening"]))]])
        #expect(
            try bench.rows("SELECT value FROM preference WHERE key = 'quota_prompt_slot_id'") == [
                "\(early.int ?? 0)"
            ])
        #expect(try bench.call("GET", "/api/time-slots", as: ann)["count"] == 4)

        let after = try bench.everything(of: ann)
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "time_slot_delete")
        #expect(undone["description"] == "Removed \"Morning\"")
        #expect(undone["tasks_affected"] == 5)
        #expect(undone["skipped_fields"] == [])
        #expect(try bench.everything(of: ann) == before)
        try bench.redo(as: ann)
        #expect(try bench.everything(of: ann) == after)
        try bench.undo(as: ann)
        #expect(try bench.everything(of: ann) == before)
    }

    @Test func `M-10: the last one stays; a repeat of a removal is not found`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try bench.periodIDs(of: ann).values.sorted()
        for id in ids.dropLast() {
            #expect(try bench.call("DELETE", "/api/time-slots/\(id)", as: ann).status == 200)
        }
        expectRefused(try bench.call("DELETE", "/api/time-slots/\(ids[0])", as: ann), 404, "NOT_FOUND")
        expectRefused(try bench.call("DELETE", "/api/time-slots/\(ids[4])", as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.call("GET", "/api/time-slots", as: ann)["count"] == 1)
    }

    @Test func `U-4: a period whose place is taken does not come back, and nothing that moved with it`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let reminder = try bench.remind("r", at: "09:00", by: ann)
        _ = try bench.call("DELETE", "/api/time-slots/\(id)", as: ann)
        _ = try bench.call("POST", "/api/time-slots", ["label": "New", "start_time": "09:00"], as: ann)
        let before = try bench.everything(of: ann)
        let undone = try bench.undo(as: ann)
        #expect(undone["skipped_fields"] == ["start_time"])
        #expect(undone["tasks_affected"] == 0)
        #expect(try bench.everything(of: ann) == before)
        #expect(try bench.item(reminder).anchorTime == LocalTime("07:00"))
        #expect(try bench.undo(as: ann)["undone_action"] == "create", "the stack is not stuck (U-9)")
    }

    @Test func `U-4: a name given since is kept and named; the start and its reminders come back`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let reminder = try bench.remind("r", at: "09:00", by: ann)
        _ = try bench.call("PATCH", "/api/time-slots/\(id)", ["start_time": "09:30", "label": "A"], as: ann)
        _ = try bench.call("PATCH", "/api/time-slots/\(id)", ["label": "B"], as: ann)
        #expect(try bench.undo(as: ann)["skipped_fields"] == ["label"])
        let slots = try bench.call("GET", "/api/time-slots", as: ann)["time_slots"].array
        #expect(slots?[1]["label"] == "B")
        #expect(slots?[1]["start_time"] == "09:00")
        #expect(try bench.item(reminder).anchorTime == LocalTime("09:00"))
    }

    @Test func `U-4: redo of a removal leaves a period alone that was renamed since, with its reminders`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let reminder = try bench.remind("r", at: "09:00", by: ann)
        _ = try bench.call("DELETE", "/api/time-slots/\(id)", as: ann)
        try bench.undo(as: ann)
        _ = try bench.call("PATCH", "/api/time-slots/\(id)", ["label": "B"], as: ann)
        #expect(try bench.redo(as: ann)["skipped_fields"] == ["start_time"])
        #expect(try bench.period("B", of: ann) == id)
        #expect(try bench.item(reminder).anchorTime == LocalTime("09:00"))
    }

    @Test func `U-4: a reminder moved by hand since keeps its time; the others come back`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.period("Morning", of: ann)
        let mine = try bench.remind("mine", at: "09:00", by: ann)
        let other = try bench.remind("other", at: "09:00", by: ann)
        _ = try bench.call("PATCH", "/api/time-slots/\(id)", ["start_time": "09:30"], as: ann)
        let rule: JSONValue = ["rrule": "FREQ=DAILY;BYHOUR=15;BYMINUTE=0"]
        try bench.patch(mine, rule, as: ann)
        #expect(try bench.undo(as: ann)["undone_action"] == "edit")
        try bench.patch(mine, rule, as: ann)
        let start = try bench.call("GET", "/api/undo/status", as: ann)
        // Only the first entry: the newer edit stands.
        try bench.change("DELETE FROM undo WHERE id = \(start["latest_id"].int ?? 0)")
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "time_slot_edit")
        #expect(Set(undone["skipped_fields"].array ?? []).isSuperset(of: ["rrule", "anchor_time"]))
        #expect(try bench.item(mine).anchorTime == LocalTime("15:00"))
        #expect(try bench.item(other).anchorTime == LocalTime("09:00"))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `M-16, M-17, U-1: whatever is moved and removed, undo gives back exactly what was, step by step`(
        _ seed: UInt64
    ) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let bench = try Bench()
        let ann = try bench.add("ann", zone: ["America/Chicago", "Australia/Lord_Howe"][Int(seed % 2)])
        func time(_ random: inout SeededGenerator) -> String {
            let minute = Int.random(in: 0..<288, using: &random) * 5
            return "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
        }
        let labels = ["Early morning", "Morning", "Midday", "Afternoon", "Evening"]
        let ids = try bench.periodIDs(of: ann)
        for index in 0..<12 {
            _ = try bench.remind("r\(index)", at: time(&random), by: ann)
            let slot = try unwrap(ids[try unwrap(labels.randomElement(using: &random))])
            _ = try bench.make(
                "q\(index)",
                ["is_tracked": true, "rrule": "FREQ=DAILY", "quota_prompt_config": ["slot_id": .int(slot)]],
                by: ann)
        }
        try bench.set("quota_prompt_slot_id", "\(try unwrap(ids["Midday"]))", of: ann)
        let entries = try bench.count("undo")
        var states = [try bench.everything(of: ann)]
        for _ in 0..<12 {
            let present = try bench.periodIDs(of: ann).values.sorted()
            let id = try unwrap(present.randomElement(using: &random))
            let answer =
                Int.random(in: 0..<3, using: &random) == 0
                ? try bench.call("DELETE", "/api/time-slots/\(id)", as: ann)
                : try bench.call(
                    "PATCH", "/api/time-slots/\(id)", ["start_time": .string(time(&random))], as: ann)
            if answer.status == 200, answer["undo_id"] != .null {
                states.append(try bench.everything(of: ann))
            }
            // M-17: nothing points to a period that is gone.
            let own = Set(try bench.periodIDs(of: ann).values)
            let named = try bench.rows(
                """
                SELECT json_extract(quota_prompt_config, '$.slot_id') || '' FROM task WHERE quota_prompt_config IS NOT NULL
                UNION ALL SELECT value FROM preference WHERE key = 'quota_prompt_slot_id'
                """
            ).compactMap { Int64($0) }
            #expect(Set(named).isSubset(of: own))
        }
        #expect(try bench.count("undo") == entries + states.count - 1)
        for state in states.dropLast().reversed() {
            #expect(try bench.undo(as: ann)["skipped_fields"] == [])
            #expect(Set(try bench.everything(of: ann)).symmetricDifference(state) == [])
        }
        for state in states.dropFirst() {
            #expect(try bench.redo(as: ann)["skipped_fields"] == [])
            #expect(Set(try bench.everything(of: ann)).symmetricDifference(state) == [])
        }
    }
}
