import ApiStore
import Domain
import Time

/// The body of A32.
struct BulkEditRequest: Sendable {
    var ids: [TaskItem.ID]
    /// What every item gets, but for its labels.
    var patch = TaskPatch()
    var labels: [String]?
    var labelsRemoved: [String] = []
    var labelsAdded: [String] = []
    var createLabels = false
    /// Merged over the stored one, unlike A18's; null clears it.
    var promptConfig: String??
    /// An item's own rule in place of the batch's.
    var rules: [TaskItem.ID: String?] = [:]
    var deltaMinutes: Int?
    /// The items that the date is meant for; nil: all.
    var dated: Set<TaskItem.ID>?
    var included: Set<TaskItem.ID> = []

    /// How the batch moves targets, for the words that are said about it.
    var move: BulkMove? {
        if let deltaMinutes { return .deltaMinutes(deltaMinutes) }
        return (patch.target ?? nil).map(BulkMove.until)
    }
}

extension TaskActions {
    /// A32.
    func editAll(_ request: BulkEditRequest, caller: Caller) throws -> BulkSnoozeResult {
        try write { transaction in
            let tasks = try transaction.items(request.ids, for: caller)
            try transaction.checkProject(request.patch.project, of: tasks, caller: caller)
            let items = try tasks.map { try transaction.item($0, of: request) }
            var result = try transaction.edited(items, request)
            for index in result.counts.moved.indices {
                try transaction.settleEnrichment(
                    from: result.counts.moved[index].before, &result.counts.moved[index].after,
                    enabled: settings.enrichmentEnabled)
            }
            result.counts.moved.removeAll { $0.before == $0.after }
            let moved = result.counts.moved
            var change = Change(
                actor: caller.id, action: .bulkEdit,
                description: Descriptions.edited(
                    moved, by: request.move, now: transaction.now, zone: caller.zone),
                items: moved.map { ItemChange($0.before, $0.after) })
            change.statistic = (.snoozes, result.snoozes)
            try transaction.record(change)
            return result.counts
        }
    }
}

extension Transaction {
    /// T6.
    fileprivate func checkProject(_ id: ProjectID?, of tasks: [TaskItem], caller: Caller) throws {
        guard let id else { return }
        let project = try visibleProject(id, to: caller)
        for owner in Set(tasks.filter { $0.project != id }.map(\.owner)) {
            _ = try placed(taskOf: owner, in: project).orFailure()
        }
    }

    /// One item with its own part of the request.
    fileprivate func item(_ task: TaskItem, of request: BulkEditRequest) throws -> BulkEditItem {
        var patch = request.patch
        if let rrule = request.rules[task.id] { patch.rrule = rrule }
        let wanted = editedLabels(
            request.labels ?? task.labels, removing: request.labelsRemoved, adding: request.labelsAdded)
        if wanted != task.labels {
            patch.labels = try checkedLabels(
                wanted, known: task.labels, create: request.createLabels, owner: task.owner)
        }
        if let sent = request.promptConfig {
            let merged = sent.map {
                QuotaPromptConfig(json: task.quotaPromptConfig).merging(QuotaPromptConfig(json: $0)).json
            }
            try checkPromptPeriods(merged, stored: task.quotaPromptConfig, owner: task.owner)
            patch.quotaPromptConfig = .some(merged)
        }
        let isDated = request.dated?.contains(task.id) ?? true
        if !isDated { patch.target = nil }
        return BulkEditItem(
            task: task, patch: patch, deltaMinutes: isDated ? request.deltaMinutes : nil,
            prefs: try preferences(of: task.owner))
    }

    /// - Throws: 400 that names each item that cannot take its edit.
    fileprivate func edited(_ items: [BulkEditItem], _ request: BulkEditRequest) throws -> BulkEditResult {
        var culprits = Culprits(field: "ids")
        func refuse(_ id: TaskItem.ID, _ reason: String) {
            culprits.add(id, at: request.ids.firstIndex(of: id) ?? 0, reason)
        }
        for item in items where item.patch.labels?.count ?? 0 > 50 {
            refuse(item.task.id, "would have more than 50 labels")
        }
        switch Domain.bulkEdit(items, included: request.included, now: now) {
        case .success(let result):
            try culprits.refuse()
            return result
        case .failure(let refusal):
            for (id, refusal) in refusal.culprits { refuse(id, "was refused: \(refusal.message)") }
            throw culprits.failure(reason: refusal.culprits.first?.refusal.reason)
        }
    }
}
