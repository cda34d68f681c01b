// what a change of zone or morning does to a task. A system act: nothing here is undone.

public import Time

/// the task in its owner's new zone.
///
/// A recurring item's scheduled target that is ahead keeps its local date and time; an all-day deadline keeps its date;
/// an automatic target that is ahead is computed again. Everything else keeps its instant.
///
/// - Parameters:
///   - old: the zone until now.
///   - prefs: with the new zone.
public func changingZone(_ task: TaskItem, from old: Zone, now: Instant, prefs: Preferences) -> TaskItem {
    var moved = task
    if task.deadlineAllDay, let deadline = task.deadline {
        moved.deadline = DeadlineInput.date(old.date(deadline)).resolved(zone: prefs.zone)
    }
    if task.isRecurring, !task.isSnoozed, let target = task.target, target > now {
        let same = prefs.zone.instant(old.local(target))
        moved.target = same
        if task.originalTarget != nil { moved.originalTarget = same }
    }
    return recomputingAutomaticTarget(moved, now: now, prefs: prefs)
}

/// X-18, D-4: an automatic target that is still ahead, by the present morning and zone.
public func recomputingAutomaticTarget(_ task: TaskItem, now: Instant, prefs: Preferences) -> TaskItem {
    guard task.targetSource == .auto, let target = task.target, target > now, let deadline = task.deadline
    else {
        return task
    }
    var task = task
    task.setAutomaticTarget(deadline: deadline, now: now, prefs: prefs)
    return task
}
