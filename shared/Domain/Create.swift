// T-1, T-2, T-3, T-10, M-8: a new item.

public import Time

/// What a client says of a new item.
public struct TaskDraft: Hashable, Sendable {
    public var title: String
    public var notes: String?
    public var shortTitle: String?
    public var project: ProjectID
    public var priority: TaskItem.Priority = .unset
    public var target: Instant?
    public var deadline: DeadlineInput?
    /// Absent, null, or a text: a reminder without the word gets the default rule (M-8), with null it gets none.
    public var rrule: String??
    public var recurrenceMode: TaskItem.RecurrenceMode = .fromDue
    public var labels: [String] = []
    public var isReminder = false
    public var isTracked = false
    public var progressTarget = 1
    /// JSON text of api 2.7.
    public var quotaPromptConfig: String?
    public var repeatInterval: Int?
    /// Absent (the user's default, G-2), null, or a horizon.
    public var horizon: TaskItem.Horizon??
    public var shortMonths: TaskItem.ShortMonths = .lastDay

    public init(title: String, project: ProjectID) {
        self.title = title
        self.project = project
    }
}

/// T-10: the new item, complete with its derived fields.
///
/// - Parameters:
///   - periods: the owner's, in any order.
///   - defaultPeriod: his `quota_prompt_slot_id` (M-8).
///   - prefs: the owner's.
public func create(
    _ draft: TaskDraft, id: TaskItem.ID, owner: UserID, periods: [Period], defaultPeriod: Period.ID?,
    now: Instant,
    prefs: Preferences
) -> Result<TaskItem, Refusal> {
    Result { () throws(Refusal) in
        var task = TaskItem(
            id: id, owner: owner, project: draft.project, title: try validTitle(draft.title), createdAt: now)
        task.originalTitle = task.title
        task.notes = try validNotes(draft.notes)
        task.shortTitle = try validShortTitle(draft.shortTitle)
        task.priority = draft.priority
        task.recurrenceMode = draft.recurrenceMode
        task.shortMonths = draft.shortMonths
        task.labels = withoutDuplicates(draft.labels)
        task.isReminder = draft.isReminder
        task.isTracked = draft.isTracked
        task.progressTarget = try validProgressTarget(draft.progressTarget)
        task.quotaPromptConfig = draft.quotaPromptConfig
        task.repeatInterval = try validRepeatInterval(draft.repeatInterval)
        try task.checkKind()
        switch task.kind {
        case .quota: try task.createQuota(draft, now: now, prefs: prefs)
        case .reminder:
            try task.createReminder(
                draft, periods: periods, defaultPeriod: defaultPeriod, now: now, prefs: prefs)
        case .task: try task.createTask(draft, now: now, prefs: prefs)
        }
        return task
    }
}

extension TaskItem {
    fileprivate mutating func createQuota(
        _ draft: TaskDraft, now: Instant, prefs: Preferences
    ) throws(Refusal) {
        if draft.target != nil { throw .invalid(.target, "A quota has no target date") }
        try refuse(draft.deadline != nil, horizon: (draft.horizon ?? nil) != nil)
        rrule = draft.rrule ?? nil
        try becomeQuota(now: now, prefs: prefs)
    }

    fileprivate mutating func createReminder(
        _ draft: TaskDraft, periods: [Period], defaultPeriod: Period.ID?, now: Instant, prefs: Preferences
    ) throws(Refusal) {
        try refuse(draft.deadline != nil, horizon: (draft.horizon ?? nil) != nil)
        switch draft.rrule {
        case .some(.some(let text)):
            try adopt(
                rule: try validRule(text).get(), text: text, given: draft.target, now: now, prefs: prefs)
        case .none where draft.target == nil:
            // M-8: a thought without a time comes daily, in the user's default period.
            let ordered = periods.sorted { $0.start < $1.start }
            guard let period = ordered.first(where: { $0.id == defaultPeriod }) ?? ordered.first else {
                return
            }
            let text = "FREQ=DAILY;BYHOUR=\(period.start.hour);BYMINUTE=\(period.start.minute)"
            try adopt(rule: try validRule(text).get(), text: text, given: nil, now: now, prefs: prefs)
        default: setFirstTarget(draft.target)
        }
    }

    fileprivate mutating func createTask(
        _ draft: TaskDraft, now: Instant, prefs: Preferences
    ) throws(Refusal) {
        if let text = draft.rrule ?? nil {
            try refuse(draft.deadline != nil, horizon: (draft.horizon ?? nil) != nil)
            try adopt(
                rule: try validRule(text).get(), text: text, given: draft.target, now: now, prefs: prefs)
            return
        }
        setFirstTarget(draft.target)
        if let input = draft.deadline {
            let instant = input.resolved(zone: prefs.zone)
            deadline = instant
            deadlineAllDay = input.isAllDay
            if let target {
                if instant > now, target > instant { throw .targetAfterDeadline }
            } else {
                setAutomaticTarget(deadline: instant, now: now, prefs: prefs)
            }
        }
        horizon = draft.horizon ?? (target == nil ? prefs.defaultHorizon : nil)
    }

    /// T-7, T-8: a first date is its own original.
    mutating func setFirstTarget(_ first: Instant?) {
        target = first
        originalTarget = first
        targetSource = first == nil ? nil : .user
    }

    /// T-2: what only one-off tasks can have.
    func refuse(_ deadline: Bool, horizon: Bool) throws(Refusal) {
        let owner = kind == .task ? "recurring task" : kind.rawValue
        if deadline { throw .invalid(.deadline, "A \(owner) has no deadline") }
        if horizon { throw .invalid(.horizon, "A \(owner) has no horizon") }
    }

    /// T-1.
    func checkKind() throws(Refusal) {
        if isReminder, isTracked || progressTarget > 1 {
            throw .invalid(.isReminder, "An item is a reminder or a quota, not both")
        }
    }
}
