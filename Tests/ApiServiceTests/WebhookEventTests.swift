import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A-13, api section 5: what webhooks are told")
struct WebhookEventTests {
    private let bench: Bench
    private let ann: Bench.Person

    init() throws {
        bench = try Bench()
        ann = try bench.add()
        try bench.hook(Bench.allEvents, by: ann)
    }

    /// The one event that was told.
    private func one(_ event: String, _ source: SourceLocation = #_sourceLocation) throws -> JSONValue {
        let told = try bench.told()
        #expect(told.map(\.event) == [event], sourceLocation: source)
        return told.last?.data ?? .null
    }

    @Test func `A15: task.created with the task as it is answered`() throws {
        let task = try bench.make("Buy \"milk\" \u{1F95B}", ["notes": "a\\nb\u{1}"], by: ann)
        #expect(try one("task.created") == ["task": try bench.get(task.id, as: ann).data])
    }

    @Test func `A18: task.updated with the fields; nothing for an edit that changes nothing`() throws {
        let task = try bench.make(by: ann)
        _ = try bench.take()
        let edited = try bench.patch(task.id, ["title": "Buy bread", "priority": 3], as: ann)
        let data = try one("task.updated")
        #expect(data["task"] == (try bench.get(task.id, as: ann).data))
        #expect(data["fields_changed"] == edited["fields_changed"])
        #expect(data["fields_changed"] == ["title", "priority"])
        #expect(data["trigger"] == nil)
        try bench.patch(task.id, ["title": "Buy bread"], as: ann)
        #expect(try bench.told().isEmpty)
    }

    @Test func `A18: a bare due_at is a snooze and an edit: task.updated`() throws {
        let task = try bench.make("x", ["due_at": .local("12:00")], by: ann)
        _ = try bench.take()
        try bench.patch(task.id, ["due_at": .local("13:00")], as: ann)
        #expect(try one("task.updated")["fields_changed"]?.array?.contains("due_at") == true)
    }

    @Test func `A20: task.completed, once, for one-off, recurring and reminder`() throws {
        for more in [
            [:], ["rrule": "FREQ=DAILY", "due_at": .local("09:00")], ["is_reminder": true],
        ] as [[String: JSONValue]] {
            let task = try bench.make("x", more, by: ann)
            _ = try bench.take()
            try bench.act("done", task.id, as: ann)
            #expect(try one("task.completed") == ["task": try bench.get(task.id, as: ann).data])
        }
        let task = try bench.make(by: ann)
        try bench.act("done", task.id, as: ann)
        _ = try bench.take()
        try bench.act("done", task.id, as: ann)
        #expect(try bench.told().isEmpty, "C-1: already done")
    }

    @Test func `A21: putting back is task.updated`() throws {
        let task = try bench.make(by: ann)
        try bench.act("done", task.id, as: ann)
        _ = try bench.take()
        try bench.act("undone", task.id, as: ann)
        let data = try one("task.updated")
        #expect(data["task"]?["done"] == false)
        #expect(data["fields_changed"]?.array?.contains("done") == true)
    }

