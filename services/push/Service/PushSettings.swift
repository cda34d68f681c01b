public import Daemon
import Crypto
import Domain
public import HTTPClient
import Interfaces

/// What push is told from outside: environment variables of the published names (api.md section 6), and credentials of
/// the service manager for the secrets.
public struct PushSettings: Sendable {
    /// Folder of push.db and of the key that is made when none is given. `OPENTASK_STATE`, else `STATE_DIRECTORY`,
    /// which the service manager sets, else `./data`.
    public var statePath: String
    /// `OPENTASK_PUSH_PRIVATE`: endpoints in private networks are allowed.
    public var allowPrivate: Bool
    /// `OPENTASK_WEBHOOK_PRIVATE`: webhooks may lead to private addresses, as those of a home do (D21).
    public var allowPrivateWebhooks: Bool
    /// `OPENTASK_WEBHOOK_TIMEOUT_SECONDS`: of one attempt; a receiver that is slower has not taken it.
    public var webhookTimeout: Duration
    /// `OPENTASK_CA_FILE`: PEM file of the authorities to trust instead of the system's, for a push service at home.
    public var authoritiesPath: String?
    /// `AUTH_URL`, else `NEXTAUTH_URL`, without a slash at its end: in front of the links of notifications.
    public var publicURL: String?
    /// `VAPID_PRIVATE_KEY` or the credential `vapid_private_key`; nil: made and kept.
    public var vapidKey: P256Secret?
    /// Whom a push service may write to (RFC 8292 section 2.1); nil: nobody was named.
    public var vapidSubject: String?
    /// nil: no APNs.
    public var apns: ApnsSettings?
    /// Said at the start: what is odd but hinders nothing.
    public var warnings: [String] = []

    public var databasePath: String { "\(statePath)/push.db" }
    public var keptKeyPath: String { "\(statePath)/vapid_private_key" }

    /// - Throws: `ConfigurationError` naming the variable.
    public init(environment: Environment) throws(ConfigurationError) {
        let stateDirectory = environment["STATE_DIRECTORY"].flatMap {
            $0.split(separator: ":").first.map(String.init)
        }
        statePath = environment["OPENTASK_STATE"] ?? stateDirectory ?? "./data"
        allowPrivate = try environment.flag("OPENTASK_PUSH_PRIVATE", default: false)
        allowPrivateWebhooks = try environment.flag("OPENTASK_WEBHOOK_PRIVATE", default: true)
        webhookTimeout = .seconds(
            try environment.integer("OPENTASK_WEBHOOK_TIMEOUT_SECONDS", in: 1...60, default: 10))
        authoritiesPath = environment["OPENTASK_CA_FILE"]
        publicURL = try PushSettings.publicURL(environment)
        vapidKey = try PushSettings.vapidKey(environment)
        vapidSubject = try PushSettings.vapidSubject(environment, publicURL: publicURL)
        if vapidSubject == nil {
            warnings.append(
                "VAPID_EMAIL is not set and nothing else names a contact: some push services, Apple's among them, "
                    + "refuse messages without one; set VAPID_EMAIL=mailto:you@your.domain")
        }
        let lacking = ApnsSettings.lacking(environment)
        if lacking.isEmpty {
            apns = try ApnsSettings(environment: environment)
        } else if lacking.count < ApnsSettings.names.count {
            warnings.append("APNs is off: \(lacking.joined(separator: ", ")) not set")
        }
    }

