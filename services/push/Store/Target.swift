public import Interfaces
import SQLite

/// A way to one device of a person's.
public struct Target: Hashable, Sendable {
    public enum Environment: String, Hashable, Sendable {
        case production, development

        public var other: Environment { self == .production ? .development : .production }
    }

    /// Where it leads.
    public enum Address: Hashable, Sendable {
        /// - p256dh: 65 bytes; auth: 16 bytes.
        case webPush(endpoint: String, p256dh: [UInt8], auth: [UInt8])
        case apns(token: String, bundleID: String, environment: Environment)
        case widget(
            token: String, bundleID: String, environment: Environment, platform: String, kind: String?)
    }

    public var id: Int64
    public var user: Int64
    public var address: Address
    /// The last number that the device was told (N-52).
    public var badge: Int?

    public init(id: Int64, user: Int64, address: Address, badge: Int? = nil) {
        self.id = id
        self.user = user
        self.address = address
        self.badge = badge
    }

    public var channel: Push.Channel {
        switch address {
        case .webPush: .webpush
        case .apns: .apns
        case .widget: .widget
        }
    }

    /// For the log: tells devices apart and gives no secret away.
    public var label: String { address.label }
}

extension Target.Address {
    var label: String {
        switch self {
        case .webPush(let endpoint, _, _):
            String(endpoint.dropFirst("https://".count).prefix { $0 != "/" })
        case .apns(let token, let bundleID, _), .widget(let token, let bundleID, _, _, _):
            "\(bundleID) …\(token.suffix(6))"
        }
    }

    /// N-51, clients.md B.1: a watch has no badge.
    var isWatch: Bool {
        guard case .apns(_, let bundleID, _) = self else { return false }
        return bundleID.hasSuffix(".watchapp") || bundleID.hasSuffix(".watchkitapp")
    }
}

extension Target {
    /// Whether the device shows a number on its icon.
    public var hasBadge: Bool { channel == .apns && !address.isWatch }

    static let columns = """
        target.id, target.user, target.channel, target.endpoint, target.p256dh, target.auth, target.device_token,
        target.bundle_id, target.environment, target.platform, target.widget_kind, target.badge
        """
    static let columnCount = 12

    /// - Parameter first: the column that holds `target.id`.
    init(row: Row, first: Int = 0) {
        id = row.int(first)
        user = row.int(first + 1)
        let token = row.text(first + 6)
        let bundleID = row.text(first + 7)
        let environment: Environment = row.text(first + 8) == "development" ? .development : .production
        address =
            switch row.text(first + 2) {
            case "webpush":
                .webPush(
                    endpoint: row.text(first + 3), p256dh: row.blob(first + 4), auth: row.blob(first + 5))
            case "apns": .apns(token: token, bundleID: bundleID, environment: environment)
            default:
                .widget(
                    token: token, bundleID: bundleID, environment: environment, platform: row.text(first + 9),
                    kind: row.optionalText(first + 10))
            }
        badge = row.optionalInt(first + 11).map(Int.init)
    }
}
