import ApiStore
import Domain

extension TaskActions {
    /// A30, S-16: an explicit selection, moved.
    ///
    /// - Parameter included: ids among `ids` that move whatever their tier.
    func snoozeAll(
        _ ids: [TaskItem.ID], _ move: BulkMove, included: Set<TaskItem.ID>, caller: Caller
    ) throws -> BulkSnoozeResult {
        try write { transaction in
            let items = try transaction.items(ids, for: caller, refuse: \.reasonNotOpen)
            let result = Domain.bulkSnooze(items, included: included, move, now: transaction.now)
            try transaction.record(result.moved, by: move, caller: caller)
            return result
        }
    }
}

extension Transaction {
    /// Records what a bulk snooze moved; nothing if it moved nothing (S-14).
    func record(
        _ moved: [(before: TaskItem, after: TaskItem)], by move: BulkMove, caller: Caller
    ) throws {
        for (before, after) in moved { try leaveQueue(before, after) }
        var change = Change(
            actor: caller.id, action: .bulkSnooze,
            description: Descriptions.snoozed(moved.map(\.after), by: move, now: now, zone: caller.zone),
            items: moved.map { ItemChange($0.before, $0.after) })
        // C-5: first dates do not count.
        change.statistic = (.snoozes, moved.count { $0.before.target != nil })
        try record(change)
    }

    /// S-20: the text of a task that was taken in hand is no longer read.
    func leaveQueue(_ before: TaskItem, _ after: TaskItem) throws {
        guard before.labels.contains(SystemLabel.toProcess), !after.labels.contains(SystemLabel.toProcess)
        else { return }
        try removeJob(of: before.id)
    }
}
