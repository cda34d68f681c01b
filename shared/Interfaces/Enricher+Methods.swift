public import Varlink

extension EnricherInterface {
    /// The first call on a connection: what this enricher is and can do.
    public enum GetCapabilities: VarlinkMethod {
        public static let name = "org.opentask.enricher.GetCapabilities"

        public struct Parameters: Codable, Hashable, Sendable {
            /// The protocol numbers that the caller speaks.
            public var protocols: [Int]

            public init(protocols: [Int]) { self.protocols = protocols }

            enum CodingKeys: String, CodingKey {
                case protocols
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// The highest number that both speak.
            public var protocolNumber: Int
            public var name: String
            public var version: String
            /// Of `task`, `reminder`, `quota`, `auto`.
            public var kinds: [String]
            /// The result fields that it can fill.
            public var fields: [String]
            /// BCP 47.
            public var languages: [String]
            public var maxTextBytes: Int
            /// Calls at a time, each on a connection of its own.
            public var maxParallel: Int
            public var typicalMs: Int
            public var deterministic: Bool
            public var usesNetwork: Bool
            public var wantsUserContext: Bool
            public var model: String?

            public init(
                protocolNumber: Int = 1, name: String, version: String, kinds: [String], fields: [String],
                languages: [String], maxTextBytes: Int, maxParallel: Int, typicalMs: Int,
                deterministic: Bool, usesNetwork: Bool, wantsUserContext: Bool, model: String? = nil
            ) {
                self.protocolNumber = protocolNumber
                self.name = name
                self.version = version
                self.kinds = kinds
                self.fields = fields
                self.languages = languages
                self.maxTextBytes = maxTextBytes
                self.maxParallel = maxParallel
                self.typicalMs = typicalMs
                self.deterministic = deterministic
                self.usesNetwork = usesNetwork
                self.wantsUserContext = wantsUserContext
                self.model = model
            }

            enum CodingKeys: String, CodingKey {
                case protocolNumber = "protocol"
                case name, version, kinds, fields, languages
                case maxTextBytes = "max_text_bytes"
                case maxParallel = "max_parallel"
                case typicalMs = "typical_ms"
                case deterministic
                case usesNetwork = "uses_network"
                case wantsUserContext = "wants_user_context"
                case model
            }
        }
    }

    /// Reads a text; may be repeated with the same `request_id` after a lost connection.
    public enum Enrich: VarlinkMethod {
        public static let name = "org.opentask.enricher.Enrich"

        public struct Parameters: Codable, Hashable, Sendable {
            public var requestID: String
            /// 1 or 2.
            public var attempt: Int
            /// Time left; then the connection is closed.
            public var deadlineMs: Int
            /// `task`, `reminder`, `quota` or `auto`.
            public var kind: String
            public var text: String
            public var context: Context

            public init(
                requestID: String, attempt: Int, deadlineMs: Int, kind: String, text: String, context: Context
            ) {
                self.requestID = requestID
                self.attempt = attempt
                self.deadlineMs = deadlineMs
                self.kind = kind
                self.text = text
                self.context = context
            }

            enum CodingKeys: String, CodingKey {
                case requestID = "request_id"
                case attempt
                case deadlineMs = "deadline_ms"
                case kind, text, context
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var result: Result
            public var usage: Usage?

            public init(result: Result, usage: Usage? = nil) {
                self.result = result
                self.usage = usage
            }

            enum CodingKeys: String, CodingKey {
                case result, usage
            }
        }
    }

    /// The same reading while the user types; only fast, deterministic enrichers have it.
    public enum Preview: VarlinkMethod {
        public static let name = "org.opentask.enricher.Preview"

        public struct Parameters: Codable, Hashable, Sendable {
            public var kind: String
            public var text: String
            public var context: Context

            public init(kind: String, text: String, context: Context) {
                self.kind = kind
                self.text = text
                self.context = context
            }

            enum CodingKeys: String, CodingKey {
                case kind, text, context
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var result: Result

            public init(result: Result) { self.result = result }

            enum CodingKeys: String, CodingKey {
                case result
            }
        }
    }

    /// Best effort, on a second connection.
    public enum Cancel: VarlinkMethod {
        public static let name = "org.opentask.enricher.Cancel"

        public struct Parameters: Codable, Hashable, Sendable {
            public var requestID: String

            public init(requestID: String) { self.requestID = requestID }

            enum CodingKeys: String, CodingKey {
                case requestID = "request_id"
            }
        }

        public typealias Reply = VarlinkEmpty
    }

    /// Answers within a second.
    public enum CheckHealth: VarlinkMethod {
        public static let name = "org.opentask.enricher.CheckHealth"

        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            /// `ready`, `warming`, `degraded` or `down`.
            public var state: String
            public var detail: String?
            public var retryAfterMs: Int?

            public init(state: String, detail: String? = nil, retryAfterMs: Int? = nil) {
                self.state = state
                self.detail = detail
                self.retryAfterMs = retryAfterMs
            }

            enum CodingKeys: String, CodingKey {
                case state, detail
                case retryAfterMs = "retry_after_ms"
            }
        }
    }
}
