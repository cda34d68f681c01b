import ApiStore
import Domain

extension TaskActions {
    /// A33: to the trash, all of them; those that are there already are left out.
    ///
    /// - Returns: how many went.
    func trashAll(_ ids: [TaskItem.ID], caller: Caller) throws -> Int {
        try write { transaction in
            let items = try transaction.items(ids, for: caller).filter { $0.deletedAt == nil }
            let trashed = try items.map { task in
                var after = try Domain.trash(task, now: transaction.now).orFailure()
                // Nobody reads the text any more, also not when the task comes back (enrich 1.1).
                after.labels.removeAll { $0 == SystemLabel.toProcess }
                try transaction.leaveQueue(task, after)
                return ItemChange(task, after)
            }
            try transaction.record(
                Change(
                    actor: caller.id, action: .bulkDelete, description: Descriptions.deleted(items),
                    items: trashed))
            return trashed.count
        }
    }
}
