public import Time

/// One thing to do: a task, a reminder or a quota (T-1). (`Task` is Swift's own word for something else.)
///
/// `target` is when it is meant to be done, `deadline` when it must be. On the wire and in the store the first is
/// `due_at`; interfaces and stores map the two words at their edge (`TaskField`), nothing else does.
public struct TaskItem: Hashable, Sendable {
    public struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
        public var rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
        public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
    }

    /// T-3.
    public enum Priority: Int, Comparable, CaseIterable, Sendable {
        case unset, low, medium, high, urgent
        public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
    }

    /// T-1: exactly one of three.
    public enum Kind: String, Sendable {
        case task, reminder, quota
    }

    /// D-3: who gave the target.
    public enum TargetSource: String, Sendable {
        case user, auto
    }

    /// what the next occurrence is counted from.
    public enum RecurrenceMode: String, Sendable {
        case fromDue = "from_due"
        case fromCompletion = "from_completion"
    }

    /// what a day of the month beyond a month's end means.
    public enum ShortMonths: String, Sendable {
        case lastDay = "last_day"
        case skip
    }

    /// G-2.
    public enum Horizon: String, CaseIterable, Sendable {
        case days, weeks, months, someday
    }

    public let id: ID
    /// Goes up by one with every change. Whoever decided on an older version is refused.
    public var version: Int
    /// The creator, for ever (L-12).
    public let owner: UserID
    public var project: ProjectID
    /// 1 to 10,000 characters, trimmed (T-3).
    public var title: String
    /// The text as first typed; what enrichment reads again.
    public var originalTitle: String?
    public var shortTitle: String?
    public var notes: String?
    public var priority: Priority
    public var target: Instant?
    /// T-7: the first target of this occurrence; a task is snoozed when it differs from `target`.
    public var originalTarget: Instant?
    public var targetSource: TargetSource?
    public var deadline: Instant?
    public var deadlineAllDay: Bool
    /// RFC 5545 rule text without `RRULE:` and DTSTART.
    public var rrule: String?
    public var recurrenceMode: RecurrenceMode
    /// derived by the server from the rule and its first target, never sent by a client.
    public var anchorTime: LocalTime?
    /// 0 = Monday … 6 = Sunday.
    public var anchorWeekday: Int?
    /// 1 to 31.
    public var anchorDayOfMonth: Int?
    /// where the rule counts from.
    public var ruleStart: LocalDate?
    public var shortMonths: ShortMonths
    /// T-9: own repeat interval in minutes, 0 to 10,080; 0 = no notifications, nil = by priority.
    public var repeatInterval: Int?
    public var horizon: Horizon?
    public var segmentConsideredOn: LocalDate?
    public var segmentDeferredOn: LocalDate?
    /// As first written, without duplicates (L-1).
    public var labels: [String]
    public var isReminder: Bool
    public var isTracked: Bool
    /// 1 to 1,000; above 1 it is a quota.
    public var progressTarget: Int
    public var progressCurrent: Int
    public var progressPeriodStart: Instant?
    /// JSON text of api 2.7; nil = defaults.
    public var quotaPromptConfig: String?
    /// JSON text of api 2.7.
    public var quotaDayState: String?
    public var done: Bool
    public var doneAt: Instant?
    public var archivedAt: Instant?
    /// In the trash since (C-10).
    public var deletedAt: Instant?
    public var completionCount: Int
    public var snoozeCount: Int
    public var skipCount: Int
    public var firstCompletedAt: Instant?
    public var lastCompletedAt: Instant?
    public let createdAt: Instant
    public var updatedAt: Instant

    /// A new item without anything but a title; version 1.
    public init(id: ID, owner: UserID, project: ProjectID, title: String, createdAt: Instant) {
        self.id = id
        self.owner = owner
        self.project = project
        self.title = title
        self.createdAt = createdAt
        updatedAt = createdAt
        version = 1
        priority = .unset
        deadlineAllDay = false
        recurrenceMode = .fromDue
        shortMonths = .lastDay
        labels = []
        isReminder = false
        isTracked = false
        progressTarget = 1
        progressCurrent = 0
        done = false
        completionCount = 0
        snoozeCount = 0
        skipCount = 0
    }
}

extension TaskItem {
    /// T-1.
    public var kind: Kind {
        if isTracked || progressTarget > 1 { return .quota }
        return isReminder ? .reminder : .task
    }

    /// T-4: only open items act.
    public var isOpen: Bool { !done && archivedAt == nil && deletedAt == nil }

    public var isRecurring: Bool { rrule != nil }

    /// T-7.
    public var isSnoozed: Bool { originalTarget != nil && originalTarget != target }

    /// T-5: the one definition that badge, notifier, sweep, lists and counts share.
    public func isOverTarget(at now: Instant) -> Bool {
        guard let target else { return false }
        return isOpen && kind == .task && target <= now
    }

    /// D-2.
    public func isPastDeadline(at now: Instant) -> Bool {
        deadline.map { now >= $0 } ?? false
    }
}

/// A user of this server.
public struct UserID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: UserID, b: UserID) -> Bool { a.rawValue < b.rawValue }
}

/// A project (L-10).
public struct ProjectID: RawRepresentable, Hashable, Sendable, Codable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A reminder period (M-10), `slot` on the wire.
public struct Period: Hashable, Sendable {
    public struct ID: RawRepresentable, Hashable, Sendable, Codable {
        public var rawValue: Int64
        public init(rawValue: Int64) { self.rawValue = rawValue }
    }
    public let id: ID
    public var label: String
    public var start: LocalTime

    public init(id: ID, label: String, start: LocalTime) {
        self.id = id
        self.label = label
        self.start = start
    }
}
