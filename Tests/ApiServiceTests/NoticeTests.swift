import ApiStore
import Domain
import Interfaces
import JSON
import Testing
import Time
import Varlink

@Suite("A99 What was decided about notifications, and why")
struct NoticeTests {
    private let house: Clockwork
    private let push: PushDouble
    private var bench: Bench { house.bench }
    private var ann: Bench.Person { house.ann }

    init() throws {
        house = try Clockwork(at: "08:00")
        push = try PushDouble(house.bench)
        _ = try house.bench.store.write(at: house.bench.clock) { try $0.setSetting("instance", "i") }
    }

    private func log(_ query: String = "", as person: Bench.Person? = nil) throws -> [JSONValue] {
        let answer = try bench.call("GET", "/api/notifications/log\(query)", as: person ?? ann)
        #expect(answer.status == 200)
        let entries = answer["entries"].array ?? []
        #expect(answer["count"] == .int(Int64(entries.count)))
        return entries
    }

    /// `kind decision: reason` of each entry.
    private func words(_ query: String = "") throws -> [String] {
        try log(query).map { entry in
            let texts = ["kind", "decision", "reason"].map { entry[$0]?.string ?? "-" }
            return "\(texts[0]) \(texts[1]): \(texts[2])"
        }
    }

    private func entry(
        _ number: Int64, _ outcome: Push.LogEntry.Outcome, _ target: String?, reason: String? = nil,
        status: Int? = nil, attempts: Int = 1
    ) -> Push.LogEntry {
        Push.LogEntry(
            at: bench.now, messageID: "i-\(number)", kind: "alert", channel: .apns, target: target,
            outcome: outcome, reason: reason, status: status, attempts: attempts)
    }

    @Test func `a target that came is told: an entry for each device, with its tries and its answer`() throws
    {
        let id = try house.make("09:00")
        _ = try house.round(at: "09:00")
        let bare: JSONValue = [
            "at": .local("09:00"), "kind": "over_target", "task_id": .int(id), "device": nil,
            "decision": "sent", "reason": "the target has come", "attempts": 0, "answer": nil,
        ]
        #expect(try log() == [bare], "push has not said anything yet")
        let number = Int64(try bench.rows("SELECT message FROM notice").first ?? "") ?? 0
        push.says([
            entry(number, .failed, "phone", reason: "Unregistered", status: 410, attempts: 2),
            entry(number, .sent, "browser", status: 201),
            entry(number, .retrying, "phone", reason: "answered 503", status: 503),
            entry(number, .dropped, "watch", reason: "expired", attempts: 3),
            entry(number + 1, .sent, "elsewhere", status: 200),
        ])
        let entries = try log()
        func shown(_ name: String) -> JSONValue? { entries.first { $0["device"]?.string == name } }
        #expect(entries.count == 3)
        #expect(shown("phone")?["answer"] == "410 Unregistered" && shown("phone")?["attempts"] == 2)
        #expect(shown("browser")?["answer"] == "201" && shown("browser")?["decision"] == "sent")
        #expect(shown("watch")?["decision"] == "dropped" && shown("watch")?["reason"] == "expired")
        _ = try house.round(at: "09:30")
        #expect(try words().first == "over_target sent: still over target")
    }

    @Test func `without push the decisions are there, and what became of them is open`() throws {
        let house = try Clockwork()
        _ = try house.bench.store.write(at: house.bench.clock) { try $0.setSetting("instance", "i") }
        _ = try house.make("09:00")
        _ = try house.round(at: "09:00")
        let answer = try house.bench.call("GET", "/api/notifications/log", as: house.ann)
        let entry = try unwrap(answer["entries"].array?.first)
        #expect(entry["decision"] == "sent" && entry["attempts"] == .null && entry["answer"] == .null)
    }

