import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A32 Many changed at once")
struct BulkEditTests {
    private let path = "/api/tasks/bulk/edit"

    private func edit(
        _ bench: Bench, _ ids: [Int64], _ changes: JSONValue, _ more: [String: JSONValue] = [:],
        as person: Bench.Person
    ) throws -> Answer {
        var body = more
        body["ids"] = .ids(ids)
        body["changes"] = changes
        return try bench.call("POST", path, .object(body), as: person)
    }

    private func labels(_ bench: Bench, _ id: Int64) throws -> [String] { try bench.item(id).labels }

    private func last(_ bench: Bench) throws -> [String] {
        try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1")
    }

    @Test func `2.10, U-1: the shape; one entry and one event; undone and redone together`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try [1, 2].map {
            try bench.make("Task \($0)", ["due_at": .local("09:00"), "priority": 1], by: ann).id
        }
        let same = try bench.make("Same", ["priority": 2], by: ann).id
        let events = try bench.count("event")
        let answer = try edit(bench, ids + [same, ids[0]], ["priority": 2], as: ann)
        #expect(answer.status == 200)
        #expect(
            answer.data == [
                "tasks_affected": 2, "tasks_skipped": 0, "skipped_urgent": 0, "skipped_high": 0,
                "snoozed_high": 0, "skipped_reminders": 0, "skipped_no_due_date": 0,
                "skipped_past_deadline": 0, "stopped_at_deadline": [],
            ])
        #expect(try last(bench) == ["bulk_edit|Edited 2 tasks: priority Medium"])
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["0"])
        let undone = try bench.undo(as: ann)
        #expect(undone["undone_action"] == "bulk_edit" && undone["tasks_affected"] == 2)
        #expect(try ids.map { try bench.item($0).priority } == [.low, .low])
        try bench.redo(as: ann)
        #expect(try ids.map { try bench.item($0).priority } == [.medium, .medium])
        let entries = try bench.count("undo")
        #expect(try edit(bench, ids, ["priority": 2], as: ann)["tasks_affected"] == 0)
        #expect(try bench.count("undo") == entries)
    }

    @Test func `L-5: labels are replaced, then taken off, then put on; without case, order kept`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for name in ["Home", "shop", "urgent", "later"] {
            #expect(try bench.call("POST", "/api/labels", ["name": .string(name)], as: ann).status < 300)
        }
        let one = try bench.make("One", ["labels": ["Home", "shop"]], by: ann).id
        let two = try bench.make("Two", ["labels": ["urgent"]], by: ann).id
        let mixed = try edit(
            bench, [one, two], ["labels_add": ["HOME", "Later"], "labels_remove": ["SHOP"]], as: ann)
        #expect(mixed["tasks_affected"] == 2)
        #expect(try labels(bench, one) == ["Home", "later"])
        #expect(try labels(bench, two) == ["urgent", "Home", "later"])
        _ = try edit(
            bench, [one, two],
            ["labels": ["shop", "urgent"], "labels_remove": ["urgent"], "labels_add": ["Home"]],
            as: ann)
        #expect(try labels(bench, one) == ["shop", "Home"])
        #expect(try labels(bench, two) == ["shop", "Home"])
        // In both at once: it is put on last.
        _ = try edit(bench, [one], ["labels_remove": ["home"], "labels_add": ["home"]], as: ann)
        #expect(try labels(bench, one) == ["shop", "Home"])
    }

    @Test func `L-2, L-3: a label that nobody registered refuses the whole call, or is registered with it`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try [1, 2].map { try bench.make("Task \($0)", by: ann).id }
        for name in ["groseries", "ai-mine"] {
            let refused = try edit(bench, ids, ["labels_add": [.string(name)], "priority": 3], as: ann)
            expectRefused(refused, 400, "VALIDATION_ERROR")
        }
        #expect(try bench.item(ids[0]).priority == .unset)
        let made = try edit(bench, ids, ["labels_add": ["groceries"], "create_label": true], as: ann)
        #expect(made["tasks_affected"] == 2)
        #expect(try bench.rows("SELECT name FROM label WHERE name NOT LIKE 'ai-%'") == ["groceries"])
        let many = (1...50).map { JSONValue.string("l\($0)") }
        let over = try edit(bench, ids, ["labels_add": .array(many), "create_label": true], as: ann)
        expectRefused(over, 400, "VALIDATION_ERROR")
        #expect(over.culprits == ["ids.0", "ids.1"])
        #expect(try bench.rows("SELECT count(*) FROM label WHERE name LIKE 'l%'") == ["0"])
    }

    @Test func `S-16, C-5: a date is a snooze by the tiers; what is held back takes the rest`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let low = try bench.make("Low", ["due_at": .local("09:00"), "priority": 1], by: ann).id
        let urgent = try bench.make("Urgent", ["due_at": .local("09:00"), "priority": 4], by: ann).id
        let undated = try bench.make("Undated", by: ann).id
        let note = try bench.make("Think", ["is_reminder": true], by: ann).id
        try bench.take()
        let answer = try edit(
            bench, [low, urgent, undated, note], ["due_at": .local("15:00"), "notes": "n"], as: ann)
        #expect(answer["tasks_affected"] == 4 && answer["tasks_skipped"] == 0)
        #expect(answer["skipped_urgent"] == 1 && answer["skipped_reminders"] == 1)
        #expect(try bench.item(low).target == .local("15:00") && bench.item(low).snoozeCount == 1)
        #expect(try bench.item(undated).target == .local("15:00") && bench.item(undated).snoozeCount == 0)
        #expect(try bench.item(urgent).target == .local("09:00") && bench.item(urgent).notes == "n")
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["1"])
        #expect(try bench.outbox().compactMap(\.dismiss?.taskIDs) == [[low]])
        #expect(try bench.outbox().compactMap(\.badge) == [1])
        #expect(try last(bench) == ["bulk_edit|Edited 4 tasks: notes, target"])

        let picked = try edit(
            bench, [low, urgent], ["due_at": .local("16:00")], ["include_task_ids": .ids([urgent])], as: ann)
        #expect(picked["tasks_affected"] == 2)
        #expect(try last(bench) == ["bulk_edit|Snoozed 2 tasks until 4:00 PM"])
        // One with nothing left to change is skipped.
        let skipped = try edit(bench, [urgent, note], ["due_at": .local("17:00")], as: ann)
        #expect(skipped["tasks_affected"] == 0 && skipped["tasks_skipped"] == 2)
    }

    @Test func `A32: date_task_ids says whose date moves, delta_minutes how far`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let ids = try ["09:00", "11:00"].map { try bench.make("x", ["due_at": .local($0)], by: ann).id }
        let some = try edit(
            bench, ids, ["due_at": .local("15:00"), "priority": 2], ["date_task_ids": .ids([ids[1]])], as: ann
        )
        #expect(some["tasks_affected"] == 2)
        #expect(try ids.map { try bench.item($0).target } == [.local("09:00"), .local("15:00")])
        let delta = try edit(bench, ids, [:], ["delta_minutes": -30], as: ann)
        #expect(delta["tasks_affected"] == 2)
        #expect(try ids.map { try bench.item($0).target } == [.local("08:30"), .local("14:30")])
        #expect(try last(bench) == ["bulk_edit|Moved 2 tasks 30 min earlier"])
        let none = try edit(
            bench, ids, ["notes": "n"], ["delta_minutes": 60, "date_task_ids": []], as: ann)
        #expect(none["tasks_affected"] == 2)
        #expect(try ids.map { try bench.item($0).target } == [.local("08:30"), .local("14:30")])
    }

    @Test func `A32, R-12: each its own rule; T-8: with a rule the date is a schedule, whatever the tier`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let one = try bench.make("One", ["due_at": .local("12:00"), "priority": 4], by: ann).id
        let two = try bench.make("Two", ["due_at": .local("13:00"), "rrule": "FREQ=DAILY"], by: ann).id
        let three = try bench.make("Three", ["due_at": .local("13:00")], by: ann).id
        let answer = try edit(
            bench, [one, two, three], ["rrule": "FREQ=DAILY", "due_at": .local("10-16 08:00")],
            [
                "per_task": [
                    "\(one)": ["rrule": "FREQ=WEEKLY;BYDAY=FR"], "\(two)": ["rrule": nil],
                ]
            ], as: ann)
        #expect(answer.status == 200 && answer["tasks_affected"] == 3, "\(answer.body ?? .null)")
        #expect(try bench.item(one).rrule == "FREQ=WEEKLY;BYDAY=FR")
        #expect(try bench.item(two).rrule == nil)
        #expect(try bench.item(three).rrule == "FREQ=DAILY")
        for id in [one, two, three] {
            #expect(try bench.item(id).target == .local("10-16 08:00") && bench.item(id).snoozeCount == 0)
        }
        #expect(try bench.rows("SELECT snoozes FROM statistic") == ["0"])
    }

    @Test func `A32: the settings of quota reminders are merged`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let periods = try bench.rows("SELECT id FROM time_slot ORDER BY start_time").compactMap { Int64($0) }
        let stored: JSONValue = [
            "enabled": true, "slot_id": .int(periods[1]), "numbers": ["1": .int(periods[2])],
        ]
        let quota = try bench.make(
            "Read", ["progress_target": 3, "rrule": "FREQ=DAILY", "quota_prompt_config": stored], by: ann
        ).id
        let bare = try bench.make("Run", ["progress_target": 2, "rrule": "FREQ=DAILY"], by: ann).id
        func config(_ id: Int64) throws -> JSONValue { try bench.get(id, as: ann)["quota_prompt_config"] }

        _ = try edit(bench, [quota, bare], ["quota_prompt_config": ["enabled": false]], as: ann)
        #expect(
            try config(quota) == [
                "enabled": false, "slot_id": .int(periods[1]), "numbers": ["1": .int(periods[2])],
            ])
        #expect(try config(bare) == ["enabled": false])
        _ = try edit(
            bench, [quota], ["quota_prompt_config": ["numbers": ["2": nil], "slot_id": nil]], as: ann)
        #expect(try config(quota) == ["enabled": false, "slot_id": nil, "numbers": ["2": nil]])
        _ = try edit(bench, [quota], ["quota_prompt_config": ["numbers": [:]]], as: ann)
        #expect(try config(quota) == ["enabled": false, "slot_id": nil])
        _ = try edit(bench, [quota, bare], ["quota_prompt_config": nil], as: ann)
        #expect(try config(quota) == .null && config(bare) == .null)
        // T7.
        expectRefused(
            try edit(bench, [quota], ["quota_prompt_config": ["slot_id": 4711]], as: ann), 400,
            "VALIDATION_ERROR")
    }

    @Test func `A-5, T8, Q-2: the whole batch is refused, and each culprit named`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let good = try bench.make(by: ann).id
        let trashed = try bench.make(by: ann).id
        try bench.trash(trashed, as: ann)
        let quota = try bench.make("Read", ["progress_target": 3, "rrule": "FREQ=DAILY"], by: ann).id
        let done = try bench.make("Done", ["due_at": .local("09:00")], by: ann).id
        try bench.act("done", done, as: ann)
        let foreign = try bench.make(by: bob).id
        let cases: [([Int64], JSONValue, Set<String>)] = [
            ([good, 999, foreign], ["priority": 1], ["ids.1", "ids.2"]),
            ([good, trashed], ["priority": 1], ["ids.1"]),
            ([good, quota], ["rrule": nil], ["ids.1"]),
            ([good, done], ["due_at": .local("15:00")], ["ids.1"]),
            ([good], ["title": ""], ["ids.0"]), ([good], ["priority": 9], ["changes.priority"]),
            ([good], ["rrule": "THIS IS NOT AN RRULE"], ["ids.0"]),
        ]
        for (ids, changes, culprits) in cases {
            let refused = try edit(bench, ids, changes, as: ann)
            expectRefused(refused, 400, "VALIDATION_ERROR")
            #expect(refused.culprits == culprits, "\(changes)")
        }
        #expect(try bench.item(good).version == 1)
        // A done task takes what is no date.
        #expect(try edit(bench, [done], ["notes": "n"], as: ann)["tasks_affected"] == 1)
    }

    @Test func `D-12: a reschedule beyond a deadline says so for the whole batch`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let tied = try bench.make(
            "Tied", ["due_at": .local("11:00"), "deadline_at": .local("12:00")], by: ann
        ).id
        let free = try bench.make("Free", ["due_at": .local("11:00")], by: ann).id
        let refused = try edit(
            bench, [free, tied], ["due_at": .local("15:00"), "reset_original_due_at": true], as: ann)
        expectRefused(refused, 400, "VALIDATION_ERROR", culprit: "ids.1")
        #expect(refused.reason == "target_after_deadline")
        #expect(try bench.item(free).target == .local("11:00"))
        let stopped = try edit(bench, [free, tied], ["due_at": .local("15:00")], as: ann)
        #expect(stopped["stopped_at_deadline"] == .ids([tied]))
    }

    @Test func `T6, L-13: a project must be there for the caller, and for each owner`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let own = try bench.call("POST", "/api/projects", ["name": "Own"], as: ann).id
        let hidden = try bench.call("POST", "/api/projects", ["name": "Hidden"], as: bob).id
        let mine = try bench.make("Mine", by: ann).id
        let his = try bench.make("His", ["project_id": .int(house)], by: bob).id
        expectRefused(try edit(bench, [mine], ["project_id": .int(hidden)], as: ann), 404, "NOT_FOUND")
        expectRefused(try edit(bench, [mine, his], ["project_id": .int(own)], as: ann), 403, "FORBIDDEN")
        #expect(try bench.item(mine).project.rawValue == ann.inbox)
        #expect(try edit(bench, [mine, his], ["project_id": .int(house)], as: ann)["tasks_affected"] == 1)
    }

    @Test func `A32: what the body may say`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        let wrong: [([String: JSONValue], String)] = [
            (["ids": .ids([id])], "changes"), (["ids": .ids([id]), "changes": []], "changes"),
            (["changes": [:]], "ids"), (["ids": [], "changes": [:]], "ids"),
            (["ids": .ids([id]), "changes": ["due_at": nil], "delta_minutes": 5], "delta_minutes"),
            (["ids": .ids([id]), "changes": [:], "delta_minutes": 525_601], "delta_minutes"),
            (
                ["ids": .ids([id]), "changes": [:], "per_task": ["99": ["rrule": "FREQ=DAILY"]]],
                "per_task.99"
            ),
            (
                ["ids": .ids([id]), "changes": [:], "per_task": ["\(id)": ["due_at": nil]]],
                "per_task.\(id).due_at"
            ),
            (["ids": .ids([id]), "changes": [:], "per_task": ["\(id)": [:]]], "per_task.\(id).rrule"),
            (["ids": .ids([id]), "changes": ["labels_add": ["a", 7]]], "changes.labels_add.1"),
            (["ids": .ids([id]), "changes": [:], "date_task_ids": [0]], "date_task_ids.0"),
        ]
        for (body, culprit) in wrong {
            expectRefused(
                try bench.call("POST", path, .object(body), as: ann), 400, "VALIDATION_ERROR",
                culprit: culprit)
        }
        #expect(try edit(bench, [id], [:], as: ann)["tasks_affected"] == 0)
        #expect(try bench.call("GET", path, as: ann).header("Allow") == "POST")
        #expect(try bench.item(id).version == 1)
    }

    @Test func `A-4: a repeated bulk edit changes nothing more`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        for _ in 1...2 {
            let answer = try bench.call(
                "POST", path, ["ids": .ids([id]), "changes": [:], "delta_minutes": 60], as: ann,
                headers: [("Idempotency-Key", "e1")])
            #expect(answer["tasks_affected"] == 1)
        }
        #expect(try bench.item(id).target == .local("10:00"))
    }
}

