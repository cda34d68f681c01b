import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("enrich 1.3, 1.6, 1.8 Results")
struct QueueApplyTests {
    typealias Result = EnricherInterface.Result

    @Test func `every field that a text says, in one transaction, and the label gone`() throws {
        let house = try QueueHouse()
        let work = try house.bench.call("POST", "/api/projects", ["name": "Work"], as: house.ann).id
        let id = try house.type("Call Bob tomorrow 3pm p2 #work")
        try house.bench.take()
        let job = try house.claimOne()
        let result = Result(
            title: "Call Bob", target: .init(date: "2026-10-15", time: "15:00"), priority: 3,
            labels: ["errands"],
            project: "work", notes: "n", autoSnoozeMinutes: 0)
        #expect(try house.complete(job, result) == "applied")
        let task = try house.bench.get(id, as: house.ann)
        #expect(task["title"] == "Call Bob")
        #expect(task["original_title"] == "Call Bob tomorrow 3pm p2 #work")
        #expect(task["due_at"] == .local("10-15 15:00"))
        #expect(task["original_due_at"] == .local("10-15 15:00"))
        #expect(task["priority"] == 3)
        #expect(task["labels"] == ["errands"])
        #expect(task["project_id"] == .int(work))
        #expect(task["notes"] == "n")
        #expect(task["auto_snooze_minutes"] == 0)
        #expect(task["snooze_count"] == 0)
        #expect(try house.bench.rows("SELECT name FROM label") == ["errands"], "new names are registered")
        let events = try house.bench.rows("SELECT data FROM event ORDER BY id DESC LIMIT 2")
        let told = try JSONValue(parsing: Array(try unwrap(events.first).utf8))
        #expect(
            told == [
                "type": "enrichment_complete", "taskId": .int(id), "title": "Call Bob",
                "description": "Added to Work · Tomorrow 3:00 PM · High · errands",
                "due_at": .local("10-15 15:00"),
                "priority": 3,
            ])
        #expect(events.last == #"{"type":"sync"}"#)
        #expect(try house.bench.count("job") == 0)
    }

    @Test func `N-30, N-31: AI finished is told once per task, quietly, and only of young ones`() throws {
        let house = try QueueHouse()
        let id = try house.type("a")
        try house.bench.take()
        house.bench.advance(seconds: 899)
        try house.complete(try house.claimOne(), Result(title: "A"))
        let alert = try unwrap(try house.bench.take().first?.alert)
        #expect(alert.title == "A")
        #expect(alert.body == "Added to Inbox")
        #expect(alert.category == "TASK_ADDED")
        #expect(alert.thread == "enriched-\(id)" && alert.collapseID == "enriched-\(id)")
        #expect(!alert.sound && alert.silent && alert.badge == nil && alert.level == .active)
        #expect(alert.data == ["taskId": .int(id)])

        try house.bench.patch(id, ["labels": ["ai-to-process"]], as: house.ann)
        try house.complete(try house.claimOne(), Result(title: "B"))
        #expect(try house.bench.take().isEmpty, "once per task, ever")

        try house.type("old")
        house.bench.advance(seconds: 900)
        try house.complete(try house.claimOne(), Result(title: "Old"))
        #expect(try house.bench.take().isEmpty)
    }

    @Test(arguments: ["notifications_enabled", "enrichment_notifications_enabled"])
    func `N-30: under both switches`(_ off: String) throws {
        let house = try QueueHouse()
        try house.bench.set(off, "false", of: house.ann)
        try house.type("a")
        try house.complete(try house.claimOne(), Result(title: "A"))
        #expect(try house.bench.take().isEmpty)
    }

    @Test func `1.6: what the person changed since the claim stays; the rest is applied`() throws {
        let house = try QueueHouse()
        let work = try house.bench.call("POST", "/api/projects", ["name": "Work"], as: house.ann).id
        let home = try house.bench.call("POST", "/api/projects", ["name": "Home"], as: house.ann).id
        let result = Result(
            title: "Theirs", target: .init(date: "2026-10-16", time: "12:00"), priority: 2, labels: ["l"],
            project: "Work", notes: "theirs", autoSnoozeMinutes: 10)
        let applied: [String: JSONValue] = [
            "title": "Theirs", "due_at": .local("10-16 12:00"), "priority": 2, "labels": ["l"],
            "project_id": .int(work), "notes": "theirs", "auto_snooze_minutes": 10,
        ]
        _ = try house.bench.call("POST", "/api/labels", ["name": "mine"], as: house.ann)
        for (mine, kept) in [
            (["title": "Mine"], ["title": "Mine", "notes": nil]),
            (["due_at": .local("10-20 09:00")], ["due_at": .local("10-20 09:00")]),
            (["priority": 4], ["priority": 4]), (["project_id": .int(home)], ["project_id": .int(home)]),
            (["notes": "mine"], ["notes": "mine"]),
            (["auto_snooze_minutes": 0], ["auto_snooze_minutes": 0]),
            (["labels": ["mine", "ai-to-process"]], ["labels": ["mine"]]),
        ] as [([String: JSONValue], [String: JSONValue])] {
            let id = try house.type("theirs friday noon")
            let job = try house.claimOne()
            // A bare target is a snooze of S-20 only where there was one before: this is the first date.
            try house.bench.patch(id, .object(mine), as: house.ann)
            #expect(try house.complete(job, result) == "applied", "\(mine)")
            let task = try house.bench.get(id, as: house.ann)
            for (name, value) in applied.merging(kept, uniquingKeysWith: { $1 }) {
                #expect(task[name] == value, "\(mine): \(name)")
            }
        }
    }

    @Test func `1.6: done, in the trash, locked or given up: nothing is applied, nothing told`() throws {
        let house = try QueueHouse()
        for act in ["done", "trash", "lock", "snooze", "unlabel"] {
            let id = try house.type("x")
            let job = try house.claimOne()
            switch act {
            case "done": try house.bench.act("done", id, as: house.ann)
            case "trash": try house.bench.trash(id, as: house.ann)
            case "lock": try house.bench.patch(id, ["labels": ["ai-to-process", "ai-locked"]], as: house.ann)
            case "snooze": try house.bench.act("snooze", id, ["option": "60"], as: house.ann)
            default: try house.bench.patch(id, ["labels": []], as: house.ann)
            }
            try house.bench.take()
            let error = house.error {
                let outcome = try house.complete(job, Result(title: "no", priority: 4))
                #expect(outcome == "discarded", "\(act)")
            }
            #expect(error == nil || error == EnrichQueue.Errors.gone, "\(act)")
            let item = try house.bench.item(id)
            #expect(item.title == "x" && item.priority == .unset, "\(act)")
            #expect(!item.labels.contains("ai-to-process"), "\(act)")
            #expect(try house.bench.take().compactMap(\.alert).isEmpty, "\(act)")
            #expect(try house.bench.count("job") == 0, "\(act)")
        }
    }

    @Test
    func
        `1.6: the first enrichment belongs to the creation; a re-run is one step that undo takes back whole`()
        throws
    {
        let house = try QueueHouse()
        let id = try house.type("call bob")
        try house.complete(try house.claimOne(), Result(title: "Call Bob", priority: 2))
        #expect(try house.bench.count("undo") == 1)
        try house.bench.undo(as: house.ann)
        #expect(try house.bench.item(id).deletedAt != nil)
        try house.bench.redo(as: house.ann)
        #expect(try house.bench.item(id).title == "Call Bob")

        try house.bench.patch(id, ["labels": ["ai-to-process"]], as: house.ann)
        let again = Result(title: "Ring Bob", target: .init(date: "2026-10-15", time: nil), priority: 4)
        try house.complete(try house.claimOne(), again)
        let entry = try house.bench.rows(
            "SELECT action || ' ' || description FROM undo ORDER BY id DESC LIMIT 1")
        #expect(try unwrap(entry.first).hasPrefix("edit AI: "))
        try house.bench.undo(as: house.ann)
        let item = try house.bench.item(id)
        #expect(item.title == "Call Bob" && item.priority == .medium && item.target == nil)
        #expect(item.labels.isEmpty, "and it does not wait again")
    }

    @Test func `nothing to change counts as success`() throws {
        let house = try QueueHouse()
        let id = try house.type("Buy milk")
        #expect(try house.complete(try house.claimOne(), Result(title: "Buy milk")) == "unchanged")
        #expect(try house.labels(id) == [])
        #expect(try house.bench.take().compactMap(\.alert?.collapseID) == ["enriched-\(id)"])
    }
}
