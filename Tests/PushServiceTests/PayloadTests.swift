import Interfaces
import JSON
import PushService
import PushStore
import Testing
import Time

private let now = Instant(seconds: 1_800_000_000)

private func message(_ alert: Push.Alert) -> Push.Message {
    Push.Message(id: "m", user: 1, kind: .alert, at: now, alert: alert)
}

private func sample(_ change: (inout Push.Alert) -> Void = { _ in }) -> Push.Message {
    var alert = Push.Alert(
        taskID: 42, title: "Call the plumber", body: "Over target", link: "/?task=42",
        category: "TASK_REMINDER",
        thread: "ot-tasks", collapseID: "task-42", data: ["taskId": 42, "dueAt": "2026-03-01T09:00:00.000Z"])
    change(&alert)
    return message(alert)
}

@Suite("api.md 5A, N-18 Web Push payloads")
struct WebPushPayloadTests {
    @Test func `an alert has title, body, tag and data, and the link with its base`() {
        let payload = WebPushRequest.payload(sample(), base: "https://tasks.example.org")
        #expect(
            payload == [
                "title": "Call the plumber", "body": "Over target", "tag": "task-42", "renotify": true,
                "data": [
                    "id": "m", "url": "https://tasks.example.org/?task=42", "taskId": 42,
                    "dueAt": "2026-03-01T09:00:00.000Z",
                ],
            ])
    }

    @Test func `without a public address the browser resolves the link itself`() {
        #expect(WebPushRequest.payload(sample(), base: "")?["data"]?["url"] == "/?task=42")
        let elsewhere = sample { $0.link = "https://other.example.org/" }
        #expect(
            WebPushRequest.payload(elsewhere, base: "https://a.example")?["data"]?["url"]
                == "https://other.example.org/")
    }

    @Test func `N-18 buttons where asked for`() {
        let actions = WebPushRequest.payload(sample { $0.webActions = true }, base: "")?["actions"]
        #expect(
            actions == [["action": "done", "title": "Done"], ["action": "snooze", "title": "+1hr"]])
    }

    @Test func `N-31 quiet ones are silent and do not notify again`() {
        let payload = WebPushRequest.payload(sample { $0.silent = true }, base: "")
        #expect(payload?["silent"] == true && payload?["renotify"] == false)
        #expect(WebPushRequest.payload(sample { $0.sound = false }, base: "")?["silent"] == true)
    }

    @Test func `dismissals name their tasks; badges are none of a browser's`() {
        var message = Push.Message(id: "m", user: 1, kind: .dismiss, at: now)
        message.dismiss = Push.Dismiss(taskIDs: [1, 2], slotIDs: [])
        #expect(WebPushRequest.payload(message, base: "") == ["type": "dismiss", "taskIds": [1, 2]])
        message.dismiss = Push.Dismiss(taskIDs: [], slotIDs: [-1])
        #expect(
            WebPushRequest.payload(message, base: "") == ["type": "dismiss", "taskIds": [], "slotIds": [-1]])
        #expect(
            WebPushRequest.payload(Push.Message(id: "m", user: 1, kind: .dismissAll, at: now), base: "")
                == ["type": "dismiss-all"])
        #expect(
            WebPushRequest.payload(Push.Message(id: "m", user: 1, kind: .badge, at: now, badge: 1), base: "")
                == nil)
    }

    @Test func `RFC 8030 5 4 a topic has 32 characters of base64url, one per collapse id and user`() throws {
        let topic = try #require(WebPushRequest.topic(sample()))
        #expect(topic.utf8.count == 32)
        #expect(topic.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        #expect(WebPushRequest.topic(sample { $0.title = "Something else" }) == topic)
        #expect(WebPushRequest.topic(sample { $0.collapseID = "task-43" }) != topic)
        var other = sample()
        other.user = 2
        #expect(WebPushRequest.topic(other) != topic)
        let dismissal = Push.Message(id: "m", user: 1, kind: .dismiss, at: now, dismiss: .init(taskIDs: [42]))
        #expect(WebPushRequest.topic(dismissal) == nil, "one dismissal must not replace another")
    }

    @Test(
        arguments: [(0, 3600), (60, 3600), (61, 3539), (3000, 600), (3600, 0), (9999, 0)] as [(Int64, Int)])
    func `the time to live shrinks with what a message has waited here`(age: Int64, seconds: Int) {
        let outgoing = Outgoing(
            delivery: 1,
            target: Target(
                id: 1, user: 1,
                address: .webPush(endpoint: "https://push.example.org/a", p256dh: [], auth: [])),
            message: sample { $0.ttlSeconds = 3600 }, expiresAt: now.adding(seconds: 3600), attempt: 1,
            isSwapped: false)
        #expect(WebPushRequest.timeToLive(outgoing, at: now.adding(seconds: age)) == seconds)
    }

    @Test(arguments: [
        (Push.Alert.Urgency.veryLow, "very-low"), (.low, "low"), (.normal, "normal"), (.high, "high"),
    ])
    func `RFC 8030 5 3 urgency`(urgency: Push.Alert.Urgency, header: String) {
        #expect(WebPushRequest.urgency(sample { $0.urgency = urgency }) == header)
    }
}

