import Crypto
import Daemon
import FoundationEssentials
import PushService
import TestSupport
import Testing

@Suite("Settings of opentask-push: api.md section 6")
struct SettingsTests {
    /// The key of RFC 8291 appendix A.
    private let privateKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    private let publicKey =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"

    @Test func `nothing set: private endpoints off, APNs off, a key is made, a contact is missed`() throws {
        let settings = try PushSettings(environment: Environment([:]))
        #expect(settings.databasePath == "./data/push.db")
        #expect(!settings.allowPrivate)
        #expect(settings.apns == nil && settings.vapidKey == nil && settings.vapidSubject == nil)
        #expect(settings.warnings.count == 1 && settings.warnings[0].contains("VAPID_EMAIL"))
    }

    @Test func `the state folder is the person's, else the service manager's`() throws {
        #expect(
            try PushSettings(environment: Environment(["STATE_DIRECTORY": "/var/lib/opentask"])).statePath
                == "/var/lib/opentask")
        #expect(
            try PushSettings(
                environment: Environment(["STATE_DIRECTORY": "/var/lib/a", "OPENTASK_STATE": "/b"])
            ).statePath == "/b")
    }

    @Test func `the key that was given is used`() throws {
        let settings = try PushSettings(
            environment: Environment(["VAPID_PRIVATE_KEY": privateKey, "VAPID_PUBLIC_KEY": publicKey]))
        #expect(settings.vapidKey.map { Base64URL.encode($0.publicKey) } == publicKey)
        let pem = try P256PrivateKey(scalar: Base64URL.decode(privateKey) ?? []).pem
        let fromPEM = try PushSettings(environment: Environment(["VAPID_PRIVATE_KEY": pem]))
        #expect(fromPEM.vapidKey?.publicKey == settings.vapidKey?.publicKey)
    }

    @Test(
        arguments: [
            (["VAPID_EMAIL": "mailto:a@b.example"], "mailto:a@b.example"),
            (["VAPID_EMAIL": "a@b.example"], "mailto:a@b.example"),
            (["VAPID_EMAIL": "https://b.example"], "https://b.example"),
            (["VAPID_EMAIL": "a@localhost", "OPENTASK_INIT_EMAIL": "c@d.example"], "mailto:c@d.example"),
            (
                ["OPENTASK_INIT_EMAIL": "root@localhost", "AUTH_URL": "https://t.example/"],
                "https://t.example"
            ),
            (["AUTH_URL": "http://t.example"], nil),
            (["OPENTASK_INIT_EMAIL": "root@localhost"], nil),
        ] as [([String: String], String?)])
    func `the contact: VAPID_EMAIL, else the first user's address, else the https address`(
        values: [String: String], subject: String?
    ) throws {
        let settings = try PushSettings(environment: Environment(values))
        #expect(settings.vapidSubject == subject)
        #expect(settings.warnings.isEmpty == (subject != nil))
    }

    @Test func `APNs needs all four, says which are missing, and takes the credential for the key`() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/apns_key"
        try P256PrivateKey.generate().pem.write(toFile: path, atomically: true, encoding: .utf8)
        var values = ["APNS_KEY_ID": "ABCDE12345", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "a.b"]
        let without = try PushSettings(environment: Environment(values))
        #expect(without.apns == nil)
        #expect(without.warnings.contains { $0.contains("APNS_KEY_PATH") })
        values["CREDENTIALS_DIRECTORY"] = folder.path
        #expect(try PushSettings(environment: Environment(values)).apns?.keyID == "ABCDE12345")
        values["CREDENTIALS_DIRECTORY"] = nil
        values["APNS_KEY_PATH"] = path
        let apns = try PushSettings(environment: Environment(values)).apns
        #expect(apns?.productionURL == "https://api.push.apple.com")
        #expect(apns?.sandboxURL == "https://api.sandbox.push.apple.com")
    }

    @Test(
        arguments: [
            ["VAPID_PRIVATE_KEY": "short"],
            ["VAPID_PUBLIC_KEY": "BP4z"],
            ["OPENTASK_PUSH_PRIVATE": "perhaps"],
            ["VAPID_EMAIL": "nobody"],
            ["VAPID_EMAIL": "mailto:a b@c"],
            ["AUTH_URL": "tasks.example.org"],
            [
                "APNS_KEY_ID": "ABCDE12345", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "a.b",
                "APNS_KEY_PATH": "/nonexistent/key.p8",
            ],
            [
                "APNS_KEY_ID": "AB\"C", "APNS_TEAM_ID": "TEAM123456", "APNS_BUNDLE_ID": "a.b",
                "APNS_KEY_PATH": "/nonexistent/key.p8",
            ],
        ] as [[String: String]])
    func `a wrong value is named`(values: [String: String]) {
        let error = #expect(throws: ConfigurationError.self) {
            try PushSettings(environment: Environment(values))
        }
        #expect(values.keys.contains { error?.message.contains($0) ?? false })
    }
}
