// C-1 to C-3, C-6 to C-8, C-10, R-7, R-8, R-11, M-5: done, skipped, put back, thrown away.

public import Time

/// What completing came to.
public struct Completed: Hashable, Sendable {
    /// As it was if `alreadyDone`.
    public var task: TaskItem
    public var wasRecurring: Bool
    /// C-1, C-3, M-5: nothing was written.
    public var alreadyDone = false
    /// C-3: the target is another one than the caller was shown.
    public var stale = false
    /// nil for one-offs and after a rule's last occurrence.
    public var nextTarget: Instant?
}

/// C-1, C-2: completes the present occurrence.
///
/// - Parameters:
///   - shownTarget: C-3: the target that the caller was shown; nil: whatever is there.
///   - lastCompletedToday: M-5: whether a reminder's last completion lies on its owner's local date of now.
///   - closePeriod: Q-11: a quota is only completed with this.
///   - prefs: the owner's.
public func complete(
    _ task: TaskItem, shownTarget: Instant?, lastCompletedToday: Bool, closePeriod: Bool, now: Instant,
    prefs: Preferences
) -> Result<Completed, Refusal> {
    guard task.deletedAt == nil else { return .failure(.inTrash) }
    var result = Completed(task: task, wasRecurring: task.isRecurring)
    if task.kind == .quota {
        guard closePeriod else {
            return .failure(Refusal("A quota is not completed; close its period instead"))
        }
        result.task.countCompletion(at: now)
        result.task.progressCurrent = 0
        return .success(result)
    }
    if task.done || task.kind == .reminder && lastCompletedToday {
        result.alreadyDone = true
        return .success(result)
    }
    if let shownTarget, shownTarget != task.target {
        result.alreadyDone = true
        result.stale = true
        return .success(result)
    }
    result.task.countCompletion(at: now)
    result.nextTarget = task.nextTarget(now: now, zone: prefs.zone)
    if let next = result.nextTarget {
        result.task.advance(to: next)
    } else {
        result.task.done = true
        result.task.doneAt = now
        result.task.archivedAt = now
    }
    return .success(result)
}

/// C-6: past the present occurrence without completing it; a one-off leaves the lists.
public func skip(_ task: TaskItem, now: Instant, prefs: Preferences) -> Result<TaskItem, Refusal> {
    guard task.deletedAt == nil else { return .failure(.inTrash) }
    guard task.isOpen else { return .failure(.alreadyDone) }
    guard task.kind == .task else { return .failure(Refusal("A \(task.kind.rawValue) cannot be skipped")) }
    var skipped = task
    skipped.skipCount += 1
    if let next = task.nextTarget(now: now, zone: prefs.zone) {
        skipped.advance(to: next)
    } else {
        skipped.archivedAt = now
    }
    return .success(skipped)
}

/// A completion row, as far as taking it back needs it.
public struct LastCompletion: Hashable, Sendable {
    public var completedAt: Instant
    /// C-2: the target of the occurrence that was completed, and the one that came after it.
    public var targetWas: Instant?
    public var targetNext: Instant?
    /// When the item was completed before that; nil: never.
    public var previousCompletedAt: Instant?

    public init(
        completedAt: Instant, targetWas: Instant?, targetNext: Instant?, previousCompletedAt: Instant? = nil
    ) {
        self.completedAt = completedAt
        self.targetWas = targetWas
        self.targetNext = targetNext
        self.previousCompletedAt = previousCompletedAt
    }
}

/// C-7, C-8: takes the last completion back. Its row is the caller's to remove.
///
/// - Parameters:
///   - last: the item's latest completion, nil if there is none.
///   - prefs: the owner's: a recurring item is put back on the local day of its completion only.
public func uncomplete(
    _ task: TaskItem, last: LastCompletion?, now: Instant, prefs: Preferences
) -> Result<TaskItem, Refusal> {
    guard task.deletedAt == nil else { return .failure(.inTrash) }
    guard task.kind != .quota else {
        return .failure(Refusal("A quota's completion cannot be put back; use Undo"))
    }
    let nothing = Refusal("There is no completion to put back")
    var restored = task
    if task.done {
        restored.done = false
        restored.doneAt = nil
        restored.archivedAt = nil
    } else {
        guard task.isRecurring, let last else { return .failure(nothing) }
        let zone = prefs.zone
        guard zone.date(last.completedAt) == zone.date(now) else { return .failure(nothing) }
        guard task.isOpen, task.target == last.targetNext, task.lastCompletedAt == last.completedAt else {
            return .failure(.changedSince)
        }
        restored.target = last.targetWas
        restored.originalTarget = last.targetWas
    }
    restored.completionCount = max(0, task.completionCount - 1)
    restored.lastCompletedAt = last?.previousCompletedAt
    if restored.completionCount == 0 { restored.firstCompletedAt = nil }
    return .success(restored.withTargetForDeadline(now: now, prefs: prefs))
}

/// C-10: to the trash.
public func trash(_ task: TaskItem, now: Instant) -> Result<TaskItem, Refusal> {
    guard task.deletedAt == nil else { return .failure(Refusal("The task is already in the trash")) }
    var trashed = task
    trashed.deletedAt = now
    return .success(trashed)
}

/// C-10, D-4: out of the trash, as it was.
public func restore(_ task: TaskItem, now: Instant, prefs: Preferences) -> Result<TaskItem, Refusal> {
    guard task.deletedAt != nil else { return .failure(Refusal("The task is not in the trash")) }
    var restored = task
    restored.deletedAt = nil
    return .success(restored.withTargetForDeadline(now: now, prefs: prefs))
}

extension TaskItem {
    mutating func countCompletion(at now: Instant) {
        completionCount += 1
        if firstCompletedAt == nil { firstCompletedAt = now }
        lastCompletedAt = now
    }

    /// T-8: the next occurrence's target is its original one.
    fileprivate mutating func advance(to next: Instant) {
        target = next
        originalTarget = next
        targetSource = .user
    }
}