    @Test func `A25, A31: task.snoozed with the target before, one for each task of a sweep`() throws {
        let task = try bench.make("x", ["due_at": .local("09:00")], by: ann)
        let other = try bench.make("y", ["due_at": .local("09:30")], by: ann)
        _ = try bench.take()
        try bench.act("snooze", task.id, ["until": .local("09:45")], as: ann)
        let data = try one("task.snoozed")
        #expect(data["previous_due_at"] == .local("09:00"))
        #expect(data["task"]?["due_at"] == .local("09:45"))
        try bench.sweep(as: ann)
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.snoozed", "task.snoozed"])
        #expect(
            Set(told.compactMap { $0.data["previous_due_at"]?.string })
                == [Instant.local("09:45").iso8601, Instant.local("09:30").iso8601])
        #expect(Set(told.compactMap { $0.data["task"]?["id"]?.int }) == [task.id, other.id])
    }

    @Test func `A19, A26: task.deleted says id and title only, task.restored the task`() throws {
        let task = try bench.make("Buy milk", by: ann)
        _ = try bench.take()
        try bench.trash(task.id, as: ann)
        #expect(try one("task.deleted") == ["task_id": .int(task.id), "title": "Buy milk"])
        try bench.act("restore", task.id, as: ann)
        #expect(try one("task.restored") == ["task": try bench.get(task.id, as: ann).data])
    }

    @Test func `U-8: undo and redo are task.updated with their trigger`() throws {
        let task = try bench.make("x", ["due_at": .local("12:00")], by: ann)
        try bench.act("done", task.id, as: ann)
        _ = try bench.take()
        try bench.undo(as: ann)
        let undone = try one("task.updated")
        #expect(undone["trigger"] == "undo" && undone["task"]?["done"] == false)
        #expect(undone["fields_changed"]?.array?.contains("done") == true)
        try bench.redo(as: ann)
        let redone = try one("task.updated")
        #expect(redone["trigger"] == "redo" && redone["task"]?["done"] == true)
        try bench.undo(as: ann)
        try bench.undo(as: ann)  // the creation
        let told = try bench.told()
        #expect(told.map(\.event) == ["task.updated", "task.updated"])
        #expect(told.last?.data["fields_changed"] == ["deleted_at"])
    }

    @Test func `A78: the buttons of a notification tell what their operations tell`() throws {
        let task = try bench.make("x", ["due_at": .local("09:00")], by: ann)
        _ = try bench.take()
        for (action, event) in [("snooze", "task.snoozed"), ("done", "task.completed")] {
            let body: JSONValue = [
                "action": .string(action), "task_id": .int(task.id), "token": .string(ann.token),
            ]
            #expect(try bench.call("POST", "/api/notifications/actions", body).status == 200)
            #expect(try bench.told().map(\.event) == [event])
        }
    }

    @Test func `it is the actor's webhooks that are told, not the owner's`() throws {
        let bob = try bench.add("bob")
        try bench.hook(["task.completed"], by: bob)
        let project = try bench.call("POST", "/api/projects", ["name": "Home", "shared": true], as: ann)
        let task = try bench.make("x", ["project_id": .int(project.id)], by: ann)
        _ = try bench.take()
        try bench.act("done", task.id, as: bob)
        let messages = try bench.take().filter { $0.kind == .webhook }
        #expect(messages.map(\.user) == [bob.id.rawValue])
    }

    @Test
    func `each active webhook that lists the event gets a message of its own, with its address and key`()
        throws
    {
        let some = try bench.hook(["task.created", "task.skipped"], by: ann, url: "http://nas.local/a")
        _ = try bench.hook(["task.deleted"], by: ann)
        let off = try bench.hook(["task.created"], by: ann)
        _ = try bench.call("PATCH", "/api/webhooks/\(off.id)", ["active": false], as: ann)
        _ = try bench.take()
        try bench.make(by: ann)
        let events = try bench.take().compactMap(\.event)
        #expect(events.map(\.webhook) == [1, some.id])
        #expect(events.last?.url == "http://nas.local/a")
        #expect(events.last?.secret == some["secret"].string)
        #expect(events.first?.data == events.last?.data)
    }

    @Test func `enrichment tells task.updated when it found something, and nothing of its own labels`() throws
    {
        let task = try bench.call("POST", "/api/tasks", ["title": "call bob tomorrow !!1"], as: ann)
        _ = try bench.take()
        try bench.store.write(at: bench.clock) { transaction in
            let before = try unwrap(try transaction.task(TaskItem.ID(rawValue: task.id)))
            var failed = before
            failed.labels = ["ai-failed"]
            var change = Change(
                actor: ann.id, action: .edit, description: "", items: [ItemChange(before, failed)])
            change.isUndoable = false
            let now = try transaction.record(change)[0]
            var found = now
            found.labels = []
            found.title = "call bob"
            change.items = [ItemChange(now, found)]
            try transaction.record(change)
        }
        #expect(try one("task.updated")["fields_changed"] == ["title", "labels"])
    }

    @Test func `a change that is refused tells nothing`() throws {
        let task = try bench.make(by: ann)
        _ = try bench.take()
        expectRefused(
            try bench.call("PATCH", "/api/tasks/\(task.id)", ["title": "y", "version": 99], as: ann), 409,
            "CONFLICT")
        #expect(try bench.outbox().isEmpty)
    }
}

/// Quotas and what is recorded with them, as the store sees it, whichever operation it comes from.
@Suite("A-13, api section 5: what webhooks are told of quotas and marks")
struct WebhookQuotaEventTests {
    private let bench: Bench
    private let ann: Bench.Person
    private let quota: TaskItem
    private let reminder: TaskItem

