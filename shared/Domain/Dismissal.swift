// N-40: which mutations take a delivered notification away.

public import Time

/// N-40: whether a mutation other than undo and redo dismisses the task's notifications: it was completed,
/// considered, skipped, snoozed, deleted, its target moved, or it became something that does not notify. The first
/// date of an undated task is no move.
public func dismisses(before: TaskItem, after: TaskItem, now: Instant) -> Bool {
    guard before.isOpen else { return false }
    if !after.isOpen || before.completionCount < after.completionCount { return true }
    if before.kind == .task, after.kind != .task { return true }
    return before.target != nil && before.target != after.target
}

/// N-40, U-8: undo and redo dismiss only what they changed in target or state and what is not over target afterwards.
public func undoDismisses(before: TaskItem, after: TaskItem, now: Instant) -> Bool {
    let changed = before.target != after.target || before.isOpen != after.isOpen
    return changed && !after.isOverTarget(at: now)
}
