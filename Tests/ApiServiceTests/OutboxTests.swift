import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("N-40, N-41, N-52 What leaves after a change")
struct OutboxTests {
    private func words(_ messages: [Push.Message]) -> [String] {
        messages.map { message in
            switch message.kind {
            case .dismiss: "dismiss \(message.dismiss?.taskIDs ?? [])"
            case .badge: "badge \(message.badge ?? -1)"
            case .alert: "alert \(message.alert?.collapseID ?? "")"
            default: message.kind.rawValue
            }
        }
    }

    @Test func `T-10, N-52: a task born over target changes the badge, another does not`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.make("ahead", ["due_at": .local("11:00")], by: ann)
        try bench.make("undated", by: ann)
        #expect(try bench.outbox().isEmpty)
        try bench.make("over", ["due_at": .local("09:00")], by: ann)
        #expect(words(try bench.take()) == ["badge 1"])
    }

    @Test func `golden 105: completing one of two sends its dismissal and badge 1, in this order`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("a", ["due_at": .local("09:00")], by: ann).id
        try bench.make("b", ["due_at": .local("09:00")], by: ann)
        try bench.take()
        try bench.act("done", id, as: ann)
        let messages = try bench.take()
        #expect(words(messages) == ["dismiss [\(id)]", "badge 1"])
        #expect(messages.allSatisfy { $0.user == ann.id.rawValue && $0.at == .local("10:00") })
        bench.at("10:03")
        try bench.make("c", by: ann)
        #expect(try bench.outbox().isEmpty, "the number told is still the number")
    }

    @Test
    func `each act that moves a task dismisses it; an edit of words, a first date and a failure do not`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        func messages(_ act: (Int64) throws -> Void) throws -> [String] {
            let id = try bench.make("x", ["due_at": .local("11:00")], by: ann).id
            try bench.take()
            try act(id)
            return words(try bench.take()).map { $0.replacing("\(id)", with: "id") }
        }
        #expect(try messages { try bench.act("done", $0, as: ann) } == ["dismiss [id]"])
        #expect(try messages { try bench.act("snooze", $0, as: ann) } == ["dismiss [id]"])
        #expect(try messages { try bench.trash($0, as: ann) } == ["dismiss [id]"])
        #expect(
            try messages { try bench.patch($0, ["due_at": .local("12:00")], as: ann) } == ["dismiss [id]"])
        #expect(try messages { try bench.patch($0, ["due_at": nil], as: ann) } == ["dismiss [id]"])
        #expect(try messages { try bench.patch($0, ["is_reminder": true], as: ann) } == ["dismiss [id]"])
        #expect(
            try messages { try bench.patch($0, ["title": "y", "priority": 3, "notes": "n"], as: ann) } == [])
        #expect(
            try messages { _ = try bench.call("PATCH", "/api/tasks/\($0)", ["due_at": 1], as: ann) } == [])

        let undated = try bench.make("u", by: ann).id
        try bench.patch(undated, ["due_at": .local("12:00")], as: ann)
        #expect(try bench.outbox().isEmpty)
        let reminder = try bench.make("r", ["is_reminder": true], by: ann).id
        try bench.act("done", reminder, as: ann)
        #expect(words(try bench.take()) == ["dismiss [\(reminder)]"])
    }

    @Test func `a sweep dismisses what moved, in one message`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let a = try bench.make("a", ["due_at": .local("09:00")], by: ann).id
        let b = try bench.make("b", ["due_at": .local("09:10")], by: ann).id
        try bench.make("u", ["due_at": .local("09:00"), "priority": 4], by: ann)
        try bench.take()
        try bench.sweep(["notify": false], as: ann)
        #expect(words(try bench.take()) == ["dismiss [\(a), \(b)]", "badge 1"])
    }

    @Test func `L-12: dismissal and badge go to the owner, whoever acts`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let shared = try bench.call("POST", "/api/projects", ["name": "House", "shared": true], as: ann).id
        let id = try bench.make("x", ["due_at": .local("09:00"), "project_id": .int(shared)], by: ann).id
        try bench.take()
        try bench.act("done", id, as: bob)
        let messages = try bench.take()
        #expect(words(messages) == ["dismiss [\(id)]", "badge 0"])
        #expect(messages.allSatisfy { $0.user == ann.id.rawValue })
    }

    @Test func `N-40, last sentence: undo dismisses only what is not over target afterwards`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        try bench.act("snooze", id, ["until": .local("12:00")], as: ann)
        try bench.take()
        try bench.undo(as: ann)
        #expect(words(try bench.take()) == ["badge 1"], "over target again: its notification stays")
        try bench.redo(as: ann)
        #expect(words(try bench.take()) == ["dismiss [\(id)]", "badge 0"])
    }

    @Test func `N-53: whoever was told a number and has none now gets 0`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        try bench.take()
        try bench.trash(id, as: ann)
        #expect(words(try bench.take()) == ["dismiss [\(id)]", "badge 0"])
        try bench.make("y", by: ann)
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `A-1: what is refused leaves nothing in the outbox, and no event`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("09:00")], by: ann).id
        try bench.take()
        let events = try bench.count("event")
        for (path, body) in [
            ("/api/tasks/\(id)/snooze", ["option": "soon"]), ("/api/tasks/\(id)/done", ["version": 7]),
            ("/api/tasks/bulk/snooze-overdue", ["include_task_ids": [4711]]),
        ] as [(String, JSONValue)] {
            #expect(try bench.call("POST", path, body, as: ann).status >= 400)
        }
        #expect(try bench.outbox().isEmpty)
        #expect(try bench.count("event") == events)
    }
}

