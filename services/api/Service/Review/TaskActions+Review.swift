import ApiStore
import Domain
import Time

/// One step of a review (A70).
struct ReviewAction: Sendable {
    enum Kind: Sendable, Equatable {
        case done
        case skip
        case snooze(Instant)

        var word: String {
            switch self {
            case .done: "done"
            case .skip: "skip"
            case .snooze: "snooze"
            }
        }
    }

    var kind: Kind
    /// Places in what the session showed, from 0, each once, in order.
    var places: [Int]
}

/// What a step came to.
struct ReviewResult: Sendable {
    var kind: ReviewAction.Kind
    /// The tasks that it changed; of `skip`, those that were left for later.
    var tasks: [TaskItem.ID]
}

extension TaskActions {
    /// A69: what is over target and what is due within 24 hours, with the numbers that they have from now on.
    func review(
        in sessions: ReviewSessions, caller: Caller
    ) throws -> (session: ReviewSessions.Session, overTarget: [TaskItem], today: [TaskItem]) {
        let now = clock.now()
        let tasks = try store.read {
            try $0.tasks(
                of: caller.id, dueThrough: now.adding(seconds: 86_400), limit: ReviewSessions.taskLimit)
        }
        let session = sessions.open(
            tasks.map { .init(task: $0.id, target: $0.target) }, for: caller.id, now: now)
        let overTarget = tasks.filter { $0.isOverTarget(at: now) }
        return (session, overTarget, Array(tasks.dropFirst(overTarget.count)))
    }

    /// A70: each step a bulk action with an undo entry of its own, all of them in one transaction.
    func execute(
        _ steps: [ReviewAction], session: ReviewSessions.Session, caller: Caller
    ) throws -> [ReviewResult] {
        try write { transaction in
            var shown = Dictionary(
                session.shown.map { ($0.task, $0.target) }, uniquingKeysWith: { first, _ in first })
            return try steps.map { step in
                let ids = step.places.map { session.shown[$0].task }
                let after: [TaskItem]
                switch step.kind {
                case .skip: return ReviewResult(kind: step.kind, tasks: ids)
                case .done:
                    let tasks = try transaction.standing(ids, shown, caller)
                    let done = try transaction.completions(of: tasks, closePeriod: false, settings: settings)
                    try transaction.record(done, caller: caller)
                    after = done.items.map(\.after)
                case .snooze(let until):
                    let tasks = try transaction.standing(ids, shown, caller)
                    let snoozed = Domain.bulkSnooze(
                        tasks, included: Set(ids), .until(until), now: transaction.now)
                    try transaction.record(snoozed.moved, by: .until(until), caller: caller)
                    after = snoozed.moved.map(\.after)
                }
                for task in after { shown[task.id] = task.target }
                return ReviewResult(kind: step.kind, tasks: after.map(\.id))
            }
        }
    }
}

extension Transaction {
    /// The tasks that are still as they were shown: open, and a recurring one at the same occurrence (C-3). What was
    /// done, thrown away or advanced meanwhile is left out, and the rest goes on, as in a sweep (S-10).
    fileprivate func standing(
        _ ids: [TaskItem.ID], _ shown: [TaskItem.ID: Instant?], _ caller: Caller
    ) throws -> [TaskItem] {
        let present = try tasks(ids, visibleTo: caller.id)
        return ids.compactMap { present[$0] }.filter { task in
            task.isOpen && task.kind == .task && (!task.isRecurring || task.target == shown[task.id] ?? nil)
        }
    }
}
