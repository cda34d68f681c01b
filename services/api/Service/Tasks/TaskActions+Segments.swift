import ApiStore
import Domain

extension TaskActions {
    /// A40, A41: some rows of segments.
    ///
    /// - Returns: how many changed, and all of them as they are now.
    func act(
        _ action: SegmentAction, on ids: [TaskItem.ID], caller: Caller
    ) throws -> (changed: Int, tasks: [TaskItem]) {
        try write { transaction in
            let tasks = try transaction.segmentMembers(ids, caller)
            return try transaction.act(action, on: tasks, caller: caller) {
                Descriptions.acted(action, on: $0)
            }
        }
    }

    /// G-6, "Defer all": every waiting row of a segment.
    func deferAll(
        in segment: TaskItem.Horizon, caller: Caller
    ) throws -> (changed: Int, tasks: [TaskItem]) {
        try write { transaction in
            let waiting = try transaction.segmentTasks(of: caller.id).filter {
                $0.segment == segment
                    && $0.isWaitingInSegment(now: transaction.now, prefs: caller.user.preferences)
            }
            return try transaction.act(.defer, on: waiting, caller: caller) {
                Descriptions.deferredAll($0.count, in: segment)
            }
        }
    }

    /// A42.
    func targetToday(_ id: TaskItem.ID, version: Int?, caller: Caller) throws -> TaskItem {
        try write { transaction in
            if let version { _ = try transaction.item(id, for: caller, version: version) }
            let task = try transaction.segmentMembers([id], caller)[0]
            var after = try Domain.targetToday(
                task, periods: try transaction.periods(of: caller.id), now: transaction.now,
                prefs: caller.user.preferences
            ).orFailure()
            try transaction.settleEnrichment(from: task, &after, enabled: settings.enrichmentEnabled)
            return try transaction.record(
                Change(
                    actor: caller.id, action: .edit,
                    description: Descriptions.edited(task, after, now: transaction.now, zone: caller.zone),
                    items: [ItemChange(task, after)]))[0]
        }
    }
}

extension Transaction {
    /// The caller's own tasks in segments, each once, in the order asked for (1.13: never shared ones of others).
    fileprivate func segmentMembers(_ ids: [TaskItem.ID], _ caller: Caller) throws -> [TaskItem] {
        var seen: Set<TaskItem.ID> = []
        var tasks: [TaskItem] = []
        var strangers: [TaskItem.ID] = []
        for id in ids where seen.insert(id).inserted {
            if let task = try task(id), task.owner == caller.id, task.segment != nil {
                tasks.append(task)
            } else {
                strangers.append(id)
            }
        }
        guard strangers.isEmpty else {
            let names = strangers.map { String($0.rawValue) }.joined(separator: ", ")
            throw Failure.invalid("In no segment: \(names)", ["task_ids": "in no segment: \(names)"])
        }
        return tasks
    }

    fileprivate func act(
        _ action: SegmentAction, on tasks: [TaskItem], caller: Caller, _ description: ([TaskItem]) -> String
    ) throws -> (changed: Int, tasks: [TaskItem]) {
        let items = try tasks.map { task in
            ItemChange(
                task,
                try Domain.act(action, on: task, now: now, prefs: caller.user.preferences).orFailure())
        }
        let changed = items.filter { $0.before != $0.after }.map(\.after)
        guard !changed.isEmpty else { return (0, tasks) }
        let recorded = try record(
            Change(actor: caller.id, action: .bulkEdit, description: description(changed), items: items))
        return (changed.count, recorded)
    }
}
