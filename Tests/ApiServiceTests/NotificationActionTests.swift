import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A78, A79 The buttons of notifications")
struct NotificationActionTests {
    private let path = "/api/notifications/actions"

    private func press(_ bench: Bench, _ person: Bench.Person, _ body: [String: JSONValue]) throws -> Answer {
        var body = body
        body["token"] = .string(person.token)
        return try bench.call("POST", path, .object(body))
    }

    @Test func `the token in the body is checked before everything else`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        for body in [
            [:], ["action": "done", "task_id": .int(id)],
            ["action": "done", "task_id": .int(id), "token": 5],
            ["action": "none", "token": "short"],
            ["task_id": "x", "token": .string(String(repeating: "0", count: 64))],
        ] as [JSONValue] {
            expectRefused(try bench.call("POST", path, body), 401, "UNAUTHORIZED")
        }
        expectRefused(try bench.send("POST", path, Array("{".utf8)), 401, "UNAUTHORIZED")

        // A browser's cookie is no token: another site could have it sent.
        var browser = Browser(bench)
        _ = try browser.signIn()
        let byCookie = try bench.call(
            "POST", path, ["action": "done", "task_id": .int(id)],
            headers: [
                ("Cookie", "authjs.session-token=\(browser.session ?? "")"),
                ("Origin", "https://evil.example"),
            ])
        expectRefused(byCookie, 401, "UNAUTHORIZED")
        #expect(try !bench.item(id).done)
    }

    @Test func `done, with what the extension reads`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let task = try bench.make("x", ["due_at": .local("08:00"), "rrule": "FREQ=DAILY"], by: ann)
        let body: [String: JSONValue] = [
            "action": "done", "task_id": .int(task.id), "due_at": .local("08:00"),
        ]
        let answer = try press(bench, ann, body)
        #expect(answer.status == 200)
        #expect(answer["action"] == "done")
        #expect(answer["task_id"] == .int(task.id))
        #expect(answer["result"]["wasRecurring"] == true)
        #expect(answer["result"]["nextDueAt"] == .local("10-15 08:00"))
        let inside = try unwrap(answer["result"]["task"]?.object)
        #expect(Set(inside.keys) == Set(taskMembers.keys).subtracting(["is_recurring", "is_snoozed"]))
        #expect(try bench.rows("SELECT action FROM undo ORDER BY id DESC LIMIT 1") == ["done"])

        // C-3, N-43: an old banner is harmless.
        let late = try press(bench, ann, body)
        #expect(late.status == 200)
        #expect(late["already_done"] == true)
        #expect(late["stale"] == true)
        #expect(try bench.count("completion") == 1)
    }

    @Test(
        arguments: [
            (["action": "snooze"], "15:00"), (["action": "snooze30"], "14:50"),
            (["action": "snooze2h"], "16:00"),
            (["action": "snooze", "option": "next_period"], "16:00"),
            (["action": "snooze", "option": "10"], "14:30"),
            (["action": "snooze", "until": "2026-10-14T18:00"], "18:00"),
        ] as [([String: JSONValue], String)])
    func `the snoozes, at 14:20 on a task over target`(_ body: [String: JSONValue], _ until: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        let id = try bench.make("x", ["due_at": .local("13:00"), "priority": 4], by: ann).id
        let answer = try press(bench, ann, body.merging(["task_id": .int(id)]) { $1 })
        #expect(answer["until"] == .local(until))
        #expect(answer["result"]["previousDueAt"] == .local("13:00"))
        #expect(answer["result"]["originalDueAt"] == .local("13:00"))
        #expect(answer["result"]["description"]?.string?.hasPrefix("Snoozed \"x\"") == true)
        #expect(answer["result"]["task"]?["due_at"] == .local(until))
        #expect(try bench.rows("SELECT action FROM undo ORDER BY id DESC LIMIT 1") == ["snooze"])
    }

    @Test
    func `N-43: +1hr of a task that is ahead again counts from its own target; a stale one does nothing`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make("x", ["due_at": .local("17:20")], by: ann).id
        #expect(try press(bench, ann, ["action": "snooze", "task_id": .int(id)])["until"] == .local("18:20"))
        let stale = try press(
            bench, ann, ["action": "snooze", "task_id": .int(id), "due_at": .local("17:20")])
        #expect(stale.status == 200)
        #expect(stale["stale"] == true)
        #expect(try bench.item(id).snoozeCount == 1)
    }

    @Test func `delete, once`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let id = try bench.make(by: ann).id
        let answer = try press(bench, ann, ["action": "delete", "task_id": .int(id)])
        #expect(answer["result"]["task"]?["deleted_at"] == .local("10:00"))
        let again = try press(bench, ann, ["action": "delete", "task_id": .int(id)])
        expectRefused(again, 400, "VALIDATION_ERROR")
    }

    @Test func `All +1hr moves that task too, whatever its priority`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        bench.at("14:20")
        let urgent = try bench.make("u", ["due_at": .local("13:00"), "priority": 4], by: ann).id
        let low = try bench.make("l", ["due_at": .local("13:00"), "priority": 1], by: ann).id
        let high = try bench.make("h", ["due_at": .local("13:00"), "priority": 3], by: ann).id
        let answer = try press(bench, ann, ["action": "snooze_all", "task_id": .int(urgent)])
        #expect(answer["until"] == .local("15:00"))
        #expect(answer["result"]["tasks_affected"] == 2)
        #expect(try bench.item(urgent).target == .local("15:00"))
        #expect(try bench.item(low).target == .local("15:00"))
        #expect(try bench.item(high).target == .local("13:00"))
    }

    @Test func `bad ids, unknown actions, tasks that cannot take it are 400, another's task is 404`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let reminder = try bench.make("r", ["is_reminder": true], by: ann).id
        let quota = try bench.make("q", ["is_tracked": true, "rrule": "FREQ=DAILY"], by: ann).id
        let foreign = try bench.make(by: bob).id
        let task = try bench.make(by: ann).id
        for body in [
            ["action": "done"], ["action": "done", "task_id": 0], ["action": "done", "task_id": "1"],
            ["action": "explode", "task_id": .int(task)], ["task_id": .int(task)],
            ["action": "snooze", "task_id": .int(reminder)], ["action": "done", "task_id": .int(quota)],
            ["action": "snooze", "task_id": .int(task), "until": "soon"],
        ] as [[String: JSONValue]] {
            expectRefused(try press(bench, ann, body), 400, "VALIDATION_ERROR")
        }
        for id in [foreign, 4711] {
            let answer = try press(bench, ann, ["action": "done", "task_id": .int(id)])
            expectRefused(answer, 404, "NOT_FOUND")
        }
    }

    @Test func `N-42: dismiss all leaves at most once in 30 s for each user`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        func dismiss(_ person: Bench.Person) throws -> Int {
            let answer = try bench.call("POST", "/api/notifications/dismiss-all", as: person)
            #expect(answer.data == ["dismissed": true])
            return try bench.take().count { $0.kind == .dismissAll && $0.user == person.id.rawValue }
        }
        bench.at("10:00:29")
        #expect(try dismiss(ann) == 1)
        bench.at("10:00:30")
        #expect(try dismiss(ann) == 0)
        #expect(try dismiss(bob) == 1)
        bench.at("10:00:58")
        #expect(try dismiss(ann) == 0)
        bench.at("10:00:59")
        #expect(try dismiss(ann) == 1)
        bench.at("10:00:00")
        #expect(try dismiss(ann) == 0, "a clock that is set back sends nothing again")
    }
}
