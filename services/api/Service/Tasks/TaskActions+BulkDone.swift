import ApiStore
import Domain
import Time

extension TaskActions {
    /// A28, C-4: many at once, all or nothing.
    func completeAll(_ ids: [TaskItem.ID], closePeriod: Bool, caller: Caller) throws -> BulkCompletions {
        try write { transaction in
            let items = try transaction.items(ids, for: caller, refuse: \.reasonNotOpen)
            let done = try transaction.completions(of: items, closePeriod: closePeriod, settings: settings)
            if done.quotasSkipped == items.count {
                throw Failure.invalid(
                    "A quota is not completed; close its period instead", ["ids": "nothing but quotas"])
            }
            try transaction.record(done, caller: caller)
            return done
        }
    }
}

/// The completions of a bulk call (api 2.10), ready to be recorded in one change.
struct BulkCompletions {
    /// What completing changes; a reminder that was considered today is not among them (M-5).
    var items: [ItemChange] = []
    var recurringCount = 0
    var oneOffCount = 0
    /// Quotas that were left out.
    var quotasSkipped = 0
    /// Quota reminders of A29.
    var promptsConsidered = 0
    var promptsDid = 0
}

extension Transaction {
    /// C-1, C-2, M-5, Q-11 for each of `items`, which are open. Nothing is written.
    ///
    /// - Parameter closePeriod: quotas close their period; otherwise they are left out and counted.
    func completions(
        of items: [TaskItem], closePeriod: Bool, settings: Settings
    ) throws -> BulkCompletions {
        var result = BulkCompletions()
        for task in items {
            if task.kind == .quota, !closePeriod {
                result.quotasSkipped += 1
                continue
            }
            let prefs = try preferences(of: task.owner)
            var completed = try Domain.complete(
                task, shownTarget: nil, lastCompletedToday: try wasConsideredToday(task, prefs: prefs),
                closePeriod: closePeriod, now: now, prefs: prefs
            ).orFailure()
            guard !completed.alreadyDone else { continue }
            try settleEnrichment(from: task, &completed.task, enabled: settings.enrichmentEnabled)
            result.items.append(
                ItemChange(
                    task, completed.task,
                    completion: NewCompletion(
                        completedAt: now, targetWas: task.target, targetNext: completed.nextTarget)))
            if completed.wasRecurring { result.recurringCount += 1 } else { result.oneOffCount += 1 }
        }
        return result
    }

    /// Records the completions of a bulk call as one change.
    func record(_ done: BulkCompletions, caller: Caller) throws {
        var change = Change(
            actor: caller.id, action: .bulkDone, description: Descriptions.completed(done.items.map(\.after)),
            items: done.items)
        change.statistic = (.completions, done.items.count)
        try record(change)
    }

    /// M-5: asked of reminders only, so that a thousand tasks cost no thousand queries.
    private func wasConsideredToday(_ task: TaskItem, prefs: Preferences) throws -> Bool {
        guard task.kind == .reminder, let last = try lastCompletion(of: task.id) else { return false }
        return prefs.zone.date(last.completedAt) == prefs.zone.date(now)
    }
}