    init() throws {
        bench = try Bench()
        ann = try bench.add()
        quota = try bench.item(
            try bench.make("Stretch", ["rrule": "FREQ=WEEKLY", "progress_target": 3], by: ann).id)
        reminder = try bench.item(try bench.make("Vitamins", ["is_reminder": true], by: ann).id)
        try bench.hook(Bench.allEvents, by: ann)
        _ = try bench.take()
    }

    private func events(
        _ action: Change.Action, isUndoable: Bool = true, _ items: ItemChange...
    ) throws -> [String] {
        var change = Change(actor: ann.id, action: action, description: "x", items: items)
        change.isUndoable = isUndoable
        _ = try bench.store.write(at: bench.clock) { try $0.record(change) }
        return try bench.told().map(\.event)
    }

    private func logged(_ count: Int) -> TaskItem {
        var after = quota
        after.progressCurrent = count
        return after
    }

    /// The period ended: 0, and a new start.
    private func rolledOver(count: Int = 0, completions: Int = 0) -> TaskItem {
        var after = logged(count)
        after.progressPeriodStart = .local("10-18 00:00")
        after.completionCount += completions
        return after
    }

    private var completion: NewCompletion {
        NewCompletion(completedAt: bench.now, targetWas: nil, targetNext: nil)
    }

    @Test func `A22: task.progressed when the count moved, up or down`() throws {
        #expect(try events(.progress, ItemChange(quota, logged(2))) == ["task.progressed"])
        let two = try bench.item(quota.id.rawValue)
        var one = two
        one.progressCurrent = 1
        #expect(try events(.progress, ItemChange(two, one)) == ["task.progressed"])
    }

    @Test func `A29: one batch gives task.completed for reminders, task.progressed for counts that rose`()
        throws
    {
        var considered = reminder
        considered.completionCount += 1
        let told = try events(
            .bulkDone, ItemChange(reminder, considered, completion: completion), ItemChange(quota, logged(1)))
        #expect(told == ["task.completed", "task.progressed"])
    }

    @Test func `A37, A38: task.progressed for counts that moved, nothing for marks alone`() throws {
        var marked = quota
        marked.quotaDayState = "{\"date\":\"2026-10-14\"}"
        #expect(try events(.quotaPrompt, ItemChange(quota, marked)) == [])
        let now = try bench.item(quota.id.rawValue)
        var raised = now
        raised.progressCurrent = 1
        #expect(try events(.quotaPrompt, ItemChange(now, raised)) == ["task.progressed"])
    }

    @Test func `Q-6: a period that is closed as met is task.completed, one that was not met is nothing`()
        throws
    {
        let missed = rolledOver()
        #expect(try events(.edit, isUndoable: false, ItemChange(quota, missed)) == [])
        let now = try bench.item(quota.id.rawValue)
        var met = now
        met.progressPeriodStart = .local("10-25 00:00")
        met.completionCount += 1
        let change = ItemChange(now, met, completion: completion)
        #expect(try events(.edit, isUndoable: false, change) == ["task.completed"])
    }

    @Test func `Q-4: a count that begins a new period tells both`() throws {
        let item = ItemChange(quota, rolledOver(count: 1, completions: 1), completion: completion)
        #expect(try events(.progress, item) == ["task.completed", "task.progressed"])
    }

    @Test func `Q-11: a period closed early is task.completed`() throws {
        let item = ItemChange(quota, rolledOver(completions: 1), completion: completion)
        #expect(try events(.done, item) == ["task.completed"])
    }

    @Test func `A40, A45: marks of a segment and reminders that follow a period tell nothing`() throws {
        let task = try bench.item(try bench.make(by: ann).id)
        _ = try bench.take()
        var considered = task
        considered.segmentConsideredOn = LocalDate("2026-10-14")
        #expect(try events(.bulkEdit, ItemChange(task, considered)) == [])
        var moved = reminder
        moved.rrule = "FREQ=DAILY;BYHOUR=8;BYMINUTE=0"
        #expect(try events(.periodEdit, ItemChange(reminder, moved)) == [])
    }

    @Test func `A23: skipping is task.skipped only`() throws {
        let task = try bench.item(
            try bench.make("x", ["rrule": "FREQ=DAILY", "due_at": .local("09:00")], by: ann).id)
        _ = try bench.take()
        var skipped = task
        skipped.target = .local("10-15 09:00")
        skipped.skipCount = 1
        #expect(try events(.skip, ItemChange(task, skipped)) == ["task.skipped"])
    }
}
