public import Varlink

/// `org.opentask.enrichqueue`: the texts that wait, served by the api (docs/spec/enrich.md, 1.5 and 2.3).
public enum EnrichQueue {
    public static let name = "org.opentask.enrichqueue"

    /// The full names of the interface's errors; neither has parameters.
    public enum Errors {
        public static let staleToken = "org.opentask.enrichqueue.StaleToken"
        public static let gone = "org.opentask.enrichqueue.Gone"
    }

    /// One claimed text.
    public struct Job: Codable, Hashable, Sendable {
        public var id: Int64
        /// Proves the claim; a new one for each.
        public var token: String
        public var user: Int64
        public var task: Int64
        /// 1 or 2.
        public var attempt: Int
        /// `task`, `reminder`, `quota` or `auto`.
        public var kind: String
        /// As typed, at most 10,000 bytes.
        public var text: String
        /// The name of who is to read it.
        public var enricher: String
        public var timeoutMs: Int
        public var context: EnricherInterface.Context
        /// The project chosen for it; nil: the Inbox.
        public var project: String?
        /// A reminder that has a rule already.
        public var hasSchedule: Bool
        /// `none` or `builtin`: who reads it when the enricher has failed for good (1.7).
        public var fallback: String

        public init(
            id: Int64, token: String, user: Int64, task: Int64, attempt: Int, kind: String, text: String,
            enricher: String, timeoutMs: Int, context: EnricherInterface.Context, project: String? = nil,
            hasSchedule: Bool = false, fallback: String = "none"
        ) {
            self.id = id
            self.token = token
            self.user = user
            self.task = task
            self.attempt = attempt
            self.kind = kind
            self.text = text
            self.enricher = enricher
            self.timeoutMs = timeoutMs
            self.context = context
            self.project = project
            self.hasSchedule = hasSchedule
            self.fallback = fallback
        }

        enum CodingKeys: String, CodingKey {
            case id, token, user, task, attempt, kind, text, enricher
            case timeoutMs = "timeout_ms"
            case context, project
            case hasSchedule = "has_schedule"
            case fallback
        }
    }

    /// What the activity log keeps of a call (1.9).
    public struct Log: Codable, Hashable, Sendable {
        public var enricher: String
        public var model: String?
        public var durationMs: Int
        public var input: String?
        /// The enricher's answer as JSON.
        public var output: String?
        public var inputTokens: Int?
        public var outputTokens: Int?

        public init(
            enricher: String, model: String? = nil, durationMs: Int, input: String? = nil,
            output: String? = nil, inputTokens: Int? = nil, outputTokens: Int? = nil
        ) {
            self.enricher = enricher
            self.model = model
            self.durationMs = durationMs
            self.input = input
            self.output = output
            self.inputTokens = inputTokens
            self.outputTokens = outputTokens
        }

        enum CodingKeys: String, CodingKey {
            case enricher, model
            case durationMs = "duration_ms"
            case input, output
            case inputTokens = "input_tokens"
            case outputTokens = "output_tokens"
        }
    }

    /// Claims texts, oldest first for each user, users in turn; none: nothing waits.
    public enum Claim: VarlinkMethod {
        public static let name = "org.opentask.enrichqueue.Claim"

        public struct Parameters: Codable, Hashable, Sendable {
            /// 1 to 10.
            public var limit: Int
            public var leaseMs: Int

            public init(limit: Int, leaseMs: Int) {
                self.limit = limit
                self.leaseMs = leaseMs
            }

            enum CodingKeys: String, CodingKey {
                case limit
                case leaseMs = "lease_ms"
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var jobs: [Job]

            public init(jobs: [Job]) { self.jobs = jobs }

            enum CodingKeys: String, CodingKey {
                case jobs
            }
        }
    }

    /// Holds a claimed job for `leaseMs` from now.
    public enum Extend: VarlinkMethod {
        public static let name = "org.opentask.enrichqueue.Extend"

        public struct Parameters: Codable, Hashable, Sendable {
            public var job: Int64
            public var token: String
            public var leaseMs: Int

            public init(job: Int64, token: String, leaseMs: Int) {
                self.job = job
                self.token = token
                self.leaseMs = leaseMs
            }

            enum CodingKeys: String, CodingKey {
                case job, token
                case leaseMs = "lease_ms"
            }
        }

        public typealias Reply = VarlinkEmpty
    }

    /// Hands in a guarded result; idempotent for a token.
    public enum Complete: VarlinkMethod {
        public static let name = "org.opentask.enrichqueue.Complete"

        public struct Parameters: Codable, Hashable, Sendable {
            public var job: Int64
            public var token: String
            public var result: EnricherInterface.Result
            public var log: Log

            public init(job: Int64, token: String, result: EnricherInterface.Result, log: Log) {
                self.job = job
                self.token = token
                self.result = result
                self.log = log
            }

            enum CodingKeys: String, CodingKey {
                case job, token, result, log
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            /// `applied`, `unchanged` or `discarded` (1.6).
            public var outcome: String

            public init(outcome: String) { self.outcome = outcome }

            enum CodingKeys: String, CodingKey {
                case outcome
            }
        }
    }

    /// Gives a job back; idempotent for a token.
    public enum Fail: VarlinkMethod {
        public static let name = "org.opentask.enrichqueue.Fail"

        public struct Parameters: Codable, Hashable, Sendable {
            public var job: Int64
            public var token: String
            /// A word for the log: `TimedOut`, `Refused` …
            public var error: String
            /// Another attempt may help.
            public var retryable: Bool
            /// The enricher was asked; false: it was never reached, or said to come back later.
            public var usesAttempt: Bool
            /// Not before that; nil: the queue's own delay.
            public var retryAfterMs: Int?
            public var log: Log

            public init(
                job: Int64, token: String, error: String, retryable: Bool, usesAttempt: Bool,
                retryAfterMs: Int?, log: Log
            ) {
                self.job = job
                self.token = token
                self.error = error
                self.retryable = retryable
                self.usesAttempt = usesAttempt
                self.retryAfterMs = retryAfterMs
                self.log = log
            }

            enum CodingKeys: String, CodingKey {
                case job, token, error, retryable
                case usesAttempt = "uses_attempt"
                case retryAfterMs = "retry_after_ms"
                case log
            }
        }

        public typealias Reply = VarlinkEmpty
    }
}
