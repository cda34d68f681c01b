import ApiStore
import Domain

extension TaskActions {
    /// M-15, "Complete all" of a period: all that waits in it now is considered, nothing is logged.
    ///
    /// - Returns: how many reminders and quota reminders were considered.
    func considerAll(in id: Period.ID, caller: Caller) throws -> (reminders: Int, prompts: Int) {
        try write { transaction in
            let prefs = caller.user.preferences
            let periods = try transaction.periods(of: caller.id)
            let items = try transaction.dayItems(of: caller.id, now: transaction.now, zone: caller.zone)
            let day = ReminderDay(of: items, periods: periods, now: transaction.now, prefs: prefs)
            guard let group = day[id], let period = group.period else { throw Failure.notFound("Period") }
            let reminders = try transaction.completions(
                of: group.waiting, closePeriod: false, settings: settings)
            let prompts = group.waitingPrompts.compactMap { prompt -> ItemChange? in
                guard let quota = items.first(where: { $0.id == prompt.task }) else { return nil }
                return ItemChange(
                    quota,
                    acting(.consider, on: prompt.key, of: quota, now: transaction.now, prefs: prefs))
            }
            var change = Change(
                actor: caller.id, action: .bulkDone,
                description: Descriptions.considered(reminders.items.count + prompts.count, in: period),
                items: reminders.items + prompts)
            change.statistic = (.completions, reminders.items.count)
            try transaction.record(change)
            return (reminders.items.count, prompts.count)
        }
    }
}
