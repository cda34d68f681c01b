import Domain
import JSON
import Testing
import Time

/// Names and types of api 2.1; `?` may be null.
let taskMembers: [String: String] = [
    "id": "int", "user_id": "int", "project_id": "int", "title": "str", "original_title": "str?",
    "short_title": "str?", "done": "bool", "done_at": "dt?", "priority": "int", "due_at": "dt?",
    "rrule": "str?", "recurrence_mode": "str", "anchor_time": "hhmm?", "anchor_dow": "int?",
    "anchor_dom": "int?", "original_due_at": "dt?", "last_notified_at": "dt?",
    "last_critical_alert_at": "dt?", "auto_snooze_minutes": "int?", "deleted_at": "dt?", "archived_at": "dt?",
    "labels": "strs", "progress_target": "int", "progress_current": "int", "progress_period_start": "dt?",
    "is_reminder": "bool", "is_tracked": "bool", "quota_prompt_config": "object?",
    "quota_day_state": "object?", "completion_count": "int", "snooze_count": "int", "skip_count": "int",
    "first_completed_at": "dt?", "last_completed_at": "dt?", "notes": "str?", "created_at": "dt",
    "updated_at": "dt", "is_recurring": "bool", "is_snoozed": "bool", "deadline_at": "dt?",
    "target_source": "str?", "deadline_all_day": "bool", "short_months": "str", "horizon": "str?",
    "segment_considered_on": "date?", "segment_deferred_on": "date?", "rrule_start": "date?",
    "next_occurrence": "dt?", "version": "int",
]

/// Checks that every member is there, by name and type (a renamed one never shows as an error, clients A.1).
func expectTask(_ value: JSONValue?, sourceLocation: SourceLocation = #_sourceLocation) {
    guard let members = value?.object else {
        Issue.record("no task", sourceLocation: sourceLocation)
        return
    }
    for (name, type) in taskMembers {
        guard let member = members[name] else {
            Issue.record("\(name) is missing", sourceLocation: sourceLocation)
            continue
        }
        #expect(fits(member, type), "\(name): \(member)", sourceLocation: sourceLocation)
    }
}

private func fits(_ value: JSONValue, _ type: String) -> Bool {
    if type.hasSuffix("?") { return value == .null || fits(value, String(type.dropLast())) }
    switch type {
    case "int": return value.int != nil
    case "bool": return value.bool != nil
    case "str": return value.string != nil
    case "strs": return value.array?.allSatisfy { $0.string != nil } ?? false
    case "object": return value.object != nil
    case "date": return value.string.flatMap { LocalDate($0) } != nil
    case "hhmm": return value.string.flatMap { LocalTime($0) } != nil
    case "dt":
        // Always UTC, always with milliseconds: the clients read no other form.
        guard let text = value.string, text.utf8.count == 24, text.hasSuffix(".000Z") else { return false }
        return Instant(iso8601: text, zone: nil)?.iso8601 == text
    default: return false
    }
}

@Suite("api 2.1 The task on the wire")
struct TaskShapeTests {
    @Test func `every member is there by name and type, in every answer that has a task`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.make(by: ann)
        expectTask(made.data)
        let full = try bench.make(
            "Full",
            [
                "due_at": .local("09:00"), "rrule": "FREQ=DAILY", "priority": 3, "notes": "n",
                "labels": ["home"], "create_label": true, "short_title": "f", "auto_snooze_minutes": 0,
            ], by: ann)
        expectTask(full.data)
        expectTask(try bench.make("R", ["is_reminder": true], by: ann).data)
        let quota: [String: JSONValue] = [
            "progress_target": 3, "rrule": "FREQ=WEEKLY",
            "quota_prompt_config": ["enabled": true, "slot_id": .null],
        ]
        expectTask(try bench.make("Q", quota, by: ann).data)
        expectTask(try bench.make("D", ["deadline_at": "2026-10-30"], by: ann).data)

