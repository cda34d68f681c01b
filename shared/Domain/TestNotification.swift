public import Time

/// N-45: a notification that somebody asks for to see whether it arrives. It tells of a real task.
public enum TestNotification: String, CaseIterable, Sendable {
    case individual, high, bulk, urgent, critical

    /// How long after the request it is sent, s.
    public static let delay: Int64 = 3
    /// When its task goes to the trash, s after the request.
    public static let lifetime: Int64 = 3600

    /// api A80.
    public var priority: TaskItem.Priority {
        switch self {
        case .individual, .bulk: .unset
        case .high: .high
        case .urgent, .critical: .urgent
        }
    }

    /// The task that it tells of: due a minute ago, and never told again by itself.
    public func draft(in project: ProjectID, now: Instant) -> TaskDraft {
        var draft = TaskDraft(title: title, project: project)
        draft.priority = priority
        draft.target = now.adding(seconds: -60)
        draft.labels = ["test"]
        draft.repeatInterval = 0
        return draft
    }

    private var title: String {
        switch self {
        case .individual: "Test notification"
        case .high: "Test notification, High"
        case .bulk: "Test notification, summary"
        case .urgent, .critical: "Test notification, Urgent"
        }
    }

    /// - Parameter overTarget: all of the user's tasks over target, this one included.
    public func alert(of task: TaskItem, overTarget: Int, now: Instant, prefs: Preferences) -> Alert? {
        guard self != .bulk else { return .testSummary(count: max(overTarget, 1), overTarget: overTarget) }
        return .test(task, overTarget: overTarget, now: now, prefs: prefs)
    }
}
