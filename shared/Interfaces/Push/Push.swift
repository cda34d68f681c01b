public import Time

/// `org.opentask.push`: messages to people's devices. Texts/org.opentask.push.varlink says what each field means.
public enum Push {
    public static let name = "org.opentask.push"

    /// The full names of the interface's errors.
    public enum Errors {
        /// Parameter `detail`.
        public static let storeFailed = "org.opentask.push.StoreFailed"
    }

    public enum Channel: String, Codable, Hashable, Sendable, CaseIterable {
        case webpush, apns, widget
    }

    public struct Message: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Hashable, Sendable {
            case alert, dismiss, badge, register, unregister, webhook
            case dismissAll = "dismiss_all"
            case forgetUser = "forget_user"
            case dropWebhook = "drop_webhook"
            case forgetWebhook = "forget_webhook"
        }

        public var id: String
        public var user: Int64
        public var kind: Kind
        public var at: Instant
        public var notBefore: Instant?
        public var expiresAt: Instant?
        public var alert: Alert?
        public var dismiss: Dismiss?
        public var badge: Int?
        public var registration: Registration?
        public var event: WebhookEvent?
        public var webhook: Int64?

        public init(
            id: String, user: Int64, kind: Kind, at: Instant, expiresAt: Instant? = nil, alert: Alert? = nil,
            dismiss: Dismiss? = nil, badge: Int? = nil, registration: Registration? = nil,
            event: WebhookEvent? = nil, webhook: Int64? = nil
        ) {
            self.id = id
            self.user = user
            self.kind = kind
            self.at = at
            self.expiresAt = expiresAt
            self.alert = alert
            self.dismiss = dismiss
            self.badge = badge
            self.registration = registration
            self.event = event
            self.webhook = webhook
        }

        enum CodingKeys: String, CodingKey {
            case id, user, kind, at, alert, dismiss, badge, registration, event, webhook
            case notBefore = "not_before"
            case expiresAt = "expires_at"
        }
    }

    public struct Dismiss: Codable, Hashable, Sendable {
        public var taskIDs: [Int64]
        public var slotIDs: [Int64]

        public init(taskIDs: [Int64] = [], slotIDs: [Int64] = []) {
            self.taskIDs = taskIDs
            self.slotIDs = slotIDs
        }

        enum CodingKeys: String, CodingKey {
            case taskIDs = "task_ids"
            case slotIDs = "slot_ids"
        }
    }

    public struct Registration: Codable, Hashable, Sendable {
        public var channel: Channel
        public var endpoint: String?
        public var p256dh: String?
        public var auth: String?
        public var deviceToken: String?
        public var bundleID: String?
        public var environment: String?
        public var platform: String?
        public var widgetKind: String?

        public init(
            channel: Channel, endpoint: String? = nil, p256dh: String? = nil, auth: String? = nil,
            deviceToken: String? = nil, bundleID: String? = nil, environment: String? = nil,
            platform: String? = nil,
            widgetKind: String? = nil
        ) {
            self.channel = channel
            self.endpoint = endpoint
            self.p256dh = p256dh
            self.auth = auth
            self.deviceToken = deviceToken
            self.bundleID = bundleID
            self.environment = environment
            self.platform = platform
            self.widgetKind = widgetKind
        }

        enum CodingKeys: String, CodingKey {
            case channel, endpoint, p256dh, auth, environment, platform
            case deviceToken = "device_token"
            case bundleID = "bundle_id"
            case widgetKind = "widget_kind"
        }
    }

    public struct LogEntry: Codable, Hashable, Sendable {
        public enum Outcome: String, Codable, Hashable, Sendable {
            case sent, retrying, dropped, failed, registered, unregistered, refused
        }

        public var at: Instant
        public var messageID: String?
        public var kind: String
        public var channel: Channel?
        public var target: String?
        public var outcome: Outcome
        public var reason: String?
        public var status: Int?
        public var attempts: Int

        public init(
            at: Instant, messageID: String?, kind: String, channel: Channel? = nil, target: String? = nil,
            outcome: Outcome, reason: String? = nil, status: Int? = nil, attempts: Int = 0
        ) {
            self.at = at
            self.messageID = messageID
            self.kind = kind
            self.channel = channel
            self.target = target
            self.outcome = outcome
            self.reason = reason
            self.status = status
            self.attempts = attempts
        }

        enum CodingKeys: String, CodingKey {
            case at, kind, channel, target, outcome, reason, status, attempts
            case messageID = "message_id"
        }
    }
}