    @Test func `N-2, N-12, T-9: held by a switch or an interval, or missed`() throws {
        _ = try house.make("09:00", priority: 1)
        try bench.set("notifications_enabled", "false", of: ann)
        _ = try house.round(at: "09:00")
        #expect(try words() == ["over_target held: notifications are off"])
        try bench.set("notifications_enabled", "true", of: ann)
        _ = try house.round(at: "13:20")
        #expect(
            try words().first == "over_target dropped: its time passed while the server was down")
        try bench.make("quiet", ["due_at": .local("14:00"), "auto_snooze_minutes": 0], by: ann)
        _ = try house.round(at: "14:00")
        #expect(try words().first == "over_target held: its interval is 0")
    }

    @Test func `N-15: what goes into a summary is merged, the summary is sent`() throws {
        for number in 1...6 { _ = try house.make("09:00", "task \(number)") }
        _ = try house.round(at: "09:00")
        let words = try words()
        #expect(words.count { $0.hasPrefix("over_target sent") } == 4)
        #expect(words.count { $0 == "over_target merged: one of several in a summary" } == 2)
        #expect(words.first == "summary sent: 2 more over target")
    }

    @Test func `N-41: what is dropped before it left is no longer said to be sent`() throws {
        let id = try house.make("09:00")
        bench.at("09:00")
        try house.door.round(at: .local("09:00"))
        try bench.act("done", id, as: ann)
        #expect(try words() == ["over_target dropped: the task was changed before it left"])
        #expect(try bench.outbox().allSatisfy { $0.kind != .alert })
    }

    @Test func `A-8: a replay of a report is no second decision`() throws {
        _ = try house.make("09:00")
        let checks = try house.decisions(at: "09:00")
        _ = try house.door.report(checks)
        _ = try house.door.report(checks)
        #expect(try words().count == 1)
    }

    @Test func `N-35: a sweep's banner, sent or held; none for a page`() throws {
        _ = try house.make("07:00", priority: 4)
        try bench.sweep(as: ann)
        #expect(try words() == ["sweep_result sent: some are still over target"])
        try bench.sweep(["notify": false], as: ann)
        try bench.set("sweep_feedback_notifications_enabled", "false", of: ann)
        try bench.sweep(as: ann)
        #expect(
            try words().prefix(2) == [
                "sweep_result held: notifications of bulk results are off",
                "sweep_result held: whoever asked wanted none",
            ])
    }

    @Test func `N-38: a snooze that stopped at the deadline`() throws {
        let more: [String: JSONValue] = ["due_at": .local("08:10"), "deadline_at": .local("08:40")]
        let id = try bench.make("x", more, by: ann).id
        bench.at("08:20")
        let body: JSONValue = ["action": "snooze", "task_id": .int(id), "token": .string(ann.token)]
        _ = try bench.call("POST", "/api/notifications/actions", body)
        #expect(try words() == ["snoozed_to_deadline sent: the snooze stopped at the deadline"])
    }

    @Test func `N-30, N-32: banners of enrichment`() throws {
        let queue = try QueueHouse()
        _ = try queue.type("call bob")
        _ = try queue.complete(try queue.claimOne(), .init(title: "Call Bob"))
        try queue.bench.set("enrichment_notifications_enabled", "false", of: queue.ann)
        _ = try queue.type("call ann")
        _ = try queue.complete(try queue.claimOne(), .init(title: "Call Ann"))
        _ = try queue.type("?")
        try queue.fail(try queue.claimOne(), retryable: false)
        let rows = try queue.bench.rows("SELECT kind || ' ' || decision || ': ' || reason FROM notice")
        #expect(
            rows == [
                "enriched sent: the text has been understood",
                "enriched held: notifications of finished texts are off",
                "enrich_failed sent: the text could not be understood",
            ])
    }

    @Test func `newest first, by pages, of one task, and only one's own`() throws {
        let ids = try (0..<60).map { try house.make("09:0\($0 / 10)", "task \($0)") }
        for minute in 0..<6 { _ = try house.round(at: "09:0\(minute)") }
        let all = try log("?limit=200")
        // 4 of each 10 are told, 6 are merged into one summary.
        #expect(all.count == 6 * 11)
        #expect(all.compactMap { $0["at"]?.string } == all.compactMap { $0["at"]?.string }.sorted(by: >))
        #expect(try log().count == 50)
        #expect(try log("?limit=7&offset=55") == Array(all[55..<62]))
        #expect(try log("?offset=60") == Array(all[60...]))
        let one = try log("?task=\(ids[30])")
        #expect(one.count == 1 && one.first?["task_id"] == .int(ids[30]))
        let bob = try bench.add("bob")
        #expect(try log("?task=\(ids[30])", as: bob).isEmpty)
        for query in ["?limit=0", "?limit=201", "?limit=x", "?offset=-1", "?task=0", "?task=x"] {
            expectRefused(
                try bench.call("GET", "/api/notifications/log\(query)", as: ann), 400, "VALIDATION_ERROR")
        }
        expectRefused(try bench.call("GET", "/api/notifications/log"), 401, "UNAUTHORIZED")
    }

    @Test func `kept for 30 days`() throws {
        let id = try house.make("09:00")
        _ = try house.round(at: "09:00")
        try bench.trash(id, as: ann)
        bench.at("2026-11-13 08:00")  // 30 days of 24 h, with an hour more on the wall since November 1st
        _ = try house.door.client.call(ClockInterface.Purge.self, .init())
        #expect(try words().count == 1)
        bench.advance(seconds: 1)
        #expect(try words().isEmpty, "not shown any more")
        _ = try house.door.client.call(ClockInterface.Purge.self, .init())
        #expect(try bench.count("notice") == 0)
    }

    @Test func `A93: the deliveries of a webhook come from push`() throws {
        let made = try bench.hook(["task.created"], by: ann)
        push.says([
            Push.WebhookAttempt(
                id: 9, webhook: made.id, event: "task.created", payload: "{}", status: nil, error: "no",
                attempt: 2, at: .local("08:00")),
            Push.WebhookAttempt(
                id: 7, webhook: made.id + 1, event: "task.created", payload: "", status: 200, error: nil,
                attempt: 1, at: .local("08:00")),
        ])
        let answer = try bench.call("GET", "/api/webhooks/\(made.id)/deliveries", as: ann)
        #expect(
            answer.data == [
                "deliveries": [
                    [
                        "id": 9, "webhook_id": .int(made.id), "event": "task.created", "payload": "{}",
                        "status_code": nil, "error": "no", "attempt": 2, "created_at": .local("08:00"),
                    ]
                ]
            ])
    }
}
