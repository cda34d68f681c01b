// A32, S-16: one edit of many items.

public import Time

/// One item of a bulk edit, with what is asked of it.
public struct BulkEditItem: Sendable {
    public var task: TaskItem
    /// With a target where the batch's date is meant for this item, too.
    public var patch: TaskPatch
    /// Minutes that are added to the item's own target; nil when the batch moves to a date, or nowhere.
    public var deltaMinutes: Int?
    /// The owner's.
    public var prefs: Preferences

    public init(task: TaskItem, patch: TaskPatch, deltaMinutes: Int? = nil, prefs: Preferences) {
        self.task = task
        self.patch = patch
        self.deltaMinutes = deltaMinutes
        self.prefs = prefs
    }
}

/// What a bulk edit comes to.
public struct BulkEditResult: Sendable {
    /// Its `moved` are all items that differ afterwards, whether their target moved or not.
    public var counts = BulkSnoozeResult()
    /// How many targets were moved as a snooze (C-5).
    public var snoozes = 0
}

/// why each of some items cannot take its edit; nothing was changed.
public struct BulkRefusal: Error, Sendable {
    public var culprits: [(task: TaskItem.ID, refusal: Refusal)]
}

/// A32: edits each item as A18 would; all of them or none. A date without a rule is a snooze and goes by the tiers of
/// S-11 among the items that it is meant for; an item that cannot take the date takes the rest.
///
/// - Parameters:
///   - items: each task once.
///   - included: ids that pass the filter whatever their tier.
public func bulkEdit(
    _ items: [BulkEditItem], included: Set<TaskItem.ID>, now: Instant
) -> Result<BulkEditResult, BulkRefusal> {
    let filter = SweepFilter(
        holding: items.filter { $0.isMove && $0.kind == .task }.map(\.task), included: included, now: now)
    var result = BulkEditResult()
    var refusal = BulkRefusal(culprits: [])
    for item in items {
        do throws(Refusal) {
            try result.edit(item, filter, now: now)
        } catch {
            refusal.culprits.append((item.task.id, error))
        }
    }
    return refusal.culprits.isEmpty ? .success(result) : .failure(refusal)
}

extension BulkEditItem {
    /// What it is afterwards (T-1).
    fileprivate var kind: TaskItem.Kind {
        if patch.isTracked ?? task.isTracked || (patch.progressTarget ?? task.progressTarget) > 1 {
            return .quota
        }
        return patch.isReminder ?? task.isReminder ? .reminder : .task
    }

    fileprivate var hasDate: Bool { (patch.target ?? nil) != nil || deltaMinutes != nil }

    /// T-8: a rule that comes or goes with the date makes the two a new schedule.
    private var isSchedule: Bool {
        guard let rrule = patch.rrule else { return false }
        return rrule != nil || task.rrule != nil
    }

    fileprivate var isMove: Bool { hasDate && !isSchedule }

    /// Where the batch would have the target; nil: an undated one in a relative move.
    fileprivate var asked: Instant? {
        if let target = patch.target ?? nil { return target }
        return deltaMinutes.flatMap { task.target?.adding(minutes: $0) }
    }
}

extension BulkEditResult {
    fileprivate mutating func edit(
        _ item: BulkEditItem, _ filter: SweepFilter, now: Instant
    ) throws(Refusal) {
        guard item.task.deletedAt == nil else { throw .inTrash }
        var patch = item.patch
        patch.target = try target(of: item, filter, now: now)
        let edited = try Domain.edit(item.task, patch, now: now, prefs: item.prefs).get()
        if edited.stoppedAtDeadline { counts.stoppedAtDeadline.append(item.task.id) }
        guard edited.task != item.task else { return }
        counts.moved.append((item.task, edited.task))
        if edited.isSnooze { snoozes += 1 }
        if item.isMove, edited.task.target != item.task.target, item.task.priority == .high {
            counts.snoozedHigh += 1
        }
    }

    /// The target to ask of an item: absent where it cannot take the date.
    private mutating func target(
        of item: BulkEditItem, _ filter: SweepFilter, now: Instant
    ) throws(Refusal) -> Instant?? {
        guard item.hasDate || item.patch.target != nil else { return nil }
        switch item.kind {
        case .quota:
            if item.hasDate { counts.refuse(item.task, \.skippedQuotas) }
            return nil
        case .reminder where item.task.kind == .reminder && (item.isMove || !item.hasDate):
            counts.refuse(item.task, \.skippedReminders)
            return nil
        case .reminder, .task: break
        }
        guard item.hasDate else { return item.patch.target }
        // S-16.
        guard item.task.isOpen || !item.isMove else { throw .alreadyDone }
        guard let asked = item.asked else {
            counts.refuse(item.task, \.skippedUndated)
            return nil
        }
        if item.isMove, !filter.moves(item.task, now: now) {
            counts.hold(item.task, now: now)
            return nil
        }
        return .some(asked)
    }
}
