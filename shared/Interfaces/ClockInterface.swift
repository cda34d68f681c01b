public import Varlink

/// `org.opentask.clock`: what the scheduler decides from, and where it reports.
public enum ClockInterface {
    public static let name = "org.opentask.clock"

    /// A task whose look has come.
    public struct Fact: Codable, Hashable, Sendable {
        public var id: Int64
        public var version: Int
        public var title: String
        public var priority: Int
        public var dueAt: Int64
        public var deadlineAt: Int64?
        /// Effective repeat interval (T-9); 0 = off.
        public var intervalMinutes: Int
        public var lookAt: Int64

        public init(
            id: Int64, version: Int, title: String, priority: Int, dueAt: Int64, deadlineAt: Int64?,
            intervalMinutes: Int, lookAt: Int64
        ) {
            self.id = id
            self.version = version
            self.title = title
            self.priority = priority
            self.dueAt = dueAt
            self.deadlineAt = deadlineAt
            self.intervalMinutes = intervalMinutes
            self.lookAt = lookAt
        }

        enum CodingKeys: String, CodingKey {
            case id, version, title, priority
            case dueAt = "due_at"
            case deadlineAt = "deadline_at"
            case intervalMinutes = "interval_minutes"
            case lookAt = "look_at"
        }
    }

    /// The facts of one user.
    public struct Person: Codable, Hashable, Sendable {
        public var user: Int64
        public var timezone: String
        public var notificationsEnabled: Bool
        public var criticalAlertVolume: Double
        public var facts: [Fact]

        public init(
            user: Int64, timezone: String, notificationsEnabled: Bool, criticalAlertVolume: Double,
            facts: [Fact]
        ) {
            self.user = user
            self.timezone = timezone
            self.notificationsEnabled = notificationsEnabled
            self.criticalAlertVolume = criticalAlertVolume
            self.facts = facts
        }

        enum CodingKeys: String, CodingKey {
            case user, timezone, facts
            case notificationsEnabled = "notifications_enabled"
            case criticalAlertVolume = "critical_alert_volume"
        }
    }

    /// What is to become of one task.
    public struct Decision: Codable, Hashable, Sendable {
        public var id: Int64
        public var version: Int
        public var dueAt: Int64
        public var lookAt: Int64
        /// Index on the grid of its target at which it is told; nil: it is not.
        public var point: Int?
        /// Told as one of several in a summary (N-15), not by itself.
        public var isSummarized: Bool
        public var nextLook: Int64?

        public init(
            id: Int64, version: Int, dueAt: Int64, lookAt: Int64, point: Int?, isSummarized: Bool,
            nextLook: Int64?
        ) {
            self.id = id
            self.version = version
            self.dueAt = dueAt
            self.lookAt = lookAt
            self.point = point
            self.isSummarized = isSummarized
            self.nextLook = nextLook
        }

        enum CodingKeys: String, CodingKey {
            case id, version, point
            case dueAt = "due_at"
            case lookAt = "look_at"
            case isSummarized = "summarized"
            case nextLook = "next_look"
        }
    }

    /// Decisions about one user's tasks, made together.
    public struct Check: Codable, Hashable, Sendable {
        public var user: Int64
        public var at: Int64
        public var decisions: [Decision]

        public init(user: Int64, at: Int64, decisions: [Decision]) {
            self.user = user
            self.at = at
            self.decisions = decisions
        }
    }

    public enum Watch: VarlinkMethod {
        public static let name = "org.opentask.clock.Watch"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var next: Int64?

            public init(next: Int64?) { self.next = next }
        }
    }

    public enum GetDue: VarlinkMethod {
        public static let name = "org.opentask.clock.GetDue"

        public struct Parameters: Codable, Hashable, Sendable {
            public var now: Int64
            public var limit: Int

            public init(now: Int64, limit: Int) {
                self.now = now
                self.limit = limit
            }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var people: [Person]

            public init(people: [Person]) { self.people = people }
        }
    }

    public enum Report: VarlinkMethod {
        public static let name = "org.opentask.clock.Report"

        public struct Parameters: Codable, Hashable, Sendable {
            public var checks: [Check]

            public init(checks: [Check]) { self.checks = checks }
        }

        public struct Reply: Codable, Hashable, Sendable {
            public var refused: [Int64]

            public init(refused: [Int64]) { self.refused = refused }
        }
    }

    public enum Housekeep: VarlinkMethod {
        public static let name = "org.opentask.clock.Housekeep"
        public typealias Parameters = VarlinkEmpty

        public struct Reply: Codable, Hashable, Sendable {
            public var done: Int

            public init(done: Int) { self.done = done }
        }
    }

    public enum Purge: VarlinkMethod {
        public static let name = "org.opentask.clock.Purge"
        public typealias Parameters = VarlinkEmpty
        public typealias Reply = VarlinkEmpty
    }
}
