import Domain
import Interfaces
import JSON
import Testing
import Time
import Varlink

@Suite("A80, N-45 Test notifications")
struct TestNotificationTests {
    private let house: Clockwork
    private let push: PushDouble
    private var bench: Bench { house.bench }
    private var ann: Bench.Person { house.ann }

    init() throws {
        house = try Clockwork(at: "10:00")
        push = try PushDouble(house.bench)
    }

    private func test(_ type: String, headers: [(name: String, value: String)] = []) throws -> Answer {
        try bench.call(
            "POST", "/api/notifications/test", ["type": .string(type)], as: ann, headers: headers)
    }

    private func housekeep() throws -> Int {
        try house.door.client.call(ClockInterface.Housekeep.self, .init()).done
    }

    @Test(arguments: [
        ("individual", 0, Push.Alert.Level.active), ("high", 3, .timeSensitive), ("bulk", 0, .active),
        ("urgent", 4, .critical), ("critical", 4, .critical),
    ])
    func `a real task, and its notification three seconds later at the right level`(
        _ type: String, _ priority: Int64, _ level: Push.Alert.Level
    ) throws {
        try bench.set("critical_alert_volume", "0.25", of: ann)
        try bench.set("notifications_enabled", "false", of: ann)
        let answer = try test(type)
        #expect(answer.status == 200)
        let id = try unwrap(answer["task_id"].int)
        #expect(
            answer.data
                == ["sent": true, "type": .string(type), "task_id": .int(id), "delay_seconds": 3])
        let task = try bench.get(id, as: ann)
        #expect(task["due_at"] == .local("09:59") && task["labels"] == ["test"])
        #expect(task["auto_snooze_minutes"] == 0 && task["priority"] == .int(priority))
        let messages = try bench.take()
        #expect(messages.map(\.kind) == [.badge, .alert])
        let message = try unwrap(messages.last)
        let alert = try unwrap(message.alert)
        #expect(message.notBefore == bench.now.adding(seconds: 3))
        #expect(message.user == ann.id.rawValue && alert.taskID == id && alert.badge == 1)
        #expect(alert.level == level && alert.volume == (level == .critical ? 0.25 : nil))
        #expect(alert.channels == [.webpush, .apns])
        #expect(try bench.look(id) == nil, "it is not told again by the grid")
        #expect(try bench.count("statistic") == 0)
        #expect(try bench.count("undo WHERE action = 'create'") == 1)
        #expect(try bench.rows("SELECT data FROM event ORDER BY id").contains { $0.contains("task_created") })
    }

    @Test func `400 for what is no test, and when nothing of the caller's can be reached; 503 without push`()
        throws
    {
        expectRefused(try test("loud"), 400, "VALIDATION_ERROR", culprit: "type")
        expectRefused(
            try bench.call("POST", "/api/notifications/test", [:], as: ann), 400, "VALIDATION_ERROR",
            culprit: "type")
        expectRefused(
            try bench.call("POST", "/api/notifications/test", ["type": "high"]), 401, "UNAUTHORIZED")
        let bare = try Bench()
        let bob = try bare.add("bob")
        expectRefused(
            try bare.call("POST", "/api/notifications/test", ["type": "high"], as: bob), 503,
            "SERVICE_UNAVAILABLE")
        let none = try PushDouble(bare, devices: 0)
        expectRefused(
            try bare.call("POST", "/api/notifications/test", ["type": "high"], as: bob), 400,
            "VALIDATION_ERROR")
        #expect(try bare.count("task") == 0)
        let body: JSONValue = ["device_token": "00112233aabbccdd", "bundle_id": "org.example.app"]
        _ = try bare.call("POST", "/api/push/apns/register", body, as: bob)
        #expect(
            try bare.call("POST", "/api/notifications/test", ["type": "high"], as: bob).status == 200,
            "a registration that is on its way counts")
        _ = none
    }

    @Test func `its task counts for no day, other tasks beside it do`() throws {
        let id = try unwrap(try test("individual")["task_id"].int)
        try bench.act("done", id, as: ann)
        try bench.act("undone", id, as: ann)
        #expect(try bench.count("statistic") == 0)
        try bench.make("x", ["due_at": .local("09:00")], by: ann)
        try bench.sweep(as: ann)
        #expect(try bench.rows("SELECT snoozes || ' ' || completions FROM statistic") == ["1 0"])
        try bench.undo(as: ann)
        #expect(try bench.rows("SELECT snoozes || ' ' || completions FROM statistic") == ["0 0"])
    }

    @Test func `after an hour by the clock it goes to the trash, once, without an undo entry (A-10)`() throws
    {
        let id = try unwrap(try test("individual")["task_id"].int)
        let done = try unwrap(try test("high")["task_id"].int)
        try bench.act("done", done, as: ann)
        let entries = try bench.count("undo")
        bench.at("10:59:59")
        #expect(try housekeep() == 0)
        bench.at("11:00")
        #expect(try housekeep() == 2)
        #expect(try bench.item(id).deletedAt == .local("11:00"))
        #expect(try bench.item(done).deletedAt == .local("11:00"))
        #expect(try bench.count("undo") == entries)
        #expect(try bench.call("GET", "/api/tasks/counts", as: ann)["overdue"] == 0)
        try bench.act("restore", id, as: ann)
        bench.at("12:30")
        #expect(try housekeep() == 0)
        #expect(try bench.item(id).deletedAt == nil, "whoever wants to keep it can")
    }

    @Test func `done within the three seconds, it is not told (N-41)`() throws {
        let id = try unwrap(try test("individual")["task_id"].int)
        try bench.act("done", id, as: ann)
        #expect(try bench.take().allSatisfy { $0.kind != .alert })
    }

    @Test func `the clock of the house wakes for it`() throws {
        let id = try unwrap(try test("individual")["task_id"].int)
        var told: [Int64?] = []
        try house.door.client.stream(ClockInterface.Watch.self, .init()) { reply in
            told.append(reply.next)
            return false
        }
        #expect(told == [Instant.local("11:00").seconds])
        #expect(try bench.item(id).deletedAt == nil)
    }

    @Test func `A-4: a repeated request makes one task`() throws {
        let key = [(name: "Idempotency-Key", value: "k")]
        let first = try test("high", headers: key)
        let again = try test("high", headers: key)
        #expect(again.data == first.data)
        #expect(try bench.count("task") == 1)
    }
}