@Suite("N-35 to N-38 Quiet banners")
struct BannerTests {
    private func alerts(_ bench: Bench) throws -> [Push.Alert] {
        try bench.take().compactMap(\.alert)
    }

    @Test func `N-35, N-37: a sweep by token that leaves something is told, one by the page is not`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        try bench.make("a", ["due_at": .local("13:00")], by: ann)
        try bench.make("h", ["due_at": .local("13:00"), "priority": 3], by: ann)
        try bench.make("u", ["due_at": .local("13:00"), "priority": 4], by: ann)
        try bench.take()
        let answer = try bench.sweep(["option": "60"], as: ann)
        #expect(answer["feedback_notification"] == true)
        let told = try alerts(bench)
        #expect(told.count == 1)
        let alert = try unwrap(told.first)
        #expect(alert.title == "Snoozed 1 task until 3:00 PM")
        #expect(
            alert.body == "1 High and 1 Urgent still over target. Snooze again to move the High ones"
                || alert.body == "1 High and 1 Urgent still over target. Snooze again to move the High one")
        #expect(alert.category == "TASK_SUMMARY")
        #expect(alert.thread == "ot-tasks")
        #expect(alert.collapseID == "sweep-result")
        #expect(!alert.sound && alert.silent && alert.badge == nil && alert.level == .active)
        #expect(
            alert.data == [
                "kind": "sweep-result", "totalOverdueCount": 2, "overflowCount": 2, "priority": 4,
            ])
        #expect(alert.taskID == nil)

        var browser = Browser(bench)
        _ = try browser.signIn()
        bench.at("15:30")
        let page = try browser.call("POST", "/api/tasks/bulk/snooze-overdue")
        #expect(page.status == 200)
        #expect(page["feedback_notification"] == false)
        #expect(try alerts(bench).isEmpty)
    }

    @Test(
        arguments: [
            (["option": "60", "notify": false], nil),
            (["option": "60"], "sweep_feedback_notifications_enabled"),
            (["option": "60"], "notifications_enabled"),
        ] as [(JSONValue, String?)])
    func `N-35: not when the caller shows it, nor with a switch off`(_ body: JSONValue, _ off: String?) throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        if let off { try bench.set(off, "false", of: ann) }
        try bench.make("u", ["due_at": .local("09:00"), "priority": 4], by: ann)
        try bench.take()
        #expect(try bench.sweep(body, as: ann)["feedback_notification"] == false)
        #expect(try alerts(bench).isEmpty)
    }

    @Test func `golden 103: nothing left, nothing sent`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.make("a", ["due_at": .local("09:00")], by: ann)
        try bench.take()
        #expect(try bench.sweep(as: ann)["feedback_notification"] == false)
        #expect(try alerts(bench).isEmpty)
    }

    private func stopped(_ bench: Bench, _ ann: Bench.Person) throws -> Int64 {
        bench.at("17:10")
        return try bench.make("x", ["due_at": .local("17:00"), "deadline_at": .local("17:30")], by: ann).id
    }

    @Test func `golden 104, N-38: a button's snooze that stopped at the deadline is told`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try stopped(bench, ann)
        try bench.take()
        let body: JSONValue = ["action": "snooze", "task_id": .int(id), "token": .string(ann.token)]
        let answer = try bench.call("POST", "/api/notifications/actions", body)
        #expect(answer["stopped_at_deadline"] == true)
        #expect(answer["until"] == .local("17:30"))
        let messages = try bench.take()
        #expect(messages.map(\.kind) == [.dismiss, .badge, .alert])
        let alert = try unwrap(messages.last?.alert)
        #expect(alert.title == "Snoozed to deadline 5:30 PM")
        #expect(alert.body == "A quick snooze stops at the deadline")
        #expect(alert.collapseID == "deadline-\(id)")
        #expect(alert.category == nil && alert.taskID == nil && alert.data["taskId"] == nil)
        #expect(!alert.sound && alert.silent && alert.badge == nil)
    }

    @Test func `N-38: a bare PATCH of the target counts by token, not by cookie, and not from the picker`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try stopped(bench, ann)
        try bench.take()
        try bench.patch(id, ["due_at": .local("18:00")], as: ann)
        #expect(try alerts(bench).map(\.collapseID) == ["deadline-\(id)"])

        let other = try stopped(bench, ann)
        var browser = Browser(bench)
        _ = try browser.signIn()
        try bench.take()
        browser.headers = [("Content-Type", "application/json")]
        let answer = try bench.send(
            "PATCH", "/api/tasks/\(other)", Array(#"{"due_at":"2026-10-14T18:00"}"#.utf8),
            headers: [("Cookie", "authjs.session-token=\(browser.session ?? "")")])
        #expect(answer["stopped_at_deadline"] == true)
        #expect(try alerts(bench).isEmpty)
    }

    @Test(arguments: ["notifications_enabled", "sweep_feedback_notifications_enabled"])
    func `N-38: under both switches`(_ off: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        try bench.set(off, "false", of: ann)
        let id = try stopped(bench, ann)
        try bench.take()
        try bench.patch(id, ["due_at": .local("18:00")], as: ann)
        #expect(try alerts(bench).isEmpty)
    }
}
