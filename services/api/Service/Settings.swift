public import ApiStore
public import Daemon
import Domain
import HTTPServer

/// What the service is told from outside (api section 6).
public struct Settings: Sendable {
    /// The folder of the database.
    public var statePath: String
    public var databasePath: String
    /// Where the sockets of the services are.
    public var runPath: String
    /// Folders that are served as the web app, the first that has a file wins.
    public var webPaths: [String]
    /// `AUTH_URL`: the public base address, without a slash at its end.
    public var publicURL: String?
    public var proxyHeader: String?
    /// The peers whose proxy header counts (D39).
    private let trustedRanges: [NetworkRange]
    private let trustsUnixPeers: Bool
    public var allowPrivatePush: Bool
    /// D21.
    public var allowPrivateWebhooks: Bool
    /// nil = by the master switch's default: the built-in parser only (`OPENTASK_AI_ENABLED`).
    public var enrichmentEnabled: Bool
    /// There is a demo account whose password everybody knows.
    public var isDemo: Bool
    /// off = no quota reminders for anyone.
    public var quotaPromptsEnabled: Bool
    /// The features of api 3.15 are on (`OPENTASK_AI_ENABLED` is said and true).
    public var advisorEnabled: Bool
    /// `OPENTASK_TEST_MODE`: A96 exists.
    public var testMode: Bool
    /// How long things are kept (C-12).
    public var retention = Retention()

    /// - Throws: `ConfigurationError` naming the variable.
    public init(environment: Environment) throws(ConfigurationError) {
        statePath = environment.string("OPENTASK_STATE", default: "/var/lib/opentask")
        databasePath = environment.string("OPENTASK_DB_PATH", default: "\(statePath)/opentask.db")
        runPath = environment.string("OPENTASK_RUN", default: "/run/opentask")
        webPaths = environment.string("OPENTASK_WEB", default: "").split(separator: ":").map(String.init)
        var url = environment["AUTH_URL"] ?? environment["NEXTAUTH_URL"]
        while url?.hasSuffix("/") == true { url?.removeLast() }
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw ConfigurationError("AUTH_URL must begin with http:// or https://")
        }
        publicURL = url
        proxyHeader = environment["OPENTASK_PROXY_AUTH_HEADER"]
        let proxies = environment.string("OPENTASK_TRUSTED_PROXIES", default: "127.0.0.0/8,::1,unix")
            .split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
        trustsUnixPeers = proxies.contains("unix")
        var ranges: [NetworkRange] = []
        for text in proxies where text != "unix" {
            guard let range = NetworkRange(text) else {
                throw ConfigurationError(
                    "OPENTASK_TRUSTED_PROXIES lists addresses, ranges like 10.1.0.0/16 and the word unix; "
                        + "\(text) is none of these, or everybody")
            }
            ranges.append(range)
        }
        trustedRanges = ranges
        allowPrivatePush = try environment.flag("OPENTASK_PUSH_PRIVATE", default: false)
        allowPrivateWebhooks = try environment.flag("OPENTASK_WEBHOOK_PRIVATE", default: true)
        enrichmentEnabled = try environment.flag("OPENTASK_AI_ENABLED", default: true)
        isDemo = environment["NEXT_PUBLIC_DEMO_MODE"] == "1"
        quotaPromptsEnabled = try environment.flag("OPENTASK_QUOTA_PROMPTS", default: true)
        advisorEnabled = try environment.flag("OPENTASK_AI_ENABLED", default: false)
        testMode = try environment.flag("OPENTASK_TEST_MODE", default: false)
        for (name, path) in Self.retentionDays {
            retention[keyPath: path] = try environment.integer(
                "OPENTASK_RETENTION_\(name)_DAYS", in: 0...36_500, default: retention[keyPath: path])
        }
    }

    private static var retentionDays: [(String, WritableKeyPath<Retention, Int>)] {
        [
            ("TRASH", \.trashDays), ("UNDO", \.undoDays), ("COMPLETIONS", \.completionDays),
            ("STATS", \.statisticDays), ("AI_ACTIVITY", \.enrichmentDays),
        ]
    }

    /// Host and port of the public address.
    var publicHost: String? {
        publicURL.map { String($0.drop(while: { $0 != ":" }).dropFirst(3).prefix(while: { $0 != "/" })) }
    }

    /// Whether the proxy header of this peer counts (D39).
    func trusts(_ peer: HTTPPeer) -> Bool {
        switch peer {
        case .unix: trustsUnixPeers
        case .ip(let text):
            NetworkAddress(text).map { address in trustedRanges.contains { $0.contains(address) } } ?? false
        }
    }
}
