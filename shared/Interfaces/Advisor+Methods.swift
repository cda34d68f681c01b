public import Varlink

extension Advisor {
    /// Who advises on a feature.
    public enum CheckProvider: VarlinkMethod {
        public static let name = "org.opentask.advisor.CheckProvider"

        public struct Parameters: Codable, Hashable, Sendable {
            /// `quick_take`, `whats_next` or `insights`.
            public var feature: String
            public var deadlineMs: Int

            public init(feature: String, deadlineMs: Int) {
                self.feature = feature
                self.deadlineMs = deadlineMs
            }

            enum CodingKeys: String, CodingKey {
                case feature
                case deadlineMs = "deadline_ms"
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var provider: String
            public var providerDisplay: String
            public var model: String?
            public var modelDisplay: String?
            /// Why it does not work; nil: it does.
            public var error: String?

            public init(
                provider: String, providerDisplay: String, model: String? = nil, modelDisplay: String? = nil,
                error: String? = nil
            ) {
                self.provider = provider
                self.providerDisplay = providerDisplay
                self.model = model
                self.modelDisplay = modelDisplay
                self.error = error
            }

            enum CodingKeys: String, CodingKey {
                case provider
                case providerDisplay = "provider_display"
                case model
                case modelDisplay = "model_display"
                case error
            }
        }
    }

    /// A sentence about a new title.
    public enum QuickTake: VarlinkMethod {
        public static let name = "org.opentask.advisor.QuickTake"

        public struct Parameters: Codable, Hashable, Sendable {
            public var title: String
            public var hasDueDate: Bool
            public var counts: Counts
            public var context: Context
            public var deadlineMs: Int

            public init(title: String, hasDueDate: Bool, counts: Counts, context: Context, deadlineMs: Int) {
                self.title = title
                self.hasDueDate = hasDueDate
                self.counts = counts
                self.context = context
                self.deadlineMs = deadlineMs
            }

            enum CodingKeys: String, CodingKey {
                case title
                case hasDueDate = "has_due_date"
                case counts, context
                case deadlineMs = "deadline_ms"
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var text: String?

            public init(text: String?) { self.text = text }

            enum CodingKeys: String, CodingKey {
                case text
            }
        }
    }

    /// What to begin with.
    public enum WhatsNext: VarlinkMethod {
        public static let name = "org.opentask.advisor.WhatsNext"

        public struct Parameters: Codable, Hashable, Sendable {
            public var tasks: [Task]
            public var context: Context
            public var deadlineMs: Int

            public init(tasks: [Task], context: Context, deadlineMs: Int) {
                self.tasks = tasks
                self.context = context
                self.deadlineMs = deadlineMs
            }

            enum CodingKeys: String, CodingKey {
                case tasks, context
                case deadlineMs = "deadline_ms"
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var picks: [Pick]
            public var summary: String

            public init(picks: [Pick], summary: String) {
                self.picks = picks
                self.summary = summary
            }

            enum CodingKeys: String, CodingKey {
                case picks, summary
            }
        }
    }

    /// Which tasks need attention.
    public enum Review: VarlinkMethod {
        public static let name = "org.opentask.advisor.Review"

        public struct Parameters: Codable, Hashable, Sendable {
            public var tasks: [Task]
            public var counts: Counts
            public var context: Context
            public var deadlineMs: Int

            public init(tasks: [Task], counts: Counts, context: Context, deadlineMs: Int) {
                self.tasks = tasks
                self.counts = counts
                self.context = context
                self.deadlineMs = deadlineMs
            }

            enum CodingKeys: String, CodingKey {
                case tasks, counts, context
                case deadlineMs = "deadline_ms"
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var insights: [Insight]

            public init(insights: [Insight]) { self.insights = insights }

            enum CodingKeys: String, CodingKey {
                case insights
            }
        }
    }
}
