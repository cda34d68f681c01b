import ApiService
import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A22, A35 Quotas")
struct QuotaTests {
    @Test func `A22, Q-4: one more, with receipt, event, undo entry and progress record`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        let events = try bench.count("event")
        let answer = try bench.call("POST", "/api/tasks/\(id)/progress", as: ann)
        #expect(answer.status == 200)
        #expect(answer["progress_current"] == 1 && answer["progress_target"] == 3)
        #expect(answer["met"] == false && answer["description"] == "1/3")
        #expect(answer["progress_period_start"] == .local("10-11 00:00"))
        #expect(answer["due_at"] == .null && answer["done"] == false)
        #expect(
            answer["quota_day_state"] == [
                "date": "2026-10-14", "logged": 1, "did": [], "considered": [], "did_applied": [:],
            ])
        #expect(try bench.progress(id) == [1])
        #expect(try bench.count("event") == events + 1)
        #expect(try bench.undoStack().last == #"progress: Logged 1/3 on "Stretch""#)
        #expect(try bench.rows("SELECT action FROM activity ORDER BY id DESC LIMIT 1") == ["progress"])
        #expect(try bench.log(4, on: id, as: ann)["description"] == "5/3")
        #expect(try bench.get(id, as: ann)["completion_count"] == 0)
        // Q-1: no task to dismiss, nothing in the badge. Its reminder was all that waited in its period (N-40).
        let messages = try bench.outbox()
        #expect(messages.map(\.kind) == [.dismiss])
        #expect(messages.first?.dismiss?.taskIDs == [] && messages.first?.dismiss?.slotIDs.count == 1)
    }

    @Test func `Q-4: taking back stops at 0; what was really applied is recorded, the undo entry always`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(2, on: id, as: ann)
        #expect(try bench.log(-5, on: id, as: ann)["description"] == "0/3")
        #expect(try bench.progress(id) == [2, -2])
        let before = try bench.item(id)
        let entries = try bench.count("undo")
        let activity = try bench.count("activity")
        #expect(try bench.log(-1, on: id, as: ann)["met"] == false)
        #expect(try bench.item(id) == before)
        #expect(try bench.progress(id) == [2, -2])
        #expect(try bench.count("undo") == entries + 1)
        #expect(try bench.count("activity") == activity)
        // Undo of it undoes nothing else.
        #expect(try bench.undo(as: ann)["undone_action"] == "progress")
        #expect(try bench.item(id) == before)
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 2)
    }

    @Test func `U-3, Q-4: a tap that changes nothing still begins anew: no redo`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(on: id, as: ann)
        try bench.undo(as: ann)
        try bench.log(-1, on: id, as: ann)
        #expect(try bench.call("POST", "/api/redo", as: ann).status == 400)
    }

    @Test(
        arguments: [["delta": 0], ["delta": 1001], ["delta": -1001], ["delta": "1"], ["delta": .double(1.5)]]
            as [JSONValue])
    func `A22: a delta that is none is 400`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        expectRefused(
            try bench.call("POST", "/api/tasks/\(id)/progress", body, as: ann), 400, "VALIDATION_ERROR",
            culprit: "delta")
        #expect(try bench.count("progress") == 0)
    }

    @Test func `A22: what is no quota, trashed, another's, unknown or at another version`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        func log(_ id: Int64, _ body: JSONValue = [:], by person: Bench.Person) throws -> Answer {
            try bench.call("POST", "/api/tasks/\(id)/progress", body, as: person)
        }
        let id = try bench.makeQuota(by: ann)
        let task = try bench.make(by: ann).id
        let reminder = try bench.make("Think", ["is_reminder": true], by: ann).id
        expectRefused(try log(task, by: ann), 400, "VALIDATION_ERROR")
        expectRefused(try log(reminder, by: ann), 400, "VALIDATION_ERROR")
        expectRefused(try log(id, by: bob), 404, "NOT_FOUND")
        expectRefused(try log(9999, by: ann), 404, "NOT_FOUND")
        let conflict = try log(id, ["version": 9], by: ann)
        expectRefused(conflict, 409, "CONFLICT")
        #expect(conflict.reason == "version_conflict")
        #expect(try bench.call("POST", "/api/tasks/\(id)/progress").status == 401)
        try bench.trash(id, as: ann)
        expectRefused(try log(id, by: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.count("progress") == 0)
    }

    @Test func `A-4: the same Idempotency-Key logs once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        func log() throws -> Answer {
            try bench.call(
                "POST", "/api/tasks/\(id)/progress", ["delta": 1], as: ann,
                headers: [("Idempotency-Key", "tap-1")])
        }
        let first = try log()
        let second = try log()
        #expect(second.status == 200 && second.data == first.data)
        #expect(try bench.progress(id) == [1])
    }

    @Test func `Q-13: a member of a shared project logs on the owner's day, in the owner's zone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob", zone: "Asia/Tokyo")
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, ["project_id": .int(house)], by: ann)
        // In Tokyo it is the 15th already.
        let answer = try bench.log(on: id, as: bob)
        #expect(answer["quota_day_state"]["date"] == "2026-10-14")
        #expect(answer["progress_period_start"] == .local("00:00"))
        #expect(try bench.rows("SELECT cast(user_id AS TEXT) FROM progress") == ["\(bob.id.rawValue)"])
        // U-2: it is Bob's to undo, not Ann's.
        #expect(try bench.call("POST", "/api/undo", as: ann)["undone_action"] == "create")
        try bench.redo(as: ann)
        #expect(try bench.undo(as: bob)["undone_action"] == "progress")
        #expect(try bench.progress(id) == [])
        // Quota reminders exist only for the owner.
        expectRefused(
            try bench.call(
                "POST", "/api/quota-prompts/consider", ["keys": [.string("q:\(id):1:2026-10-14")]], as: bob),
            400, "VALIDATION_ERROR", culprit: "keys.0")
    }

    @Test func `A35: open quotas, own and of shared projects; finished ones show in has_any alone`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        #expect(
            try bench.call("GET", "/api/quotas", as: ann).data == [
                "quotas": [], "total": 0, "has_any": false,
            ])
        let house = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: bob).id
        let weekly = try bench.makeQuota("Walk", by: ann)
        let daily = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        let shared = try bench.makeQuota("Dishes", "FREQ=DAILY", 1, ["project_id": .int(house)], by: bob)
        _ = try bench.makeQuota("Bob's own", by: bob)
        try bench.make(by: ann)
        let answer = try bench.call("GET", "/api/quotas", as: ann)
        #expect(answer["total"] == 3 && answer["has_any"] == true)
        // Q-12.
        #expect(answer["quotas"].array?.compactMap { $0["id"]?.int } == [shared, daily, weekly])
        for quota in answer["quotas"].array ?? [] {
            #expect(quota == (try bench.get(try unwrap(quota["id"]?.int), as: ann)).data)
        }
        try bench.trash(shared, as: bob)
        try bench.trash(weekly, as: ann)
        #expect(try bench.call("GET", "/api/quotas", as: ann)["total"] == 1)
        try bench.change("UPDATE task SET archived_at = 1 WHERE id = \(daily)")
        #expect(
            try bench.call("GET", "/api/quotas", as: ann).data == ["quotas": [], "total": 0, "has_any": true])
        #expect(try bench.call("GET", "/api/quotas").status == 401)
    }

    @Test func `Q-2, T2 to T4: a quota needs a bare period and takes no date`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        func make(_ body: [String: JSONValue]) throws -> Answer {
            try bench.call(
                "POST", "/api/tasks",
                .object(body.merging(["title": "x", "progress_target": 3, "enrich": false]) { a, _ in a }),
                as: ann)
        }
        expectRefused(try make([:]), 400, "VALIDATION_ERROR", culprit: "rrule")
        expectRefused(try make(["rrule": "FREQ=WEEKLY;BYDAY=MO"]), 400, "VALIDATION_ERROR", culprit: "rrule")
        expectRefused(
            try make(["rrule": "FREQ=WEEKLY", "due_at": "2026-10-15T09:00"]), 400, "VALIDATION_ERROR",
            culprit: "due_at")
        expectRefused(
            try make(["rrule": "FREQ=WEEKLY", "is_reminder": true]), 400, "VALIDATION_ERROR",
            culprit: "is_reminder")
        let id = try bench.makeQuota(by: ann)
        for (body, culprit): (JSONValue, String) in [
            (["rrule": .null], "rrule"), (["due_at": "2026-10-15T09:00"], "due_at"),
            (["is_reminder": true], "is_reminder"), (["progress_target": 1001], "progress_target"),
        ] {
            expectRefused(
                try bench.call("PATCH", "/api/tasks/\(id)", body, as: ann), 400, "VALIDATION_ERROR",
                culprit: culprit)
        }
    }

    @Test func `Q-1: no snooze, no sweep, no badge, no look for the clock`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota("Floss", "FREQ=DAILY", 2, by: ann)
        expectRefused(
            try bench.call("POST", "/api/tasks/\(id)/snooze", ["option": "60"], as: ann), 400,
            "VALIDATION_ERROR")
        expectRefused(try bench.call("POST", "/api/tasks/\(id)/undone", as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.sweep(as: ann)["tasks_affected"] == 0)
        #expect(
            try bench.call("GET", "/api/tasks/counts", as: ann).data == [
                "total": 0, "overdue": 0, "today": 0,
            ])
        #expect(try bench.look(id) == nil)
    }

    @Test func `A18: a count that is set is logged as the difference`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(on: id, as: ann)
        let answer = try bench.patch(id, ["progress_current": 4], as: ann)
        #expect(answer["progress_current"] == 4)
        #expect(answer["fields_changed"].array?.contains("progress_current") == true)
        #expect(try bench.progress(id) == [1, 3])
        try bench.undo(as: ann)
        #expect(try bench.progress(id) == [1])
        #expect(try bench.count(of: id, as: ann) == 1)
        try bench.redo(as: ann)
        #expect(try bench.progress(id) == [1, 3])
    }

    @Test func `T-12: task to quota and back, each in one entry that gives everything back`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(
            "Stretch", ["due_at": .local("12:00"), "deadline_at": .local("10-16 12:00")], by: ann
        ).id
        let asTask = try bench.item(id)
        try bench.patch(id, ["progress_target": 3, "rrule": "FREQ=WEEKLY"], as: ann)
        let asQuota = try bench.get(id, as: ann)
        #expect(asQuota["due_at"] == .null && asQuota["deadline_at"] == .null)
        #expect(asQuota["progress_period_start"] == .local("10-11 00:00"))
        try bench.log(2, on: id, as: ann)
        let counted = try bench.item(id)
        try bench.patch(id, ["progress_target": 1], as: ann)
        let plain = try bench.get(id, as: ann)
        #expect(plain["progress_current"] == 0 && plain["progress_period_start"] == .null)
        #expect(plain["quota_day_state"] == .null && plain["rrule"] == .null)
        try bench.undo(as: ann)
        #expect(try bench.item(id).fields(changedFrom: counted) == [])
        #expect(try bench.progress(id) == [2])
        try bench.undo(as: ann)
        try bench.undo(as: ann)
        #expect(try bench.item(id).fields(changedFrom: asTask) == [])
        #expect(try bench.rows("SELECT 1 FROM task WHERE period_ends_at IS NOT NULL") == [])
    }

    @Test func `Q-11: closing the period records a completion and zeroes the count; undo gives both back`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(3, on: id, as: ann)
        expectRefused(try bench.call("POST", "/api/tasks/\(id)/done", as: ann), 400, "VALIDATION_ERROR")
        let closed = try bench.act("done", id, ["close_period": true], as: ann)
        #expect(closed["progress_current"] == 0 && closed["done"] == false && closed["completion_count"] == 1)
        #expect(closed["progress_period_start"] == .local("10-11 00:00"))
        #expect(closed["was_recurring"] == true && closed["next_due_at"] == .null)
        #expect(try bench.count("completion") == 1)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["1"])
        #expect(try bench.progress(id) == [3])
        try bench.undo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 3)
        #expect(try bench.count("completion") == 0)
        #expect(try bench.rows("SELECT completions FROM statistic") == ["0"])
        try bench.redo(as: ann)
        #expect(try bench.count(of: id, as: ann) == 0)
        #expect(try bench.progress(id) == [3])
    }

    @Test func `C-11: what is purged takes progress and periods along`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.makeQuota(by: ann)
        try bench.log(on: id, as: ann)
        bench.at("10-18 00:00")
        try bench.log(on: id, as: ann)
        #expect(try bench.count("quota_period") == 1)
        try bench.trash(id, as: ann)
        bench.at("2026-11-30 12:00")
        try bench.store.write(at: bench.clock) { try $0.purgeTrash(bench.parts.settings.retention) }
        #expect(try bench.count("progress") == 0)
        #expect(try bench.count("quota_period") == 0)
        // U-9: entries that name it skip it.
        #expect(try bench.undo(as: ann)["tasks_affected"] == 0)
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue { self.object?[key] ?? .null }
}
