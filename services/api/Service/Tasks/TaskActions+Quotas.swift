import ApiStore
import Domain
import Time

extension TaskActions {
    /// A22, Q-4.
    func logProgress(
        _ id: TaskItem.ID, delta: Int, version: Int? = nil, caller: Caller
    ) throws -> Progressed {
        try write { transaction in
            let quota = try transaction.item(id, for: caller, version: version)
            let prefs = try transaction.preferences(of: quota.owner)
            var progressed = try Domain.logProgress(delta, on: quota, now: transaction.now, prefs: prefs)
                .orFailure()
            var change = Change(
                actor: caller.id, action: .progress, description: loggedText(progressed.quota),
                items: [ItemChange(quota, progressed.quota)])
            change.isAlwaysEntered = true
            progressed.quota = try transaction.record(change)[0]
            return progressed
        }
    }

    /// A36 to A38: acts on the caller's quota reminders, all of them or none.
    ///
    /// - Returns: the quotas that the keys name, as they are now.
    func act(on prompts: [PromptAction], caller: Caller) throws -> [TaskItem] {
        try write { transaction in
            let items = try transaction.promptChanges(prompts, field: "keys", caller: caller)
            var change = Change(
                actor: caller.id, action: .quotaPrompt,
                description: Descriptions.prompts(prompts, on: items.map(\.after)), items: items)
            change.isAlwaysEntered = true
            return try transaction.record(change)
        }
    }

    /// A29: what a checklist has checked, tasks and quota reminders alike, in one entry.
    func completeChecked(
        _ ids: [TaskItem.ID], prompts: [PromptAction], closePeriod: Bool, caller: Caller
    ) throws -> BulkCompletions {
        try write { transaction in
            let items = try transaction.items(ids, for: caller, refuse: \.reasonNotOpen)
            var done = try transaction.completions(of: items, closePeriod: closePeriod, settings: settings)
            if prompts.isEmpty, done.quotasSkipped == items.count {
                throw Failure.invalid(
                    "A quota is not completed; close its period instead", ["ids": "nothing but quotas"])
            }
            let all = try transaction.promptChanges(
                prompts, field: "prompts", onto: done.items, caller: caller)
            var change = Change(
                actor: caller.id, action: .bulkDone,
                description: Descriptions.checked(done.items.map(\.after), prompts, on: all.map(\.after)),
                items: all)
            change.statistic = (.completions, done.items.count)
            change.isAlwaysEntered = !prompts.isEmpty
            try transaction.record(change)
            done.promptsConsidered = prompts.count { $0.act == .consider }
            done.promptsDid = prompts.count { $0.act == .did }
            return done
        }
    }
}

/// What is to be done to a quota reminder.
struct PromptAction: Hashable {
    /// As it was sent; nobody has looked whether it names anything.
    var key: String
    var act: QuotaPromptAct
}

extension Transaction {
    /// Q-22: what acting on quota reminders changes. All keys are checked before anything is written, and nothing is
    /// recorded here.
    ///
    /// - Parameters:
    ///   - field: the member of the body that lists the keys.
    ///   - changes: of the same call; a quota among them is acted on as they leave it.
    /// - Returns: `changes`, and one for each further quota that a key names, whether it changes or not.
    func promptChanges(
        _ actions: [PromptAction], field: String, onto changes: [ItemChange] = [], caller: Caller
    ) throws -> [ItemChange] {
        let keys = actions.map { QuotaPromptKey($0.key) }
        let quotas = try tasks(Array(Set(keys.compactMap { $0?.task })), visibleTo: caller.id)
        let prefs = caller.user.preferences
        var details: [String: String] = [:]
        for (index, key) in keys.enumerated() {
            let reason =
                key.map {
                    refusal(of: $0, on: quotas[$0.task], caller: caller.id, now: now, prefs: prefs)?.message
                } ?? "not the key of a quota reminder"
            if let reason { details["\(field).\(index)"] = reason }
        }
        guard details.isEmpty else {
            throw Failure.invalid(
                "\(details.count) of \(keys.count) quota reminders cannot be acted on; nothing was changed",
                details)
        }
        var result = changes
        var places = Dictionary(
            changes.enumerated().map { ($1.after.id, $0) }, uniquingKeysWith: { first, _ in first })
        for (key, action) in zip(keys, actions) {
            guard let key, let quota = quotas[key.task] else { continue }  // checked above
            if places[key.task] == nil {
                let present = try closingEndedPeriods(of: quota)
                places[key.task] = result.count
                result.append(ItemChange(present, present))
            }
            guard let place = places[key.task] else { continue }
            result[place].after = acting(action.act, on: key, of: result[place].after, now: now, prefs: prefs)
        }
        return result
    }
}

extension Descriptions {
    /// A single quota is named, more are counted.
    static func prompts(_ prompts: [PromptAction], on quotas: [TaskItem]) -> String {
        let did = prompts.contains { $0.act == .did }
        if quotas.count == 1 {
            if did { return loggedText(quotas[0]) }
            let title = quoted(quotas[0].title)
            return prompts.first?.act == .putBack ? "Put back \(title)" : "Considered \(title)"
        }
        if did { return "Logged on \(quotas.count) quotas" }
        let count = "\(quotas.count) quotas"
        return prompts.first?.act == .putBack ? "Put back \(count)" : "Considered \(count)"
    }

    /// A29.
    static func checked(
        _ completed: [TaskItem], _ prompts: [PromptAction], on all: [TaskItem]
    ) -> String {
        if prompts.isEmpty { return self.completed(completed) }
        if completed.isEmpty { return self.prompts(prompts, on: all) }
        let isConsidered =
            completed.allSatisfy { $0.kind == .reminder } && prompts.allSatisfy { $0.act == .consider }
        return "\(isConsidered ? "Considered" : "Completed") \(completed.count + prompts.count) items"
    }
}
