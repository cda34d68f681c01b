// T-8: what a change of target is. D-8, D-9, D-12: what a deadline does to it.: what a rule does.

import Time

extension Edit {
    /// Rule, deadline, horizon and target of a task or reminder.
    mutating func moveTarget() throws(Refusal) {
        if let horizon = patch.horizon, horizon != result.task.horizon {
            result.task.clearHorizon()  // G-8: a change clears both marks
            result.task.horizon = horizon
        }
        if let input = patch.deadline {
            result.task.deadline = input?.resolved(zone: prefs.zone)
            result.task.deadlineAllDay = input?.isAllDay ?? false
        }
        let ruleChanged = try changeRule()
        if result.task.kind == .reminder || result.task.isRecurring {
            try result.task.refuse(result.task.deadline != nil, horizon: result.task.horizon != nil)
        }
        if let mode = patch.recurrenceMode, result.task.isRecurring { result.task.recurrenceMode = mode }
        if !ruleChanged { try changeTarget() }
        try followDeadline()
    }

    ///
    ///
    /// - Returns: whether this was a new schedule, which settles the target too.
    private mutating func changeRule() throws(Refusal) -> Bool {
        guard let rrule = patch.rrule else { return false }
        let given = patch.target ?? nil
        guard let text = rrule else {
            guard result.task.rrule != nil else { return false }
            result.task.dropRule()
            if patch.target != nil { result.task.setFirstTarget(given) }
            return true
        }
        // The rule that is there already, without another date, is no change (T-8, last row).
        if text == result.task.rrule, given == nil || given == result.task.target { return false }
        if patch.target != nil, given == nil {
            throw .invalid(.target, "A recurring task always has a target")
        }
        let rule = try validRule(text).get()
        try result.task.adopt(rule: rule, text: text, given: given, now: now, prefs: prefs)
        return true
    }

    private mutating func changeTarget() throws(Refusal) {
        guard let asked = patch.target, asked != result.task.target else {
            if patch.resetOriginalTarget { acceptTarget() }
            return
        }
        guard let asked else {
            if result.task.isRecurring { throw .invalid(.target, "A recurring task always has a target") }
            result.task.setFirstTarget(nil)
            return
        }
        let deadline = result.task.deadline
        if before.target == nil || patch.resetOriginalTarget {
            if let deadline, deadline > now, asked > deadline { throw .targetAfterDeadline }
            let isFirst = result.task.target == nil
            result.task.setFirstTarget(asked)
            if !isFirst { result.task.snoozeCount = 0 }
            return
        }
        if result.task.kind == .reminder { throw .invalid(.target, "A reminder cannot be snoozed") }
        guard result.task.isOpen else { throw .alreadyDone }
        let stop = stopped(asked, deadline: deadline, now: now)
        result.stoppedAtDeadline = stop.atDeadline
        guard stop.target != result.task.target else { return }
        result.task.setSnoozed(to: stop.target)
        result.isSnooze = true
    }

    /// T-8: `reset_original_due_at` without a date makes the present target the original one.
    private mutating func acceptTarget() {
        guard let target = result.task.target else { return }
        guard result.task.isSnoozed || result.task.snoozeCount > 0 else { return }
        result.task.originalTarget = target
        result.task.snoozeCount = 0
    }

    /// D-3, D-4, D-8, D-9: the target that a deadline asks for, where nobody gave one in this request.
    private mutating func followDeadline() throws(Refusal) {
        guard result.task.kind == .task, !result.task.isRecurring else { return }
        let gave = (patch.target ?? nil) != nil
        guard let deadline = result.task.deadline else {
            if before.deadline != nil, before.targetSource == .auto, !gave {
                result.task.setFirstTarget(nil)
            }
            return
        }
        let moved = deadline != before.deadline
        guard let target = result.task.target else {
            result.task.setAutomaticTarget(deadline: deadline, now: now, prefs: prefs)
            return
        }
        guard moved, !gave else { return }
        if before.targetSource == .auto, before.target != nil {
            result.task.setAutomaticTarget(deadline: deadline, now: now, prefs: prefs)
        } else if deadline > now, deadline < target {
            result.task.setAutomaticTarget(deadline: deadline, now: now, prefs: prefs)
            result.targetBecameAutomatic = true
        }
    }
}

extension TaskItem {
    /// T-8: the original target is kept, the count goes up; D-3: the target is the person's own from now on. S-20: a
    /// person who moves a task has taken it in hand, so it no longer waits for enrichment.
    mutating func setSnoozed(to new: Instant) {
        target = new
        targetSource = .user
        snoozeCount += 1
        leaveEnrichment()
    }

    /// S-20.
    mutating func leaveEnrichment() {
        labels.removeAll { $0 == "ai-to-process" }
    }
}
