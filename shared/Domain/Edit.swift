// T-8, T-11, T-12, D-8, D-9, D-12, R-12, R-13: one PATCH.

public import Time

/// T-11: the task after a PATCH, all of it or nothing.
///
/// - Parameter prefs: the owner's.
public func edit(
    _ task: TaskItem, _ patch: TaskPatch, now: Instant, prefs: Preferences
) -> Result<Edited, Refusal> {
    Result { () throws(Refusal) in
        guard task.deletedAt == nil else { throw .inTrash }
        var edit = Edit(before: task, patch: patch, now: now, prefs: prefs)
        try edit.takePlainFields()
        try edit.changeKind()
        switch edit.result.task.kind {
        case .quota: try edit.finishQuota()
        case .task, .reminder: try edit.moveTarget()
        }
        return edit.result
    }
}

/// One PATCH on its way: what was, what was asked, what is to be.
struct Edit {
    let before: TaskItem
    let patch: TaskPatch
    let now: Instant
    let prefs: Preferences
    var result: Edited

    init(before: TaskItem, patch: TaskPatch, now: Instant, prefs: Preferences) {
        self.before = before
        self.patch = patch
        self.now = now
        self.prefs = prefs
        result = Edited(task: before)
    }

    /// The fields that no other rule looks at.
    mutating func takePlainFields() throws(Refusal) {
        if let title = patch.title { result.task.title = try validTitle(title) }
        if let notes = patch.notes { result.task.notes = try validNotes(notes) }
        if let shortTitle = patch.shortTitle { result.task.shortTitle = try validShortTitle(shortTitle) }
        if let project = patch.project { result.task.project = project }
        if let priority = patch.priority { result.task.priority = priority }
        if let labels = patch.labels { result.task.labels = withoutDuplicates(labels) }
        if let minutes = patch.repeatInterval {
            result.task.repeatInterval = try validRepeatInterval(minutes)
        }
        if let config = patch.quotaPromptConfig { result.task.quotaPromptConfig = config }
        if let shortMonths = patch.shortMonths { result.task.shortMonths = shortMonths }
        if let number = patch.progressTarget { result.task.progressTarget = try validProgressTarget(number) }
        if let isTracked = patch.isTracked { result.task.isTracked = isTracked }
        if let isReminder = patch.isReminder { result.task.isReminder = isReminder }
        try result.task.checkKind()
    }

    /// T-12.
    mutating func changeKind() throws(Refusal) {
        let kind = result.task.kind
        if before.kind == .quota, kind != .quota {
            result.task.ceaseQuota()
            // The rule of a quota is a period, not a schedule; it is kept only if it is sent.
            result.task.clearRule()
        }
        if kind == .reminder, before.kind == .task, before.target != nil,
            case .some(.some(let asked)) = patch.target,
            asked != before.target, !patch.resetOriginalTarget, (patch.rrule ?? nil) == nil
        {
            throw .invalid(.target, "A reminder cannot be snoozed")
        }
        if let count = patch.progressCurrent {
            guard kind == .quota else { throw .invalid(.progressCurrent, "Only a quota has a count") }
            guard (0...10_000).contains(count) else {
                throw .invalid(.progressCurrent, "The count is not between 0 and 10,000")
            }
            // as if the difference had been logged.
            var day = result.task.quotaDay(prefs.zone.date(now))
            result.task.moveCount(by: count - result.task.progressCurrent, day: &day)
            result.task.keep(day)
        }
    }

    /// T-2, T-12, Q-2: a quota takes no date; becoming one clears them.
    mutating func finishQuota() throws(Refusal) {
        if (patch.target ?? nil) != nil { throw .invalid(.target, "A quota has no target date") }
        try result.task.refuse((patch.deadline ?? nil) != nil, horizon: (patch.horizon ?? nil) != nil)
        if let rrule = patch.rrule { result.task.rrule = rrule }
        try result.task.becomeQuota(now: now, prefs: prefs)
        if before.kind == .quota, result.task.rrule != before.rrule {
            result.task.anchorAnew(before, now, prefs)
        }
    }
}
