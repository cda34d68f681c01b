/// `org.opentask.advisor`: advice on tasks, where the enrich service has a provider for it.
public enum Advisor {
    public static let name = "org.opentask.advisor"

    /// The full names of the interface's errors.
    public enum Errors {
        public static let failed = "org.opentask.advisor.Failed"
    }

    /// What an advisor is told of a task. Dates are local.
    public struct Task: Codable, Hashable, Sendable {
        public var id: Int64
        public var title: String
        public var priority: Int
        public var project: String
        public var labels: [String]
        /// `YYYY-MM-DD`.
        public var target: String?
        public var deadline: String?
        public var ageDays: Int
        public var isRecurring: Bool

        public init(
            id: Int64, title: String, priority: Int, project: String, labels: [String], target: String?,
            deadline: String?, ageDays: Int, isRecurring: Bool
        ) {
            self.id = id
            self.title = title
            self.priority = priority
            self.project = project
            self.labels = labels
            self.target = target
            self.deadline = deadline
            self.ageDays = ageDays
            self.isRecurring = isRecurring
        }

        enum CodingKeys: String, CodingKey {
            case id, title, priority, project, labels, target, deadline
            case ageDays = "age_days"
            case isRecurring = "is_recurring"
        }
    }

    /// Numbers over the whole list.
    public struct Counts: Codable, Hashable, Sendable {
        public var open: Int
        public var overTarget: Int
        public var today: Int

        public init(open: Int, overTarget: Int, today: Int) {
            self.open = open
            self.overTarget = overTarget
            self.today = today
        }

        enum CodingKeys: String, CodingKey {
            case open
            case overTarget = "over_target"
            case today
        }
    }

    public struct Context: Codable, Hashable, Sendable {
        /// `YYYY-MM-DDTHH:MM`.
        public var nowLocal: String
        public var timeZone: String
        public var userContext: String?

        public init(nowLocal: String, timeZone: String, userContext: String?) {
            self.nowLocal = nowLocal
            self.timeZone = timeZone
            self.userContext = userContext
        }

        enum CodingKeys: String, CodingKey {
            case nowLocal = "now_local"
            case timeZone = "time_zone"
            case userContext = "user_context"
        }
    }

    public struct Pick: Codable, Hashable, Sendable {
        public var taskID: Int64
        public var reason: String

        public init(taskID: Int64, reason: String) {
            self.taskID = taskID
            self.reason = reason
        }

        enum CodingKeys: String, CodingKey {
            case taskID = "task_id"
            case reason
        }
    }

    public struct Insight: Codable, Hashable, Sendable {
        public var taskID: Int64
        /// 0 to 100: how much attention it needs.
        public var score: Int
        public var commentary: String
        public var signals: [String]

        public init(taskID: Int64, score: Int, commentary: String, signals: [String]) {
            self.taskID = taskID
            self.score = score
            self.commentary = commentary
            self.signals = signals
        }

        enum CodingKeys: String, CodingKey {
            case taskID = "task_id"
            case score, commentary, signals
        }
    }
}
