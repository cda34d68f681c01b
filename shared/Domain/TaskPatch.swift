public import Time

/// The fields that a PATCH carries (T-11). Double optionals: absent, null, or a value.
public struct TaskPatch: Hashable, Sendable {
    public var title: String?
    public var notes: String??
    public var shortTitle: String??
    public var project: ProjectID?
    public var priority: TaskItem.Priority?
    public var target: Instant??
    public var deadline: DeadlineInput??
    public var rrule: String??
    public var recurrenceMode: TaskItem.RecurrenceMode?
    public var labels: [String]?
    public var isReminder: Bool?
    public var isTracked: Bool?
    public var progressTarget: Int?
    public var progressCurrent: Int?
    /// JSON text of api 2.7; replaces the stored one as a whole.
    public var quotaPromptConfig: String??
    public var repeatInterval: Int??
    public var horizon: TaskItem.Horizon??
    public var shortMonths: TaskItem.ShortMonths?
    /// T-8: the date picker; a target sent with it is a reschedule, no snooze.
    public var resetOriginalTarget = false

    public init() {}
}

/// What an edit comes to. `task` equal to the one before means that nothing changed (T-11); `version` and `updatedAt`
/// are the store's to move.
public struct Edited: Hashable, Sendable {
    public var task: TaskItem
    /// T-8: the target moved as a snooze, which counts in the statistics (C-5).
    public var isSnooze = false
    /// D-10, D-13.
    public var stoppedAtDeadline = false
    /// D-9: the deadline came before the target, which the server then computed.
    public var targetBecameAutomatic = false
}
