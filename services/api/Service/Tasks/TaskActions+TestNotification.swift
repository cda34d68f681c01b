import ApiStore
import Domain
import Time

extension TaskActions {
    /// A80, N-45: a real task, told by every channel a little later. The switch of N-2 does not keep it back: it is asked
    /// for to see whether anything arrives.
    func testNotification(_ test: TestNotification, caller: Caller) throws -> TaskItem {
        try write { transaction in
            guard try transaction.hasRoomForItem(of: caller.id) else { throw Failure.tooManyItems }
            let prefs = caller.user.preferences
            let now = transaction.now
            let task = try Domain.create(
                test.draft(in: try transaction.inbox(of: caller.id), now: now),
                id: try transaction.newTaskID(), owner: caller.id, periods: [], defaultPeriod: nil, now: now,
                prefs: prefs
            ).orFailure()
            let made = try transaction.record(
                Change(
                    actor: caller.id, action: .create, description: Descriptions.created(task),
                    items: [ItemChange(nil, task)]))[0]
            try transaction.addTestTask(made.id, user: caller.id)
            try transaction.addEvent(.taskCreated(made.id, title: made.title), for: caller.id)
            let overTarget = try transaction.overTargetCount(of: caller.id, now: now)
            if let alert = test.alert(of: made, overTarget: overTarget, now: now, prefs: prefs) {
                try transaction.notify(
                    caller.id, alert, .test, because: "asked for", about: made.id,
                    notBefore: now.adding(seconds: TestNotification.delay))
            }
            return made
        }
    }
}
