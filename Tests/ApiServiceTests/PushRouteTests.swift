import Crypto
import Domain
import Interfaces
import JSON
import Testing
import Time

@Suite("A81 to A86 Devices and subscriptions")
struct PushRouteTests {
    /// The receiver's key of RFC 8291, section 5.
    private let key =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    private let auth = "BTBZMqHH6r4Tts7J_aSIgg"

    private func subscription(_ endpoint: String) -> JSONValue {
        ["endpoint": .string(endpoint), "keys": ["p256dh": .string(key), "auth": .string(auth)]]
    }

    @Test func `a subscription leaves by the outbox, as the browser gave it`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let endpoint = "https://push.example.org/send/abc"
        let answer = try bench.call("POST", "/api/push/subscribe", subscription(endpoint), as: ann)
        #expect(answer.status == 200)
        #expect(answer.data == ["subscribed": true])
        let message = try unwrap(try bench.take().first)
        #expect(message.kind == .register)
        #expect(message.user == ann.id.rawValue)
        #expect(
            message.registration
                == Push.Registration(channel: .webpush, endpoint: endpoint, p256dh: key, auth: auth))

        let gone = try bench.call("DELETE", "/api/push/subscribe", ["endpoint": .string(endpoint)], as: ann)
        #expect(gone.data == ["unsubscribed": true])
        let last = try unwrap(try bench.take().first)
        #expect(last.kind == .unregister)
        #expect(last.registration == Push.Registration(channel: .webpush, endpoint: endpoint))
    }

    @Test(arguments: [
        ("endpoint", "http://push.example.org/x"), ("endpoint", "https://127.0.0.1/x"),
        ("endpoint", "https://192.168.1.4/x"), ("endpoint", "https://printer.local/x"), ("endpoint", ""),
        ("keys.p256dh", "BCVx"), ("keys.p256dh", "!"), ("keys.auth", "BTBZ"), ("keys.auth", ""),
    ])
    func `what is no subscription is refused and named`(_ field: String, _ value: String) throws {
        let bench = try Bench()
        let ann = try bench.add()
        var keys: [String: JSONValue] = ["p256dh": .string(key), "auth": .string(auth)]
        var endpoint = "https://push.example.org/x"
        switch field {
        case "endpoint": endpoint = value
        case "keys.p256dh": keys["p256dh"] = .string(value)
        default: keys["auth"] = .string(value)
        }
        let body: JSONValue = ["endpoint": .string(endpoint), "keys": .object(keys)]
        let answer = try bench.call("POST", "/api/push/subscribe", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: field)
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `a point that is not on the curve is no key`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let point = Base64URL.encode([4] + [UInt8](repeating: 1, count: 64))
        let body: JSONValue = [
            "endpoint": "https://push.example.org/x",
            "keys": ["p256dh": .string(point), "auth": .string(auth)],
        ]
        let answer = try bench.call("POST", "/api/push/subscribe", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: "keys.p256dh")
    }

    @Test func `a push service at home is taken when that is allowed`() throws {
        let bench = try Bench(["OPENTASK_PUSH_PRIVATE": "true"])
        let ann = try bench.add()
        let answer = try bench.call(
            "POST", "/api/push/subscribe", subscription("https://127.0.0.1:8443/x"), as: ann)
        #expect(answer.status == 200)
    }

    @Test func `an APNs device is registered and then told the number, whatever it is (N-52)`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        for (environment, stored) in [
            ("development", "development"), ("production", "production"), ("sandbox", "production"),
            (nil, "production"),
        ] as [(String?, String)] {
            var body: [String: JSONValue] = [
                "device_token": "00FFaa1122334455", "bundle_id": "org.example.app",
            ]
            body["environment"] = environment.map { .string($0) }
            let answer = try bench.call("POST", "/api/push/apns/register", .object(body), as: ann)
            #expect(answer.data == ["registered": true])
            let messages = try bench.take()
            #expect(messages.map(\.kind) == [.register, .badge])
            #expect(
                messages.first?.registration
                    == Push.Registration(
                        channel: .apns, deviceToken: "00ffaa1122334455", bundleID: "org.example.app",
                        environment: stored))
            #expect(messages.last?.badge == 0)
        }
        let gone = try bench.call(
            "DELETE", "/api/push/apns/register", ["device_token": "00FFAA1122334455"], as: ann)
        #expect(gone.data == ["unregistered": true])
        let message = try unwrap(try bench.take().first)
        #expect(message.kind == .unregister)
        #expect(message.registration == Push.Registration(channel: .apns, deviceToken: "00ffaa1122334455"))
    }

    @Test(
        arguments: [
            ["device_token": "xyz", "bundle_id": "b"], ["device_token": "", "bundle_id": "b"],
            ["bundle_id": "b"], ["device_token": "00ffaa1122334455"],
            ["device_token": "00ffaa1122334455", "bundle_id": ""],
            ["device_token": 5, "bundle_id": "b"],
            ["device_token": "00ffaa1122334455", "bundle_id": "b", "environment": 1],
        ] as [JSONValue])
    func `what is no device is refused`(_ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/push/apns/register", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR")
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `A87, A88: a widget's token leaves by the outbox, and never makes a badge`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let body: JSONValue = [
            "push_token": "00FFaa1122334455", "bundle_id": "org.example.app", "platform": "watchos",
            "environment": "development", "widget_kind": "Today",
        ]
        let answer = try bench.call("POST", "/api/push/apns/widget-token", body, as: ann)
        #expect(answer.status == 200 && answer.data == ["registered": true])
        let messages = try bench.take()
        #expect(messages.map(\.kind) == [.register])
        #expect(
            messages.first?.registration
                == Push.Registration(
                    channel: .widget, deviceToken: "00ffaa1122334455", bundleID: "org.example.app",
                    environment: "development", platform: "watchos", widgetKind: "Today"))
        let gone = try bench.call(
            "DELETE", "/api/push/apns/widget-token", ["push_token": "00FFAA1122334455"], as: ann)
        #expect(gone.data == ["unregistered": true])
        let last = try unwrap(try bench.take().first)
        #expect(last.kind == .unregister)
        #expect(
            last.registration == Push.Registration(channel: .widget, deviceToken: "00ffaa1122334455"))
    }

    @Test(
        arguments: [
            ("platform", ["push_token": "00ffaa1122334455", "bundle_id": "b", "platform": "android"]),
            ("platform", ["push_token": "00ffaa1122334455", "bundle_id": "b"]),
            ("bundle_id", ["push_token": "00ffaa1122334455", "bundle_id": "a b", "platform": "ios"]),
            ("push_token", ["push_token": "00ffaa112233445", "bundle_id": "b", "platform": "ios"]),
            ("push_token", ["bundle_id": "b", "platform": "ios"]),
            (
                "widget_kind",
                [
                    "push_token": "00ffaa1122334455", "bundle_id": "b", "platform": "ios", "widget_kind": 1,
                ]
            ),
        ] as [(String, JSONValue)])
    func `A87: what is no widget is refused and named`(_ culprit: String, _ body: JSONValue) throws {
        let bench = try Bench()
        let ann = try bench.add()
        let answer = try bench.call("POST", "/api/push/apns/widget-token", body, as: ann)
        expectRefused(answer, 400, "VALIDATION_ERROR", culprit: culprit)
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `without a push service there is no key, and a test is not sent and says why`() throws {
        let bench = try Bench()
        let ann = try bench.add()
        let key = try bench.call("GET", "/api/push/vapid-key")
        #expect(key.status == 200)
        #expect(key.data == ["publicKey": "", "configured": false])
        let test = try bench.call("POST", "/api/push/test", as: ann)
        #expect(test.status == 200)
        #expect(test["sent"] == false)
        #expect(test["reason"].string?.isEmpty == false)
    }
}
