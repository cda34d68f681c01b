import ApiStore
import Domain

extension TaskActions {
    /// A31: everything over target.
    func sweep(
        _ request: SnoozeRequest?, included: [TaskItem.ID], notify: Bool, caller: Caller
    ) throws -> (result: SweepResult, bannerSent: Bool) {
        try write { transaction in
            let prefs = caller.user.preferences
            let items = try included.map { id in
                guard let task = try transaction.task(id, visibleTo: caller.id) else {
                    throw Failure.invalid(
                        "No task \(id.rawValue)", ["include_task_ids": "\(id.rawValue) not found"])
                }
                return task
            }
            let request =
                request
                ?? .option(
                    prefs.bulkSnoozeDefault == "default_option"
                        ? prefs.defaultSnoozeOption : prefs.bulkSnoozeDefault)
            let result = try Domain.sweep(
                try transaction.tasksOverTarget(of: caller.id, now: transaction.now), included: items,
                request,
                periods: try transaction.periods(of: caller.id), now: transaction.now, prefs: prefs
            ).orFailure()
            var change = Change(
                actor: caller.id, action: .bulkSnooze, description: result.title,
                items: result.moved.map { ItemChange($0.before, $0.after) })
            change.statistic = (.snoozes, result.moved.count { $0.before.target != nil })
            try transaction.record(change)
            for (before, after) in result.moved { try transaction.leaveQueue(before, after) }
            let byToken = caller.isToken && !caller.user.isDemo
            let banner = Alert.sweepResult(
                result, byToken: byToken, notify: notify,
                overTarget: try transaction.overTargetCount(of: caller.id, now: transaction.now), prefs: prefs
            )
            if let banner {
                try transaction.notify(
                    caller.id, banner, .sweepResult, because: "some are still over target", about: nil)
            } else if let reason = whySweepResultIsHeld(
                result, byToken: byToken, notify: notify, prefs: prefs)
            {
                try transaction.note(.held, .sweepResult, because: reason, task: nil, of: caller.id)
            }
            return (result, banner != nil)
        }
    }
}
