import ApiStore
import Domain
import Interfaces
import Sockets
import Time
public import Varlink

/// `org.opentask.clock`: hands the scheduler its facts and stores its decisions.
///
/// 1. A decision is stored only if the task is still what it was decided from: same version, same target, same look
///    . What changed meanwhile is refused and decided afresh.
/// 2. Mark, message and next look are one transaction: whoever dies where, a point is told once (N-5, A-8).
/// 3. The content of a message is made here, from the task as it is at the commit.
public struct ClockMethods: Sendable {
    let store: Store
    let clock: any Clock
    let commits: Commits
    private let retention: Retention

    public init(_ parts: Parts) {
        store = parts.store
        clock = parts.clock
        commits = parts.commits
        retention = parts.settings.retention
    }

    public func register(on router: inout VarlinkRouter) {
        router.stream(ClockInterface.Watch.self) { _, _, replies in try watch(replies) }
        router.handle(ClockInterface.GetDue.self) { parameters, _ in try due(parameters) }
        router.handle(ClockInterface.Report.self) { parameters, _ in try report(parameters) }
        router.handle(ClockInterface.Housekeep.self) { _, _ in try housekeep() }
        router.handle(ClockInterface.Purge.self) { _, _ in
            try purge()
            return VarlinkEmpty()
        }
    }

    /// C-12: a transaction for each kind.
    private func purge() throws {
        let retention = retention
        let kinds: [(Transaction) throws -> Void] = [
            { try $0.purge() }, { try $0.purgeTrash(retention) }, { try $0.purgeUndo(retention) },
            { try $0.purgeCompletions(retention) }, { try $0.purgeRecords(retention) },
        ]
        for kind in kinds { try store.write(at: clock, kind) }
        commits.raise()
    }

    private func watch(_ replies: VarlinkReplies<ClockInterface.Watch.Reply>) throws {
        let changed = try WakeEvent()
        let follower = commits.follow { changed.signal() }
        defer { commits.unfollow(follower) }
        var told: Int64??
        while true {
            changed.clear()
            let next = try store.read { snapshot in
                [try snapshot.earliestLook(), try snapshot.earliestTestTrash()].compactMap(\.self).min()?
                    .seconds
            }
            // What is due is told again at each commit: the scheduler may have looked between two of them.
            if told != .some(next) || next.map({ $0 <= clock.now().seconds }) == true {
                try replies.send(.init(next: next))
                told = .some(next)
            }
            if replies.wait(for: changed) == .hungUp { return }
        }
    }

    private func due(_ parameters: ClockInterface.GetDue.Parameters) throws -> ClockInterface.GetDue.Reply {
        let now = Instant(seconds: parameters.now)
        return try store.read { snapshot in
            var people: [ClockInterface.Person] = []
            var preferences: Preferences?
            for (task, look) in try snapshot.dueLooks(now: now, limit: min(max(parameters.limit, 1), 1000)) {
                if people.last?.user != task.owner.rawValue {
                    guard let user = try snapshot.user(task.owner) else { continue }
                    preferences = user.preferences
                    people.append(
                        .init(
                            user: task.owner.rawValue, timezone: user.preferences.zone.name,
                            notificationsEnabled: user.preferences.notificationsEnabled,
                            criticalAlertVolume: user.preferences.criticalAlertVolume, facts: []))
                }
                guard let preferences, let target = task.target else { continue }
                people[people.count - 1].facts.append(
                    .init(
                        id: task.id.rawValue, version: task.version, title: task.title,
                        priority: task.priority.rawValue, dueAt: target.seconds,
                        deadlineAt: task.deadline?.seconds,
                        intervalMinutes: repeatInterval(of: task, prefs: preferences), lookAt: look.seconds))
            }
            return .init(people: people)
        }
    }

    private func report(_ parameters: ClockInterface.Report.Parameters) throws -> ClockInterface.Report.Reply
    {
        var refused: [Int64] = []
        for check in parameters.checks {
            refused += try store.write(at: clock) { try store(check, in: $0) }
        }
        commits.raise()
        return .init(refused: refused)
    }

