import ApiStore
import Domain
import Interfaces
import JSON
import SchedulerService
import Testing
import Time

/// Bench, door and Ann.
struct Clockwork {
    let bench: Bench
    let door: Door
    let ann: Bench.Person

    init(at text: String = "08:00") throws {
        bench = try Bench()
        bench.at(text)
        door = try Door(bench)
        ann = try bench.add()
    }

    func make(_ target: String, priority: Int64 = 0, _ title: String = "x", by person: Bench.Person? = nil)
        throws
        -> Int64
    {
        try bench.make(title, ["due_at": .local(target), "priority": .int(priority)], by: person ?? ann).id
    }

    /// The scheduler at this time; what left.
    func round(at text: String) throws -> [Push.Message] {
        bench.at(text)
        try door.round(at: .local(text))
        return try bench.take()
    }

    func decisions(at text: String) throws -> [ClockInterface.Check] {
        bench.at(text)
        return try door.due(at: .local(text)).compactMap { check($0, now: .local(text)) }
    }
}

@Suite("A-7, A-8 Decisions are checked where the state is")
struct ClockReportTests {
    @Test func `N-16, N-17, N-18: a target that arrives is told, with everything that devices read`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00", priority: 3, "Call Bob")
        try house.bench.make(
            "quiet", ["due_at": .local("08:30"), "priority": 4, "auto_snooze_minutes": 0], by: house.ann)
        _ = try house.make("07:00", priority: 1)
        _ = try house.round(at: "08:30")
        let messages = try house.round(at: "09:00")
        #expect(messages.map(\.kind) == [.alert])
        let message = try unwrap(messages.first)
        #expect(message.user == house.ann.id.rawValue)
        #expect(message.at == .local("09:00"))
        let alert = try unwrap(message.alert)
        #expect(alert.title == "Call Bob")
        #expect(alert.body == "Over target")
        #expect(alert.link == "/?task=\(id)")
        #expect(alert.category == "TASK_REMINDER")
        #expect(alert.thread == "ot-tasks")
        #expect(alert.collapseID == "task-\(id)")
        #expect(alert.level == .timeSensitive)
        #expect(alert.sound && !alert.silent && alert.webActions)
        #expect(alert.badge == 3, "N-50: all that are over target")
        #expect(alert.taskID == id)
        #expect(
            alert.data == [
                "taskId": .int(id), "dueAt": .local("09:00"), "priority": 3,
                // A sweep would move the Low one, which holds the High one back.
                "overdueCount": 1,
            ])
        #expect(alert.ttlSeconds == 3600)
        #expect(try house.bench.look(id) == .local("09:15"))
    }

    @Test func `an Urgent one is critical at the user's volume; past its deadline the body says so`() throws {
        let house = try Clockwork()
        try house.bench.set("critical_alert_volume", "0.4", of: house.ann)
        let more: [String: JSONValue] = [
            "due_at": .local("09:00"), "priority": 4, "deadline_at": .local("09:05"),
        ]
        let id = try house.bench.make("u", more, by: house.ann).id
        let first = try unwrap(try house.round(at: "09:00").first?.alert)
        #expect(first.level == .critical)
        #expect(first.volume == 0.4)
        #expect(first.thread == "ot-urgent")
        #expect(first.urgency == .high)
        #expect(first.body == "Over target")
        #expect(try house.round(at: "09:05").first?.alert?.body == "Past deadline")
        #expect(try house.bench.look(id) == .local("09:10"))
    }

    @Test(arguments: ["title", "target", "done", "trash", "reminder"])
    func `golden 119: what has changed since the facts were read is refused, without mark and message`(
        _ change: String
    ) throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        let decisions = try house.decisions(at: "09:00")
        switch change {
        case "title": try house.bench.patch(id, ["title": "y"], as: house.ann)
        case "target": try house.bench.patch(id, ["due_at": .local("08:59")], as: house.ann)
        case "done": try house.bench.act("done", id, as: house.ann)
        case "trash": try house.bench.trash(id, as: house.ann)
        default: try house.bench.patch(id, ["is_reminder": true], as: house.ann)
        }
        try house.bench.take()
        let events = try house.bench.count("event")
        #expect(try house.door.report(decisions) == [id])
        #expect(try house.bench.outbox().filter { $0.kind == .alert }.isEmpty)
        #expect(try house.bench.count("notified") == 0)
        #expect(try house.bench.count("event") == events)
        // A new title is told by the next round, the rest is no longer to be told now.
        let next = try house.round(at: "09:00").compactMap(\.alert?.title)
        #expect(next == (change == "title" ? ["y"] : []))
    }

    @Test
    func
        `a decision for another's task, or for nobody, is refused and keeps nobody else's from being stored`()
        throws
    {
        let house = try Clockwork()
        let bob = try house.bench.add("bob")
        let id = try house.make("09:00")
        var checks = try house.decisions(at: "09:00")
        var stolen = checks[0]
        stolen.user = bob.id.rawValue
        var nobody = checks[0]
        nobody.user = 4711
        checks = [nobody, stolen] + checks
        #expect(try house.door.report(checks) == [id, id])
        #expect(try house.bench.take().map(\.user) == [house.ann.id.rawValue])
    }

    @Test func `A-8: the same report again, and a second scheduler, tell nothing twice`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        let decisions = try house.decisions(at: "09:00")
        let second = try house.decisions(at: "09:00")
        #expect(try house.door.report(decisions) == [])
        #expect(try house.bench.take().count { $0.kind == .alert } == 1)
        #expect(try house.door.report(decisions) == [id])
        #expect(try house.door.report(second) == [id])
        #expect(try house.bench.take().isEmpty)
    }

    @Test func `A-9: a clock that is set back, or a look that comes again, tells no point a second time`()
        throws
    {
        let house = try Clockwork()
        let id = try house.make("09:00")
        #expect(try house.round(at: "09:00").count == 1)
        #expect(try house.round(at: "08:30").isEmpty)
        #expect(try house.round(at: "09:00").isEmpty)
        // As if the file had been put back to before: the mark alone stands between.
        try house.bench.change("UPDATE task SET look_at = \(Instant.local("09:00").seconds)")
        #expect(try house.round(at: "09:00").isEmpty)
        #expect(try house.bench.look(id) == .local("09:30"))
        #expect(try house.round(at: "09:30").count == 1)
    }

    @Test func `Recording 3: an edit in the second of arrival does not swallow the notification`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        house.bench.at("09:00")
        try house.bench.patch(id, ["priority": 1, "auto_snooze_minutes": 45], as: house.ann)
        try house.bench.take()
        let messages = try house.round(at: "09:00")
        #expect(messages.compactMap(\.alert?.data["priority"]) == [1])
        #expect(
            try house.bench.look(id) == .local("09:45"), "N-13: on by the new interval, from the same target")
    }

    @Test func `N-41: an alert that has not left goes when its task is done, and the number is told anew`()
        throws
    {
        let house = try Clockwork()
        let id = try house.make("09:00")
        let other = try house.make("09:00")
        house.bench.at("09:00")
        try house.door.round(at: .local("09:00"))
        #expect(try house.bench.outbox().compactMap(\.alert?.taskID) == [id, other])
        house.bench.at("09:01")
        try house.bench.act("done", id, as: house.ann)
        let left = try house.bench.take()
        #expect(left.map(\.kind) == [.alert, .dismiss, .badge])
        #expect(left[0].alert?.taskID == other)
        #expect(left[2].badge == 1)
    }

    @Test func `N-41: a dropped alert's number reaches the devices also when it stays the same`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        house.bench.at("09:00")
        try house.door.round(at: .local("09:00"))
        // Moved within the past: still over target, the count stays 1, and only the alert would have told it.
        try house.bench.act("snooze", id, ["until": .local("08:30")], as: house.ann)
        #expect(try house.bench.take().compactMap(\.badge) == [1])
    }

    @Test func `N-52: when time alone changes the number and nothing is told, a badge message tells it`()
        throws
    {
        let house = try Clockwork()
        let id = try house.bench.make(
            "quiet", ["due_at": .local("09:00"), "auto_snooze_minutes": 0], by: house.ann
        ).id
        let messages = try house.round(at: "09:00")
        #expect(messages.map(\.kind) == [.badge])
        #expect(messages.first?.badge == 1)
        #expect(try house.bench.look(id) == nil)
    }

    @Test func `N-2: with notifications off nothing is told but the badge, and the looks go on`() throws {
        let house = try Clockwork()
        let id = try house.make("09:00")
        try house.bench.set("notifications_enabled", "false", of: house.ann)
        #expect(try house.round(at: "09:00").map(\.kind) == [.badge])
        #expect(try house.bench.count("notified") == 0)
        #expect(try house.bench.look(id) == .local("09:30"))
    }

    @Test func `T-5: open pages are told that a task is over target now`() throws {
        let house = try Clockwork()
        _ = try house.make("09:00")
        let before = try house.bench.count("event")
        _ = try house.round(at: "09:00")
        #expect(try house.bench.rows("SELECT data FROM event WHERE id > \(before)") == [#"{"type":"sync"}"#])
    }
}
