public import Varlink

/// `org.opentask.enrich`: the enrich service's own door.
public enum EnrichControl {
    public static let name = "org.opentask.enrich"

    /// The full names of the interface's errors.
    public enum Errors {
        public static let unknownEnricher = "org.opentask.enrich.UnknownEnricher"
        public static let enricherFailed = "org.opentask.enrich.EnricherFailed"
    }

    /// An enricher that is not asked for a while, because it failed too often (1.5).
    public struct Breaker: Codable, Hashable, Sendable {
        public var enricher: String
        public var retryInSeconds: Int

        public init(enricher: String, retryInSeconds: Int) {
            self.enricher = enricher
            self.retryInSeconds = retryInSeconds
        }

        enum CodingKeys: String, CodingKey {
            case enricher
            case retryInSeconds = "retry_in_seconds"
        }
    }

    /// Who can read texts; what is nil was not answered.
    public struct Installed: Codable, Hashable, Sendable {
        public var name: String
        /// `unix:/run/opentask/enrichers/NAME.sock`.
        public var address: String
        /// `ready`, `warming`, `degraded` or `down`.
        public var state: String
        public var detail: String?
        public var version: String?
        public var model: String?
        public var usesNetwork: Bool?

        public init(
            name: String, address: String, state: String, detail: String? = nil, version: String? = nil,
            model: String? = nil, usesNetwork: Bool? = nil
        ) {
            self.name = name
            self.address = address
            self.state = state
            self.detail = detail
            self.version = version
            self.model = model
            self.usesNetwork = usesNetwork
        }

        enum CodingKeys: String, CodingKey {
            case name, address, state, detail, version, model
            case usesNetwork = "uses_network"
        }
    }

    /// There is work; as often as one likes.
    public enum Poke: VarlinkMethod {
        public static let name = "org.opentask.enrich.Poke"
        public typealias Parameters = VarlinkEmpty
        public typealias Reply = VarlinkEmpty
    }

    public enum Status: VarlinkMethod {
        public static let name = "org.opentask.enrich.Status"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var version: String
            public var uptimeSeconds: Int
            /// Calls in flight.
            public var running: Int
            /// Since the start.
            public var enriched: Int
            public var failed: Int
            public var breakers: [Breaker]

            public init(
                version: String, uptimeSeconds: Int, running: Int, enriched: Int, failed: Int,
                breakers: [Breaker]
            ) {
                self.version = version
                self.uptimeSeconds = uptimeSeconds
                self.running = running
                self.enriched = enriched
                self.failed = failed
                self.breakers = breakers
            }

            enum CodingKeys: String, CodingKey {
                case version
                case uptimeSeconds = "uptime_seconds"
                case running, enriched, failed, breakers
            }
        }
    }

    /// Every enricher that has a socket here, `builtin` first.
    public enum List: VarlinkMethod {
        public static let name = "org.opentask.enrich.List"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var enrichers: [Installed]

            public init(enrichers: [Installed]) { self.enrichers = enrichers }

            enum CodingKeys: String, CodingKey {
                case enrichers
            }
        }
    }

    /// Reads a text and stores nothing.
    public enum Preview: VarlinkMethod {
        public static let name = "org.opentask.enrich.Preview"

        public struct Parameters: Codable, Hashable, Sendable {
            public var enricher: String
            public var kind: String
            public var text: String
            public var context: EnricherInterface.Context

            public init(enricher: String, kind: String, text: String, context: EnricherInterface.Context) {
                self.enricher = enricher
                self.kind = kind
                self.text = text
                self.context = context
            }

            enum CodingKeys: String, CodingKey {
                case enricher, kind, text, context
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// Who has read it: the one asked for if it is fast enough, else `builtin`.
            public var enricher: String
            public var result: EnricherInterface.Result

            public init(enricher: String, result: EnricherInterface.Result) {
                self.enricher = enricher
                self.result = result
            }

            enum CodingKeys: String, CodingKey {
                case enricher, result
            }
        }
    }

    /// Asks an enricher a few texts whose meaning is known.
    public enum Test: VarlinkMethod {
        public static let name = "org.opentask.enrich.Test"

        public struct Parameters: Codable, Hashable, Sendable {
            public var name: String

            public init(name: String) { self.name = name }

            enum CodingKeys: String, CodingKey {
                case name
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var passed: Bool
            /// What it read differently, a sentence each.
            public var differences: [String]
            public var durationMs: Int

            public init(passed: Bool, differences: [String], durationMs: Int) {
                self.passed = passed
                self.differences = differences
                self.durationMs = durationMs
            }

            enum CodingKeys: String, CodingKey {
                case passed, differences
                case durationMs = "duration_ms"
            }
        }
    }
}
