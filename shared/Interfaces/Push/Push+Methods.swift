public import Time
public import Varlink

extension Push {
    public enum Deliver: VarlinkMethod {
        public static let name = "org.opentask.push.Deliver"

        public struct Parameters: Codable, Hashable, Sendable {
            public var messages: [Message]

            public init(messages: [Message]) {
                self.messages = messages
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var accepted: [String]

            public init(accepted: [String]) {
                self.accepted = accepted
            }
        }
    }

    public enum TestWebPush: VarlinkMethod {
        public static let name = "org.opentask.push.TestWebPush"

        public struct Parameters: Codable, Hashable, Sendable {
            public var user: Int64
            public var endpoint: String?

            public init(user: Int64, endpoint: String? = nil) {
                self.user = user
                self.endpoint = endpoint
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var sent: Bool
            public var reason: String?

            public init(sent: Bool, reason: String? = nil) {
                self.sent = sent
                self.reason = reason
            }
        }
    }

    public enum GetChannels: VarlinkMethod {
        public static let name = "org.opentask.push.GetChannels"

        public struct Parameters: Codable, Hashable, Sendable {
            public var user: Int64

            public init(user: Int64) {
                self.user = user
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var subscriptions: Int
            public var devices: Int

            public init(subscriptions: Int, devices: Int) {
                self.subscriptions = subscriptions
                self.devices = devices
            }
        }
    }

    public enum GetVapidKey: VarlinkMethod {
        public static let name = "org.opentask.push.GetVapidKey"

        public struct Parameters: Codable, Hashable, Sendable {
            public init() {}
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var publicKey: String
            public var configured: Bool

            public init(publicKey: String, configured: Bool) {
                self.publicKey = publicKey
                self.configured = configured
            }

            enum CodingKeys: String, CodingKey {
                case configured
                case publicKey = "public_key"
            }
        }
    }

    public enum Status: VarlinkMethod {
        public static let name = "org.opentask.push.Status"

        public struct Parameters: Codable, Hashable, Sendable {
            public init() {}
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var version: String
            public var uptimeSeconds: Int
            public var queued: Int
            public var oldestQueuedAt: Instant?
            public var subscriptions: Int
            public var devices: Int
            public var widgetTokens: Int
            public var webpushConfigured: Bool
            public var apnsConfigured: Bool
            public var sent: Int
            public var failed: Int

            public init(
                version: String, uptimeSeconds: Int, queued: Int, oldestQueuedAt: Instant?,
                subscriptions: Int,
                devices: Int, widgetTokens: Int, webpushConfigured: Bool, apnsConfigured: Bool, sent: Int,
                failed: Int
            ) {
                self.version = version
                self.uptimeSeconds = uptimeSeconds
                self.queued = queued
                self.oldestQueuedAt = oldestQueuedAt
                self.subscriptions = subscriptions
                self.devices = devices
                self.widgetTokens = widgetTokens
                self.webpushConfigured = webpushConfigured
                self.apnsConfigured = apnsConfigured
                self.sent = sent
                self.failed = failed
            }

            enum CodingKeys: String, CodingKey {
                case version, queued, subscriptions, devices, sent, failed
                case uptimeSeconds = "uptime_seconds"
                case oldestQueuedAt = "oldest_queued_at"
                case widgetTokens = "widget_tokens"
                case webpushConfigured = "webpush_configured"
                case apnsConfigured = "apns_configured"
            }
        }
    }

    public enum GetLog: VarlinkMethod {
        public static let name = "org.opentask.push.GetLog"

        public struct Parameters: Codable, Hashable, Sendable {
            public var user: Int64
            public var limit: Int
            public var messages: [String]?

            public init(user: Int64, limit: Int, messages: [String]? = nil) {
                self.user = user
                self.limit = limit
                self.messages = messages
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var entries: [LogEntry]

            public init(entries: [LogEntry]) {
                self.entries = entries
            }
        }
    }
}