        expectTask(try bench.get(full.id, as: ann).data)
        for task in try unwrap(try bench.call("GET", "/api/tasks", as: ann)["tasks"].array) {
            expectTask(task)
        }
        expectTask(try bench.patch(made.id, ["priority": 2], as: ann).data)
        expectTask(try bench.act("snooze", full.id, as: ann).data)
        expectTask(try bench.act("done", full.id, as: ann).data)
        expectTask(try bench.act("undone", full.id, as: ann).data)
        expectTask(try bench.trash(full.id, as: ann).data)
        expectTask(try bench.act("restore", full.id, as: ann).data)
    }

    @Test func `a new task has what was sent and the defaults`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make(
            "  Call Bob \n", ["due_at": "2026-10-15T09:00:00-05:00", "notes": "about \"x\"\n\t\u{1F600}"],
            by: ann)
        #expect(task["title"] == "Call Bob")
        #expect(task["original_title"] == "Call Bob")
        #expect(task["notes"] == "about \"x\"\n\t\u{1F600}")
        #expect(task["user_id"] == .int(ann.id.rawValue))
        #expect(task["project_id"] == .int(ann.inbox))
        #expect(task["due_at"] == "2026-10-15T14:00:00.000Z")
        #expect(task["original_due_at"] == task["due_at"])
        #expect(task["target_source"] == "user")
        #expect(task["created_at"] == .local("10:00"))
        #expect(task["updated_at"] == .local("10:00"))
        for name in ["priority", "progress_current", "completion_count", "snooze_count", "skip_count"] {
            #expect(task[name] == 0)
        }
        for name in ["done", "is_reminder", "is_tracked", "is_recurring", "is_snoozed", "deadline_all_day"] {
            #expect(task[name] == false)
        }
        #expect(task["progress_target"] == 1)
        #expect(task["version"] == 1)
        #expect(task["recurrence_mode"] == "from_due")
        #expect(task["short_months"] == "last_day")
        #expect(task["labels"] == [])
    }

    @Test(arguments: [
        ("2026-10-15T09:00", "2026-10-15T14:00:00.000Z"), ("2026-10-15", "2026-10-15T05:00:00.000Z"),
        ("2026-10-15T14:00:00.999Z", "2026-10-15T14:00:00.000Z"),
        ("2026-10-15T23:00:00+09:00", "2026-10-15T14:00:00.000Z"),
        ("2026-03-08T02:30", "2026-03-08T08:30:00.000Z"), ("2026-11-01T01:30", "2026-11-01T06:30:00.000Z"),
    ])
    func `1.5: a time without an offset is the user's, and comes back in one form`(
        _ sent: String, _ stored: String
    ) throws {
        let bench = try Bench()
        let ann = try bench.add()
        #expect(try bench.make("x", ["due_at": .string(sent)], by: ann)["due_at"] == .string(stored))
    }

    @Test func `a recurring task has anchors, start and the next occurrence`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=30"], by: ann)
        #expect(task["due_at"] == .local("10-19 08:30"))
        #expect(task["anchor_time"] == "08:30")
        #expect(task["anchor_dow"] == 0)
        #expect(task["next_occurrence"] == .local("10-26 08:30"))
        #expect(task["rrule_start"] == "2026-10-14")
        #expect(task["is_recurring"] == true)
    }

    @Test func `R-15: the next occurrence is counted in the zone of the owner, for whoever looks`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob", zone: "Asia/Tokyo")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let task = try bench.make(
            "x", ["rrule": "FREQ=DAILY", "due_at": .local("10-31 09:00"), "project_id": .int(shared)], by: ann
        )
        // DST ends in Chicago on 2026-11-01: an hour more, not for Tokyo.
        #expect(task["next_occurrence"] == .local("11-01 09:00"))
        #expect(try bench.get(task.id, as: bob)["next_occurrence"] == .local("11-01 09:00"))
        let list = try bench.call("GET", "/api/tasks", as: bob)["tasks"].array
        #expect(list?.first?["next_occurrence"] == .local("11-01 09:00"))
    }
}
