public import Time
public import Varlink

extension Push {
    public struct WebhookEvent: Codable, Hashable, Sendable {
        public var webhook: Int64
        public var url: String
        public var secret: String
        public var event: String
        /// JSON text.
        public var data: String

        public init(webhook: Int64, url: String, secret: String, event: String, data: String) {
            self.webhook = webhook
            self.url = url
            self.secret = secret
            self.event = event
            self.data = data
        }
    }

    public struct WebhookAttempt: Codable, Hashable, Sendable {
        public var id: Int64
        public var webhook: Int64
        public var event: String
        public var payload: String
        public var status: Int?
        public var error: String?
        public var attempt: Int
        public var at: Instant

        public init(
            id: Int64, webhook: Int64, event: String, payload: String, status: Int?, error: String?,
            attempt: Int, at: Instant
        ) {
            self.id = id
            self.webhook = webhook
            self.event = event
            self.payload = payload
            self.status = status
            self.error = error
            self.attempt = attempt
            self.at = at
        }
    }

    public enum GetWebhookLog: VarlinkMethod {
        public static let name = "org.opentask.push.GetWebhookLog"

        public struct Parameters: Codable, Hashable, Sendable {
            public var user: Int64
            public var webhook: Int64
            public var limit: Int

            public init(user: Int64, webhook: Int64, limit: Int) {
                self.user = user
                self.webhook = webhook
                self.limit = limit
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var attempts: [WebhookAttempt]

            public init(attempts: [WebhookAttempt]) {
                self.attempts = attempts
            }
        }
    }
}
