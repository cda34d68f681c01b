import ApiStore
import Domain
import Time

/// What skipping answers besides the item (A23).
struct SkipAnswer {
    var task: TaskItem
    var wasRecurring: Bool
    var description = ""
    var isStale = false
}

extension TaskActions {
    /// A23, C-6. `shownTarget`: as C-3; a target that is another one now skips nothing.
    func skip(
        _ id: TaskItem.ID, shownTarget: Instant?, version: Int?, caller: Caller
    ) throws -> SkipAnswer {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: task.owner)
            var skipped = try Domain.skip(task, now: transaction.now, prefs: prefs).orFailure()
            var answer = SkipAnswer(task: task, wasRecurring: task.isRecurring)
            if let shownTarget, shownTarget != task.target {
                answer.isStale = true
                return answer
            }
            try transaction.settleEnrichment(from: task, &skipped, enabled: settings.enrichmentEnabled)
            answer.description = Descriptions.skipped(task)
            answer.task = try transaction.record(
                Change(
                    actor: caller.id, action: .skip, description: answer.description,
                    items: [ItemChange(task, skipped)]))[0]
            return answer
        }
    }

    /// A24, L-4: what the server proposed is the person's own from now on.
    func confirm(_ id: TaskItem.ID, version: Int?, caller: Caller) throws -> TaskItem {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            guard task.deletedAt == nil else { throw Failure.invalid("The task is in the trash") }
            var confirmed = task
            confirmed.labels = confirmedLabels(task.labels)
            return try transaction.record(
                Change(
                    actor: caller.id, action: .edit, description: Descriptions.confirmed(task),
                    items: [ItemChange(task, confirmed)]))[0]
        }
    }

    /// A27: reads the text again, from the first attempt on (enrich 1.5).
    func reprocess(_ id: TaskItem.ID, version: Int?, caller: Caller) throws -> TaskItem {
        try write { transaction in
            let task = try transaction.item(id, for: caller, version: version)
            guard task.deletedAt == nil else { throw Failure.invalid("The task is in the trash") }
            guard task.isOpen else { throw Failure.invalid("The task is already done") }
            guard task.labels.contains(SystemLabel.failed), !task.isLocked else {
                throw Failure.invalid("Only a task whose text could not be read is read again")
            }
            let text = task.originalTitle ?? task.title
            guard text.utf8.count <= Transaction.longestText else {
                throw Failure.invalid("The text is longer than \(Transaction.longestText) bytes")
            }
            var waiting = task
            waiting.labels.removeAll { $0 == SystemLabel.failed || $0 == SystemLabel.toProcess }
            waiting.labels.append(SystemLabel.toProcess)
            try transaction.addJob(task: task.id, user: task.owner, text: text, isRerun: true)
            return try transaction.record(
                Change(
                    actor: caller.id, action: .edit, description: Descriptions.readAgain(task),
                    items: [ItemChange(task, waiting)]))[0]
        }
    }
}