    private static func publicURL(_ environment: Environment) throws(ConfigurationError) -> String? {
        guard var url = environment["AUTH_URL"] ?? environment["NEXTAUTH_URL"] else { return nil }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ConfigurationError("AUTH_URL must begin with http:// or https://")
        }
        while url.hasSuffix("/") { url.removeLast() }
        return url
    }

    private static func vapidKey(_ environment: Environment) throws(ConfigurationError) -> P256Secret? {
        var text = environment["VAPID_PRIVATE_KEY"]
        if text == nil { text = try environment.credential("vapid_private_key") }
        guard let text else {
            guard environment["VAPID_PUBLIC_KEY"] == nil else {
                throw ConfigurationError("VAPID_PUBLIC_KEY is set but VAPID_PRIVATE_KEY is not")
            }
            return nil
        }
        guard let key = P256Secret(text) else {
            throw ConfigurationError(
                "VAPID_PRIVATE_KEY must be a P-256 key, base64url of 32 bytes as `web-push generate-vapid-keys` "
                    + "prints it, or PEM")
        }
        if let expected = environment["VAPID_PUBLIC_KEY"], Base64URL.decode(expected) != key.publicKey {
            throw ConfigurationError("VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY")
        }
        return key
    }

    /// A contact at `localhost` is refused by push services: the next source is tried.
    private static func vapidSubject(
        _ environment: Environment, publicURL: String?
    ) throws(ConfigurationError) -> String? {
        if let text = environment["VAPID_EMAIL"] {
            let subject = text.contains("@") && !text.contains(":") ? "mailto:\(text)" : text
            guard subject.hasPrefix("mailto:") || subject.hasPrefix("https://"), !subject.contains(" "),
                subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else {
                throw ConfigurationError("VAPID_EMAIL must be mailto:you@your.domain or https://your.domain")
            }
            if !subject.hasSuffix("@localhost") { return subject }
        }
        if let text = environment["OPENTASK_INIT_EMAIL"], text.contains("@"), !text.hasSuffix("@localhost"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            return "mailto:\(text)"
        }
        return publicURL?.hasPrefix("https://") == true ? publicURL : nil
    }
}

/// Token authentication with Apple's push service.
public struct ApnsSettings: Sendable {
    public var keyID: String
    public var teamID: String
    public var key: P256Secret
    /// `https://host` or `https://host:port`.
    public var productionURL: String
    public var sandboxURL: String

    static let names = ["APNS_KEY_ID", "APNS_TEAM_ID", "APNS_KEY_PATH", "APNS_BUNDLE_ID"]

    /// Those of the four variables that are not set; the credential `apns_key` stands for `APNS_KEY_PATH`.
    static func lacking(_ environment: Environment) -> [String] {
        names.filter { name in
            environment[name] == nil
                && !(name == "APNS_KEY_PATH" && environment.credentialPath("apns_key") != nil)
        }
    }

    init(environment: Environment) throws(ConfigurationError) {
        keyID = environment.string("APNS_KEY_ID", default: "")
        teamID = environment.string("APNS_TEAM_ID", default: "")
        guard keyID.utf8.allSatisfy(isLetterOrDigit), teamID.utf8.allSatisfy(isLetterOrDigit) else {
            throw ConfigurationError("APNS_KEY_ID and APNS_TEAM_ID are ten letters and digits each")
        }
        let path = environment["APNS_KEY_PATH"] ?? environment.credentialPath("apns_key") ?? ""
        guard let text = readText(path) else {
            throw ConfigurationError("APNS_KEY_PATH cannot be read: \(path)")
        }
        guard let key = P256Secret(text) else {
            throw ConfigurationError(
                "APNS_KEY_PATH holds no P-256 key in PEM (the .p8 file from Apple): \(path)")
        }
        self.key = key
        productionURL = try ApnsSettings.host(environment, "OPENTASK_APNS_HOST", "https://api.push.apple.com")
        sandboxURL = try ApnsSettings.host(
            environment, "OPENTASK_APNS_SANDBOX_HOST", "https://api.sandbox.push.apple.com")
    }

    private static func host(
        _ environment: Environment, _ name: String, _ standard: String
    ) throws(ConfigurationError) -> String {
        var url = environment.string(name, default: standard)
        while url.hasSuffix("/") { url.removeLast() }
        guard url.hasPrefix("https://") else {
            throw ConfigurationError("\(name) must be https://host or https://host:port")
        }
        return url
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
    default: false
    }
}

extension PushSettings {
    /// How requests leave: with these authorities, and to public addresses only unless private ones are allowed.
    ///
    /// APNs' own hosts count as public endpoints do; a double of theirs at home needs `OPENTASK_PUSH_PRIVATE`.
    public var senderSettings: HTTPSender.Settings {
        HTTPSender.Settings(
            authoritiesPath: authoritiesPath, userAgent: "opentask-push",
            mayDial: { [allowPrivate] bytes in
                allowPrivate || NetworkAddress(bytes: bytes)?.isPublic ?? false
            })
    }

    /// How webhooks leave: to the addresses of D21 only.
    public var webhookSenderSettings: HTTPSender.Settings {
        HTTPSender.Settings(
            authoritiesPath: authoritiesPath, userAgent: "OpenTask/\(productVersion)",
            mayDial: { [allowPrivateWebhooks] bytes in
                NetworkAddress(bytes: bytes).map {
                    WebhookAddress.mayDial($0, allowPrivate: allowPrivateWebhooks)
                } ?? false
            })
    }
}