    /// Notes why a task over target, whose look has come, is not told (A99).
    private func note(
        _ task: TaskItem, _ decision: ClockInterface.Decision, at seconds: Int64, _ prefs: Preferences,
        in transaction: Transaction
    ) throws {
        let look = Instant(seconds: decision.lookAt)
        guard let fact = OverTargetFact(task, lookAt: look, prefs: prefs) else { return }
        if fact.interval == 0 {
            try transaction.note(
                .held, .overTarget, because: "its interval is 0", task: task.id, of: task.owner)
        } else if duePoint(of: fact, now: Instant(seconds: seconds)) == nil {
            try transaction.note(
                .dropped, .overTarget, because: "its time passed while the server was down", task: task.id,
                of: task.owner)
        } else {
            try transaction.note(
                .held, .overTarget, because: "notifications are off", task: task.id, of: task.owner)
        }
    }

    private func housekeep() throws -> ClockInterface.Housekeep.Reply {
        .init(done: try removeTestTasks() + rollOver())
    }

    /// Quotas of a transaction: other writers get their turn between.
    private static let rolloverPart = 100

    /// closes the periods that have ended. A call that is stopped has closed a part of them; the next finds the rest.
    private func rollOver() throws -> Int {
        var closed = 0
        // Asked first, because most calls have nothing to close and should wait for nobody.
        while let end = try store.read({ try $0.earliestPeriodEnd() }), end <= clock.now() {
            let part = try store.write(at: clock) { try $0.rollOverDue(limit: Self.rolloverPart) }
            if part == 0 { break }
            closed += part
            commits.raise()
        }
        return closed
    }

    /// N-45: an hour later the tasks of test notifications go to the trash, whatever became of them meanwhile.
    private func removeTestTasks() throws -> Int {
        let done = try store.write(at: clock) { transaction in
            let due = try transaction.takeDueTestTasks()
            for task in due {
                guard case .success(let after) = trash(task, now: transaction.now) else { continue }
                var change = Change(
                    actor: task.owner, action: .delete, description: Descriptions.deleted(task),
                    items: [ItemChange(task, after)])
                change.isUndoable = false
                try transaction.record(change)
            }
            return due.count
        }
        if done > 0 { commits.raise() }
        return done
    }

    private func store(_ check: ClockInterface.Check, in transaction: Transaction) throws -> [Int64] {
        let user = UserID(rawValue: check.user)
        // One account that is gone must not keep the others' decisions from being stored.
        guard let prefs = try transaction.user(user)?.preferences else { return check.decisions.map(\.id) }
        let now = transaction.now
        let overTarget = try transaction.tasksOverTarget(of: user, now: now)
        let totals = OverTargetTotals(
            overTarget: overTarget.count, sweepWouldMove: sweepCount(overTarget, now: now))
        var refused: [Int64] = []
        var summarized = 0
        var isTold = false
        for decision in check.decisions {
            let id = TaskItem.ID(rawValue: decision.id)
            guard let task = try transaction.task(id), task.owner == user, task.version == decision.version,
                task.target?.seconds == decision.dueAt,
                try transaction.look(at: id)?.seconds == decision.lookAt
            else {
                refused.append(decision.id)
                continue
            }
            try transaction.setLook(at: id, decision.nextLook.map(Instant.init(seconds:)))
            guard let target = task.target, task.isOverTarget(at: now) else { continue }
            guard let point = decision.point, prefs.notificationsEnabled else {
                try note(task, decision, at: check.at, prefs, in: transaction)
                continue
            }
            guard try transaction.markNotified(id, target: target, point: point) else { continue }
            if decision.isSummarized {
                summarized += 1
                try transaction.note(
                    .merged, .overTarget, because: "one of several in a summary", task: id, of: user)
            } else if let fact = OverTargetFact(task, lookAt: now, prefs: prefs) {
                var alert = Alert.overTarget(fact, totals: totals, now: now, prefs: prefs)
                alert.badge = totals.overTarget
                let reason = point == 0 ? "the target has come" : "still over target"
                try transaction.notify(user, alert, .overTarget, because: reason, about: id)
                isTold = true
            }
        }
        if summarized > 0, try transaction.mark("summary/\(user.rawValue)/\(check.at / 60)") {
            let alert = Alert.overTargetSummary(count: summarized, totals: totals)
            try transaction.notify(
                user, alert, .summary, because: "\(summarized) more over target", about: nil)
        }
        // N-52: an alert of the same minute carries the number; without one, a badge message does.
        if isTold { try transaction.badgeWasTold(totals.overTarget, to: user) }
        try transaction.syncBadge(of: user)
        // T-5: pages show it as over target from now on.
        if refused.count < check.decisions.count { try transaction.addEvent(.sync, for: user) }
        return refused
    }
}