@Suite("clients.md B.2 APNs payloads")
struct ApnsPayloadTests {
    @Test func `N-17 an over-target alert`() {
        let content = ApnsRequest.content(sample { $0.badge = 3 })
        #expect(
            content?.payload == [
                "aps": [
                    "alert": ["title": "Call the plumber", "body": "Over target"],
                    "category": "TASK_REMINDER",
                    "thread-id": "ot-tasks", "badge": 3, "sound": "default", "interruption-level": "active",
                ],
                "taskId": 42, "dueAt": "2026-03-01T09:00:00.000Z",
            ])
        #expect(content?.pushType == "alert" && content?.priority == 10 && content?.collapseID == "task-42")
    }

    @Test func `N-17 Urgent is critical with the volume of the person's setting`() {
        let aps = ApnsRequest.content(
            sample {
                $0.level = .critical
                $0.volume = 0.3
            })?.payload["aps"]
        #expect(aps?["interruption-level"] == "critical")
        #expect(aps?["sound"] == ["critical": 1, "name": "default", "volume": .double(0.3)])
    }

    @Test(arguments: [(-1.0, 0.0), (2.0, 1.0)])
    func `a volume is 0 to 1`(volume: Double, sent: Double) {
        let aps = ApnsRequest.content(
            sample {
                $0.level = .critical
                $0.volume = volume
            })?.payload["aps"]
        #expect(aps?["sound"]?["volume"] == .double(sent))
    }

    @Test func `N-31 a quiet banner has neither sound nor badge`() {
        let aps = ApnsRequest.content(
            sample {
                $0.sound = false
                $0.category = nil
            })?.payload["aps"]?.object
        #expect(aps.map { Set($0.keys) } == ["alert", "thread-id", "interruption-level"])
    }

    @Test func `N-51 a watch is told no number, not even in an alert`() {
        let aps = ApnsRequest.content(sample { $0.badge = 3 }, hasBadge: false)?.payload["aps"]
        #expect(aps?["badge"] == nil && aps?["alert"] != nil)
    }

    @Test func `N-51 a badge is its number and nothing else`() {
        let content = ApnsRequest.content(Push.Message(id: "m", user: 1, kind: .badge, at: now, badge: 0))
        #expect(content?.payload == ["aps": ["badge": 0]])
        #expect(
            content?.pushType == "alert" && content?.priority == 10 && content?.collapseID == "badge-update")
    }

    @Test func `N-40 a dismissal is a silent push`() {
        let content = ApnsRequest.content(
            Push.Message(id: "m", user: 1, kind: .dismiss, at: now, dismiss: .init(taskIDs: [7])))
        #expect(content?.payload == ["aps": ["content-available": 1], "type": "dismiss", "taskIds": [7]])
        #expect(content?.pushType == "background" && content?.priority == 5 && content?.collapseID == nil)
    }

    @Test func `custom keys cannot take the place of aps`() {
        let content = ApnsRequest.content(sample { $0.data["aps"] = "mine" })
        #expect(content?.payload["aps"]?["alert"] != nil)
    }
}
