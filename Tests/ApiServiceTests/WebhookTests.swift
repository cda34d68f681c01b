import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A89 to A93 Webhooks")
struct WebhookTests {
    private let url: JSONValue = "https://hooks.example.org/x?y=1"

    @Test func `A90: the secret is told once, with the webhook`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let body: JSONValue = ["url": url, "events": ["task.created", "task.deleted", "task.created"]]
        let made = try bench.call("POST", "/api/webhooks", body, as: ann)
        #expect(made.status == 201)
        let secret = try unwrap(made["secret"].string)
        #expect(secret.count == 64 && secret.allSatisfy { "0123456789abcdef".contains($0) })
        var shown: [String: JSONValue] = [
            "id": .int(made.id), "user_id": .int(ann.id.rawValue), "url": url,
            "events": ["task.created", "task.deleted"], "active": true, "created_at": .local("10:00"),
            "updated_at": .local("10:00"),
        ]
        let list = try bench.call("GET", "/api/webhooks", as: ann)
        #expect(list.data == ["webhooks": [.object(shown)]])
        shown["secret"] = .string(secret)
        #expect(made.data == .object(shown))
        let other = try bench.call("POST", "/api/webhooks", body, as: ann)
        #expect(other["secret"] != made["secret"] && other.id != made.id)
    }

    @Test(
        arguments: [
            ("url", ["events": ["task.created"]]),
            ("url", ["url": nil, "events": ["task.created"]]),
            ("url", ["url": 5, "events": ["task.created"]]),
            ("url", ["url": "ftp://example.org/", "events": ["task.created"]]),
            ("url", ["url": "/hook", "events": ["task.created"]]),
            ("url", ["url": "https://", "events": ["task.created"]]),
            ("url", ["url": "http://169.254.169.254/latest", "events": ["task.created"]]),
            ("url", ["url": "http://[fe80::1]/", "events": ["task.created"]]),
            ("url", ["url": "http://[::ffff:169.254.1.1]/", "events": ["task.created"]]),
            ("events", ["url": "http://x.example/"]),
            ("events", ["url": "http://x.example/", "events": []]),
            ("events", ["url": "http://x.example/", "events": "task.created"]),
            ("events", ["url": "http://x.example/", "events": nil]),
            ("events.1", ["url": "http://x.example/", "events": ["task.created", "task.moved"]]),
            ("events.0", ["url": "http://x.example/", "events": [1]]),
        ] as [(String, JSONValue)])
    func `A90: what is no webhook is refused and named`(_ culprit: String, _ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/webhooks", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: culprit)
        #expect(try bench.call("GET", "/api/webhooks", as: ann)["webhooks"] == [])
    }

    @Test(arguments: [
        "http://127.0.0.1:1880/hook", "http://nas.local/", "http://[::1]/", "http://hass:8123/",
    ])
    func `D21: a home's addresses are taken, unless that is forbidden`(_ url: String) throws {
        let body: JSONValue = ["url": .string(url), "events": ["task.created"]]
        let open = try Bench()
        #expect(try open.call("POST", "/api/webhooks", body, as: try open.add()).status == 201)
        let closed = try Bench(["OPENTASK_WEBHOOK_PRIVATE": "false"])
        let answer = try closed.call("POST", "/api/webhooks", body, as: try closed.add())
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "url")
    }

    @Test func `A91: any of its members change, without the secret; what is not sent stays`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.hook(["task.created"], by: ann)
        bench.at("10:05")
        let path = "/api/webhooks/\(made.id)"
        let events = try bench.call("PATCH", path, ["events": ["task.skipped"]], as: ann)
        #expect(events["events"] == ["task.skipped"])
        #expect(events["url"] == made["url"] && events["active"] == true && events["secret"] == .null)
        #expect(events["updated_at"] == .local("10:05") && events["created_at"] == .local("10:00"))
        let moved = try bench.call("PATCH", path, ["url": "http://b.example/", "active": false], as: ann)
        #expect(moved["url"] == "http://b.example/" && moved["active"] == false)
        bench.at("10:10")
        let same = try bench.call("PATCH", path, ["active": false, "unknown": 1], as: ann)
        #expect(same.data == moved.data, "api 1.11: nothing changed")
        for (culprit, body) in [
            ("url", ["url": "nowhere"]), ("url", ["url": nil]), ("events", ["events": []]),
            ("active", ["active": 1]), ("active", ["active": nil]),
        ] as [(String, JSONValue)] {
            expectRefused(
                try bench.call("PATCH", path, body, as: ann), 400, "VALIDATION_ERROR", culprit: culprit)
        }
        #expect(try bench.call("GET", "/api/webhooks", as: ann)["webhooks"].array?.first == moved.data)
    }

    @Test
    func `one that becomes inactive or goes is told to push after its events, and what waits here goes`()
        throws
    {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.hook(["task.created"], by: ann)
        let stays = try bench.hook(["task.created"], by: ann)
        try bench.make(by: ann)
        _ = try bench.call("PATCH", "/api/webhooks/\(made.id)", ["active": false], as: ann)
        try bench.make(by: ann)
        let messages = try bench.take()
        #expect(messages.map(\.kind) == [.webhook, .dropWebhook, .webhook])
        #expect(messages.compactMap(\.event?.webhook) == [stays.id, stays.id])
        #expect(messages[1].webhook == made.id)
        let gone = try bench.call("DELETE", "/api/webhooks/\(stays.id)", as: ann)
        #expect(gone.data == ["deleted": true])
        try bench.make(by: ann)
        let last = try bench.take()
        #expect(last.map(\.kind) == [.forgetWebhook])
        #expect(last.first?.webhook == stays.id && last.first?.user == ann.id.rawValue)
        expectRefused(
            try bench.call("DELETE", "/api/webhooks/\(stays.id)", as: ann), 404, "NOT_FOUND")
    }

    @Test func `a stranger's webhook is not found, and bad ids are refused`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let made = try bench.hook(["task.created"], by: ann)
        #expect(try bench.call("GET", "/api/webhooks", as: bob)["webhooks"] == [])
        for (method, path) in [
            ("PATCH", "/api/webhooks/\(made.id)"), ("DELETE", "/api/webhooks/\(made.id)"),
            ("GET", "/api/webhooks/\(made.id)/deliveries"),
        ] {
            expectRefused(
                try bench.call(method, path, ["active": false], as: bob), 404, "NOT_FOUND")
            expectRefused(try bench.call(method, path, ["active": false]), 401, "UNAUTHORIZED")
        }
        expectRefused(
            try bench.call("DELETE", "/api/webhooks/0", as: ann), 400, "VALIDATION_ERROR", culprit: "id")
        #expect(try bench.call("GET", "/api/webhooks", as: ann)["webhooks"].array?.count == 1)
    }

    @Test func `A-4: a repeated request makes one webhook and tells the same secret`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let key = [(name: "Idempotency-Key", value: "k1")]
        let body: JSONValue = ["url": url, "events": ["task.created"]]
        let first = try bench.call("POST", "/api/webhooks", body, as: ann, headers: key)
        let again = try bench.call("POST", "/api/webhooks", body, as: ann, headers: key)
        #expect(first.status == 201 && again.status == 201 && again.data == first.data)
        #expect(try bench.count("webhook") == 1)
    }

    @Test func `one user has at most 50`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for _ in 1...50 { try bench.hook(["task.created"], by: ann) }
        let body: JSONValue = ["url": url, "events": ["task.created"]]
        expectRefused(
            try bench.call("POST", "/api/webhooks", body, as: ann), 400, "VALIDATION_ERROR")
        #expect(try bench.call("POST", "/api/webhooks", body, as: try bench.add("bob")).status == 201)
    }

    @Test func `A93 without a push service says so`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let made = try bench.hook(["task.created"], by: ann)
        expectRefused(
            try bench.call("GET", "/api/webhooks/\(made.id)/deliveries", as: ann), 503,
            "SERVICE_UNAVAILABLE")
    }
}

extension Bench {
    /// A new webhook.
    @discardableResult
    func hook(_ events: [String], by person: Person, url: String = "https://hooks.example.org/x") throws
        -> Answer
    {
        let body: JSONValue = ["url": .string(url), "events": .array(events.map(JSONValue.string))]
        let answer = try call("POST", "/api/webhooks", body, as: person)
        guard answer.status == 201 else { throw Missing(description: "webhook: \(answer.body ?? .null)") }
        return answer
    }

    static let allEvents = [
        "task.created", "task.updated", "task.completed", "task.deleted", "task.restored", "task.snoozed",
        "task.skipped", "task.progressed",
    ]

    /// What webhooks were told since the last call: event and data.
    func told() throws -> [(event: String, data: JSONValue)] {
        try take().compactMap(\.event).map { ($0.event, try JSONValue(parsing: Array($0.data.utf8))) }
    }
}
