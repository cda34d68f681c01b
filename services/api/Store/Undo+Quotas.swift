import Domain
import Time

// Q-27, U-9: what an entry means for a quota once its period is another, and the rows of what was logged.

extension UndoSnapshot {
    /// What belongs to the period in which the action was.
    private static let periodFields: [TaskField] = [
        .progressCurrent, .progressPeriodStart, .quotaDayState,
    ]

    /// Whether the quota is in another period than the action left it in (undo) or found it in (redo).
    func isAcrossBoundary(of present: TaskItem, forward: Bool) -> Bool {
        guard present.kind == .quota, let periodStart else { return false }
        guard forward, let found = before[.progressPeriodStart] else {
            return present.progressPeriodStart != periodStart
        }
        return present[.progressPeriodStart] != found
    }

    /// Count, day record, completion and progress stay as they are; what else the action changed is given back.
    mutating func leavePeriodAlone() {
        var fields = Self.periodFields
        if completion != nil { fields += [.completionCount, .firstCompletedAt, .lastCompletedAt] }
        for field in fields {
            before[field] = nil
            after[field] = nil
        }
        completion = nil
        completionID = nil
        progress = nil
    }

    var isEmpty: Bool { before.isEmpty && after.isEmpty }
}

extension Transaction {
    /// The row of what was logged goes with undo and comes again with redo. Where others have logged meanwhile and the
    /// count could not follow all the way (it stops at 0), the difference is logged too: rows and count agree.
    func giveProgressBack(
        _ snapshot: UndoSnapshot, _ item: inout ItemChange, forward: Bool, by actor: UserID
    ) {
        item.progress = []
        guard let row = snapshot.progress else { return }
        if forward { item.progress = [row] } else { item.removesProgress = row.id }
        guard let before = item.before, before.kind == .quota, item.after.kind == .quota,
            snapshot.completion == nil
        else { return }
        let moved = item.after.progressCurrent - before.progressCurrent
        let missing = moved - (forward ? row.delta : -row.delta)
        if missing != 0 {
            item.progress = (item.progress ?? []) + [ProgressRow(user: actor, delta: missing, at: now)]
        }
    }
}
