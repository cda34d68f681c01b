import ApiStore
import Domain
import Time

/// What a change of a period came to (api 2.6).
struct PeriodAnswer {
    /// After the change; on removal, as it was.
    var period: StoredPeriod
    var remindersMoved = 0
    var quotasMoved = 0
    /// nil: there is nothing to undo.
    var undoID: Int64?
}

extension TaskActions {
    /// A44.
    func addPeriod(_ label: String, at start: LocalTime, sortOrder: Int, caller: Caller) throws
        -> StoredPeriod
    {
        let label = try validPeriodLabel(label).orFailure()
        return try write { transaction in
            let periods = try transaction.periods(of: caller.id)
            guard periods.count < Period.limits.upperBound else {
                throw Failure.invalid("There are \(periods.count) periods already, no more fit into a day")
            }
            try checkPeriodStart(start, of: nil, periods: periods).orFailure()
            let id = try transaction.addPeriod(label, at: start, sortOrder: sortOrder, of: caller.id)
            try transaction.addEvent(.sync, for: caller.id)
            return try transaction.ownPeriod(id, caller).stored
        }
    }

    /// A45. nil: left as it is.
    func editPeriod(_ id: Period.ID, label: String?, start: LocalTime?, caller: Caller) throws -> PeriodAnswer
    {
        let label = try label.map { try validPeriodLabel($0).orFailure() }
        return try write { transaction in
            let (stored, periods) = try transaction.ownPeriod(id, caller)
            var answer = PeriodAnswer(period: stored)
            answer.period.period.label = label ?? stored.period.label
            guard let start, start != stored.period.start else {
                guard answer.period != stored else { return answer }
                try transaction.rename(period: id, to: answer.period.period.label, of: caller.id)
                try transaction.addEvent(.sync, for: caller.id)
                return answer
            }
            try checkPeriodStart(start, of: id, periods: periods).orFailure()
            answer.period.period.start = start
            let moved = carried(
                by: stored.period, to: start, reminders: try transaction.unfinishedReminders(of: caller.id),
                periods: periods, zone: caller.zone)
            answer.remindersMoved = moved.count
            var change = Change(
                actor: caller.id, action: .periodEdit,
                description: Descriptions.moved(stored.period, to: start),
                items: moved.map { ItemChange($0.before, $0.after) })
            let after = answer.period.columns
            let changed = stored.columns.filter { after[$0.key] != $0.value }
            change.rows = [
                RowChange(.period, stored.key, from: changed, to: after.filter { changed[$0.key] != nil })
            ]
            try transaction.record(change)
            answer.undoID = try transaction.undoStatus(of: caller.id).latestID
            return answer
        }
    }

    /// A46.
    func removePeriod(_ id: Period.ID, caller: Caller) throws -> PeriodAnswer {
        try write { transaction in
            let (stored, periods) = try transaction.ownPeriod(id, caller)
            try checkRemoval(of: stored.period, periods: periods).orFailure()
            let remaining = periods.filter { $0.id != id }
            guard let heir = nearestPeriod(to: stored.period.start, among: remaining) else {
                throw Failure.invalid("The last period cannot be removed")
            }
            var answer = PeriodAnswer(period: stored)
            let reminders = carried(
                byRemoving: stored.period, reminders: try transaction.unfinishedReminders(of: caller.id),
                periods: periods, zone: caller.zone)
            let quotas = try transaction.itemsWithPromptConfig(of: caller.id).compactMap { item in
                QuotaPromptConfig(json: item.quotaPromptConfig).replacing(id, by: heir.id).map { config in
                    var moved = item
                    moved.quotaPromptConfig = config.json
                    return ItemChange(item, moved)
                }
            }
            answer.remindersMoved = reminders.count
            answer.quotasMoved = quotas.count
            var change = Change(
                actor: caller.id, action: .periodDelete, description: Descriptions.removed(stored.period),
                items: reminders.map { ItemChange($0.before, $0.after) } + quotas)
            change.rows = [RowChange(.period, stored.key, from: stored.columns, to: nil)]
            if caller.user.preferences.defaultPeriod == id {
                let key = "quota_prompt_slot_id"
                let text = try transaction.preference(key, of: caller.id)
                change.rows.append(
                    RowChange(
                        .preference, .text(key), from: text.map { ["value": .text($0)] },
                        to: ["value": .text("\(heir.id.rawValue)")]))
            }
            try transaction.record(change)
            // Nothing leads to what its delivered notification speaks of.
            try transaction.post(.dismiss(tasks: [], periods: [id]), to: caller.id)
            answer.undoID = try transaction.undoStatus(of: caller.id).latestID
            return answer
        }
    }
}

extension Snapshot {
    /// A period of the caller, with all of his.
    ///
    /// - Throws: 404 for another's and for none.
    fileprivate func ownPeriod(
        _ id: Period.ID, _ caller: Caller
    ) throws -> (stored: StoredPeriod, periods: [Period]) {
        let all = try storedPeriods(of: caller.id)
        guard let stored = all.first(where: { $0.period.id == id }) else { throw Failure.notFound("Period") }
        return (stored, all.map(\.period))
    }
}
