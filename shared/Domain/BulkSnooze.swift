// S-16: an explicit selection, moved.

public import Time

/// Where an explicit bulk snooze moves to.
public enum BulkMove: Hashable, Sendable {
    case until(Instant)
    /// Added to each task's own target.
    case deltaMinutes(Int)
}

/// What an explicit bulk snooze did (api 2.10).
public struct BulkSnoozeResult: Sendable {
    public var moved: [(before: TaskItem, after: TaskItem)] = []
    public var skippedHigh = 0
    public var skippedPastDeadline = 0
    public var urgentLeft = 0
    public var snoozedHigh = 0
    public var skippedReminders = 0
    public var skippedQuotas = 0
    public var skippedUndated = 0
    public var stoppedAtDeadline: [TaskItem.ID] = []
    private var refused: Set<TaskItem.ID> = []

    /// Its published meaning: High and Urgent together.
    public var skippedUrgent: Int { skippedHigh + urgentLeft }
    /// Items that were refused the move and are as they were; one already where it was asked to go is neither moved nor
    /// skipped.
    public var skipped: Int { refused.subtracting(moved.map(\.after.id)).count }
}

/// S-16: moves the tasks given, by the tiers of S-11 among themselves.
///
/// - Parameters:
///   - tasks: all open: the caller has refused the others by their ids. Doubled ids count once.
///   - included: ids that pass the filter whatever their tier.
public func bulkSnooze(
    _ tasks: [TaskItem], included: Set<TaskItem.ID>, _ move: BulkMove, now: Instant
) -> BulkSnoozeResult {
    var result = BulkSnoozeResult()
    let distinct = unique(tasks)
    let filter = SweepFilter(holding: distinct.filter { $0.kind == .task }, included: included, now: now)
    for task in distinct {
        switch task.kind {
        case .reminder: result.refuse(task, \.skippedReminders)
        case .quota: result.refuse(task, \.skippedQuotas)
        case .task where !filter.moves(task, now: now): result.hold(task, now: now)
        case .task: result.move(task, move, now: now)
        }
    }
    return result
}

extension BulkSnoozeResult {
    /// Counts an item that cannot move.
    mutating func refuse(_ task: TaskItem, _ number: WritableKeyPath<BulkSnoozeResult, Int>) {
        self[keyPath: number] += 1
        refused.insert(task.id)
    }

    /// Counts a task that its tier holds back.
    mutating func hold(_ task: TaskItem, now: Instant) {
        switch SweepTier(task, now: now) {
        case .lower: break
        case .high: refuse(task, \.skippedHigh)
        case .pastDeadline: refuse(task, \.skippedPastDeadline)
        case .urgent: refuse(task, \.urgentLeft)
        }
    }

    fileprivate mutating func move(_ task: TaskItem, _ move: BulkMove, now: Instant) {
        let asked: Instant
        switch move {
        case .until(let instant): asked = instant
        case .deltaMinutes(let minutes):
            guard let target = task.target else {
                refuse(task, \.skippedUndated)
                return
            }
            asked = target.adding(minutes: minutes)
        }
        let snoozed = snoozed(task, to: asked, now: now)
        if snoozed.stoppedAtDeadline { stoppedAtDeadline.append(task.id) }
        guard snoozed.task != task else { return }
        moved.append((task, snoozed.task))
        if task.priority == .high { snoozedHigh += 1 }
    }
}
