import ApiStore
import Domain
import Time

/// What people do with items: the one place that routes, notification buttons and the command end in. Each action is
/// one transaction: load, check what the caller had seen, ask the rule, record.
struct TaskActions: Sendable {
    let store: Store
    let clock: any Clock
    let commits: Commits
    let settings: Settings

    /// Runs a change and tells the followers of the store afterwards.
    func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        // Looked up here: the change may run on another waiting thread.
        let key = Repetitions.current
        let value = try store.write(at: clock) { transaction in
            if let key, try !transaction.take(key) { throw Repetitions.Repeated() }
            return try body(transaction)
        }
        commits.raise()
        return value
    }

    // Creating

    /// A15. `enrich` nil: by the rule of A15, a title alone is enriched.
    func create(_ fields: Fields, caller: Caller) throws -> TaskItem {
        let createLabels = try fields.optionalBool("create_label") ?? false
        let enrich = try fields.optionalBool("enrich")
        let proposed = try fields.optionalBool("ai_proposed") ?? false
        let added = try fields.optionalBool("ai_added") ?? false
        return try write { transaction in
            guard try transaction.hasRoomForItem(of: caller.id) else { throw Failure.tooManyItems }
            var draft = try fields.draft(inbox: try transaction.inbox(of: caller.id), zone: caller.zone)
            _ = try transaction.visibleProject(draft.project, to: caller)
            draft.labels = try transaction.checkedLabels(
                draft.labels, known: [], create: createLabels, owner: caller.id)
            try transaction.checkPromptPeriods(draft.quotaPromptConfig, stored: nil, owner: caller.id)
            // Put on by hand, the label asks for what `enrich: true` asks for (enrich 1.1).
            let isAsked = enrich == true || draft.labels.contains(SystemLabel.toProcess)
            draft.labels.removeAll { $0 == SystemLabel.toProcess }
            let hasMore =
                draft.target != nil || draft.deadline != nil || draft.priority != .unset
                || !draft.labels.isEmpty
                || (draft.rrule ?? nil) != nil && !draft.isTracked && draft.progressTarget == 1
            if proposed { draft.labels.append(SystemLabel.proposed) }
            if added { draft.labels.append(SystemLabel.added) }

            var task = try Domain.create(
                draft, id: try transaction.newTaskID(), owner: caller.id,
                periods: try transaction.periods(of: caller.id),
                defaultPeriod: caller.user.preferences.defaultPeriod, now: transaction.now,
                prefs: caller.user.preferences
            ).orFailure()
            task.originalTitle = task.title
            let isEnriched =
                try settings.enrichmentEnabled && transaction.readingPreferences(of: caller.id).isOn
                && enrich != false && (isAsked || !hasMore)
                && task.title.utf8.count <= Transaction.longestText && !task.isLocked
            if isEnriched { task.labels.append(SystemLabel.toProcess) }

            var change = Change(
                actor: caller.id, action: .create, description: Descriptions.created(task),
                items: [ItemChange(nil, task)])
            change.statistic = (.tasksCreated, 1)
            let recorded = try transaction.record(change)
            if isEnriched { try transaction.addJob(task: task.id, user: caller.id, text: task.title) }
            try transaction.addEvent(.taskCreated(task.id, title: task.title), for: caller.id)
            return recorded[0]
        }
    }

    // Editing

    /// A18: the item as it is now, and what happened to it.
    func edit(_ id: TaskItem.ID, _ fields: Fields, version: Int?, caller: Caller) throws -> EditAnswer {
        var patch = try fields.patch(zone: caller.zone)
        let createLabels = try fields.optionalBool("create_label") ?? false
        return try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            if let project = patch.project, project != task.project {
                let target = try transaction.visibleProject(project, to: caller)
                _ = try placed(taskOf: task.owner, in: target).orFailure()
            }
            if let labels = patch.labels {
                patch.labels = try transaction.checkedLabels(
                    labels, known: task.labels, create: createLabels, owner: task.owner)
            }
            try transaction.checkPromptPeriods(
                patch.quotaPromptConfig ?? nil, stored: task.quotaPromptConfig, owner: task.owner)
            let prefs = try transaction.preferences(of: task.owner)
            let edited = try Domain.edit(task, patch, now: transaction.now, prefs: prefs).orFailure()
            var after = edited.task
            try transaction.settleEnrichment(from: task, &after, enabled: settings.enrichmentEnabled)
            guard after != task else {
                return EditAnswer(task: task, stoppedAtDeadline: edited.stoppedAtDeadline)  // D-13
            }
            let description =
                edited.isSnooze && after.fields(changedFrom: task).allSatisfy(\.belongsToSnooze)
                ? Descriptions.snoozed(after, now: transaction.now, zone: caller.zone)
                : Descriptions.edited(task, after, now: transaction.now, zone: caller.zone)
            var change = Change(
                actor: caller.id, action: .edit, description: description, items: [ItemChange(task, after)])
            if edited.isSnooze, task.target != nil { change.statistic = (.snoozes, 1) }
            let recorded = try transaction.record(change)
            if edited.isSnooze, edited.stoppedAtDeadline, caller.isToken {
                try transaction.tellStoppedAtDeadline(recorded[0])
            }
            return EditAnswer(
                task: recorded[0], fields: after.fields(changedFrom: task).map(\.rawValue),
                description: description,
                stoppedAtDeadline: edited.stoppedAtDeadline,
                targetBecameAutomatic: edited.targetBecameAutomatic)
        }
    }

    // Completing

    /// A20. `shownTarget`: C-3.
    func complete(
        _ id: TaskItem.ID, shownTarget: Instant?, closePeriod: Bool = false, version: Int? = nil,
        caller: Caller
    ) throws -> Completed {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: task.owner)
            let last = try transaction.lastCompletion(of: id)
            let today = prefs.zone.date(transaction.now)
            var completed = try Domain.complete(
                task, shownTarget: shownTarget,
                lastCompletedToday: last.map { prefs.zone.date($0.completedAt) == today } ?? false,
                closePeriod: closePeriod, now: transaction.now, prefs: prefs
            ).orFailure()
            guard !completed.alreadyDone else { return completed }
            try transaction.settleEnrichment(
                from: task, &completed.task, enabled: settings.enrichmentEnabled)
            var change = Change(
                actor: caller.id, action: .done, description: Descriptions.completed(task),
                items: [
                    ItemChange(
                        task, completed.task,
                        completion: NewCompletion(
                            completedAt: transaction.now, targetWas: task.target,
                            targetNext: completed.nextTarget))
                ])
            change.statistic = (.completions, 1)
            completed.task = try transaction.record(change)[0]
            return completed
        }
    }

    /// A21.
    func uncomplete(_ id: TaskItem.ID, version: Int?, caller: Caller) throws -> TaskItem {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: task.owner)
            let last = try transaction.lastCompletion(of: id)
            let after = try Domain.uncomplete(
                task,
                last: last.map {
                    LastCompletion(
                        completedAt: $0.completedAt, targetWas: $0.targetWas, targetNext: $0.targetNext,
                        previousCompletedAt: $0.previousCompletedAt)
                }, now: transaction.now, prefs: prefs
            ).orFailure()
            var item = ItemChange(task, after)
            item.removesCompletion = last?.id
            var change = Change(
                actor: caller.id, action: .undone, description: Descriptions.reopened(task), items: [item])
            change.statistic = (.completions, -1)
            // Off the day on which it was counted (C-5).
            change.statisticDate = last.map { caller.zone.date($0.completedAt) }
            return try transaction.record(change)[0]
        }
    }

    // Snoozing

    /// A25. `shownTarget`: N-43; a target that is another one now changes nothing.
    func snooze(
        _ id: TaskItem.ID, _ request: SnoozeRequest?, shownTarget: Instant? = nil, tellStop: Bool = false,
        version: Int? = nil, caller: Caller
    ) throws -> SnoozeAnswer {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: task.owner)
            if let shownTarget, task.target != shownTarget {
                return SnoozeAnswer(before: task, task: task, isStale: true)
            }
            let snoozed = try Domain.snooze(
                task, request ?? .option(prefs.defaultSnoozeOption),
                periods: try transaction.periods(of: task.owner), now: transaction.now, prefs: prefs
            ).orFailure()
            var answer = SnoozeAnswer(before: task, task: task, stoppedAtDeadline: snoozed.stoppedAtDeadline)
            guard snoozed.task != task else { return answer }  // D-13: what has not moved leaves no trace
            if !snoozed.task.labels.contains(SystemLabel.toProcess) { try transaction.removeJob(of: id) }
            answer.description = Descriptions.snoozed(snoozed.task, now: transaction.now, zone: caller.zone)
            var change = Change(
                actor: caller.id, action: .snooze, description: answer.description ?? "",
                items: [ItemChange(task, snoozed.task)])
            if task.target != nil { change.statistic = (.snoozes, 1) }
            answer.task = try transaction.record(change)[0]
            if tellStop, snoozed.stoppedAtDeadline { try transaction.tellStoppedAtDeadline(answer.task) }
            return answer
        }
    }

    // Trash

    /// A19.
    func trash(_ id: TaskItem.ID, version: Int? = nil, caller: Caller) throws -> TaskItem {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            var after = try Domain.trash(task, now: transaction.now).orFailure()
            // Nobody reads the text any more, also not when the task comes back (enrich 1.1).
            after.labels.removeAll { $0 == SystemLabel.toProcess }
            try transaction.removeJob(of: id)
            return try transaction.record(
                Change(
                    actor: caller.id, action: .delete, description: Descriptions.deleted(task),
                    items: [ItemChange(task, after)]))[0]
        }
    }

    /// A26.
    func restore(_ id: TaskItem.ID, version: Int?, caller: Caller) throws -> TaskItem {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: task.owner)
            let after = try Domain.restore(task, now: transaction.now, prefs: prefs).orFailure()
            return try transaction.record(
                Change(
                    actor: caller.id, action: .restore, description: Descriptions.restored(task),
                    items: [ItemChange(task, after)]))[0]
        }
    }
}

/// What an edit answers besides the item (A18).
struct EditAnswer {
    var task: TaskItem
    var fields: [String] = []
    var description = ""
    var stoppedAtDeadline = false
    var targetBecameAutomatic = false
}

/// What a snooze answers besides the item (A25, A78).
struct SnoozeAnswer {
    var before: TaskItem
    var task: TaskItem
    var description: String?
    var stoppedAtDeadline = false
    var isStale = false
}

extension TaskField {
    /// Whether a snooze alone changes it.
    var belongsToSnooze: Bool {
        switch self {
        case .target, .originalTarget, .targetSource, .snoozeCount, .labels: true
        default: false
        }
    }
}
