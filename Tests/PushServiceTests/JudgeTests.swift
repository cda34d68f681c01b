import Crypto
import Interfaces
import PushService
import PushStore
import Testing
import Time

@Suite("Messages are judged before they are kept")
struct JudgeTests {
    private static let now = Instant(seconds: 1_800_000_000)
    private static let key = Base64URL.encode(P256PrivateKey.generate().publicKey.uncompressed)
    private static let secret = Base64URL.encode([UInt8](repeating: 7, count: 16))
    private let judge = Judge(allowPrivate: false)

    private static func register(_ registration: Push.Registration) -> Push.Message {
        Push.Message(id: "m", user: 1, kind: .register, at: now, registration: registration)
    }

    private static func webPush(
        _ endpoint: String? = "https://push.example.org/a", key: String? = key, secret: String? = secret
    ) -> Push.Message {
        register(Push.Registration(channel: .webpush, endpoint: endpoint, p256dh: key, auth: secret))
    }

    private static func apns(
        _ token: String? = String(repeating: "AB", count: 32), bundle: String? = "org.example.app",
        environment: String? = nil
    ) -> Push.Message {
        register(
            Push.Registration(channel: .apns, deviceToken: token, bundleID: bundle, environment: environment))
    }

    @Test func `a browser's subscription is taken as it is`() throws {
        let address = try #require(judge.judge(JudgeTests.webPush()).address)
        guard case .webPush(let endpoint, let p256dh, let auth) = address else {
            Issue.record("not a subscription")
            return
        }
        #expect(endpoint == "https://push.example.org/a" && p256dh.count == 65 && auth.count == 16)
    }

    @Test(
        arguments: [
            (nil, Target.Environment.production), ("production", .production), ("development", .development),
            ("Development", .production),
        ] as [(String?, Target.Environment)])
    func `exactly development is Apple's sandbox; tokens are kept in lower case`(
        name: String?, environment: Target.Environment
    ) {
        #expect(
            judge.judge(JudgeTests.apns(environment: name)).address
                == .apns(
                    token: String(repeating: "ab", count: 32), bundleID: "org.example.app",
                    environment: environment))
    }

    @Test(arguments: [
        webPush(nil), webPush("http://push.example.org/a"), webPush("https://192.168.1.1/a"),
        webPush(key: nil), webPush(key: "BAAA"), webPush(secret: "AAAA"), webPush(secret: nil),
        apns(nil), apns("xyz"), apns("ab"), apns(bundle: nil), apns(bundle: "a b"), apns(bundle: "a\r\nx: y"),
        register(
            Push.Registration(
                channel: .widget, deviceToken: String(repeating: "ab", count: 32), bundleID: "a.b",
                platform: "android")),
        Push.Message(id: "m", user: 1, kind: .register, at: now),
        Push.Message(id: "m", user: 1, kind: .unregister, at: now),
        Push.Message(id: "m", user: 1, kind: .alert, at: now),
        Push.Message(id: "m", user: 1, kind: .dismiss, at: now),
        Push.Message(id: "m", user: 1, kind: .badge, at: now),
        Push.Message(id: "m", user: 1, kind: .badge, at: now, badge: -1),
        Push.Message(
            id: "m", user: 1, kind: .alert, at: now,
            alert: Push.Alert(title: "a", body: "b", link: "/", thread: "t", collapseID: "")),
        Push.Message(
            id: "m", user: 1, kind: .alert, at: now,
            alert: Push.Alert(title: "a", body: "b", link: "/", thread: "t", collapseID: "c", ttlSeconds: -1)),
    ])
    func `what cannot be carried out is refused with a reason`(_ message: Push.Message) {
        let incoming = judge.judge(message)
        #expect(incoming.refusal?.isEmpty == false)
        #expect(incoming.address == nil)
    }

    @Test func `a push service at home is taken where the house allows it`() {
        #expect(Judge(allowPrivate: true).judge(JudgeTests.webPush("https://192.168.1.1/a")).refusal == nil)
        #expect(Judge(allowPrivate: true).judge(JudgeTests.webPush("http://192.168.1.1/a")).refusal != nil)
    }
}