@Suite("A24 Confirming a proposal")
struct ConfirmTests {
    private func confirm(_ bench: Bench, _ id: Int64, as person: Bench.Person) throws -> Answer {
        try bench.call("POST", "/api/tasks/\(id)/confirm", as: person)
    }

    @Test func `L-4: proposed becomes added, nothing else; twice is the same as once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("Call", ["ai_proposed": true, "due_at": .local("09:00")], by: ann).id
        try bench.take()
        let answer = try confirm(bench, id, as: ann)
        #expect(answer.status == 200 && answer["confirmed"] == true && answer["labels"] == ["ai-added"])
        #expect(
            try bench.rows("SELECT action || '|' || description FROM undo ORDER BY id DESC LIMIT 1") == [
                "edit|Confirmed \"Call\""
            ])
        #expect(try bench.outbox().isEmpty)
        let again = try confirm(bench, id, as: ann)
        #expect(again["confirmed"] == true && again.version == answer.version)
        #expect(try bench.count("undo") == 2)
        try bench.undo(as: ann)
        #expect(try bench.get(id, as: ann)["labels"] == ["ai-proposed"])
    }

    @Test func `L-4: it does not end the waiting of a text; a stranger and the trash are refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let id = try bench.make("Call Eve", ["ai_proposed": true, "enrich": true], by: ann).id
        expectRefused(try confirm(bench, id, as: bob), 404, "NOT_FOUND")
        #expect(Set(try confirm(bench, id, as: ann)["labels"].array ?? []) == ["ai-added", "ai-to-process"])
        #expect(try bench.count("job") == 1)
        try bench.trash(id, as: ann)
        expectRefused(try confirm(bench, id, as: ann), 400, "VALIDATION_ERROR")
    }
}
