// U-4, U-5: surgical restoration.

/// What undo or redo made of one row.
public struct Restoration: Hashable, Sendable {
    public var task: TaskItem
    /// U-4: fields that somebody else, or the system, has changed since, and that were left alone.
    public var skipped: [TaskField]
}

/// U-4: gives each field what it is wanted to have, if it still has what the action left. Counters move by difference
/// (U-5). Redo is the same with `left` and `wanted` swapped.
///
/// A deadline left without a target is the caller's to mend with `withTargetForDeadline` (D-4).
public func restoring(
    _ task: TaskItem, from left: [TaskField: FieldValue], to wanted: [TaskField: FieldValue]
) -> Restoration {
    var result = Restoration(task: task, skipped: [])
    for field in TaskField.allCases {
        guard let leftValue = left[field], let wantedValue = wanted[field], leftValue != wantedValue else {
            continue
        }
        if field.isCounter {
            let difference = (wantedValue.int ?? 0) - (leftValue.int ?? 0)
            result.task[field] = .int(max(0, (task[field].int ?? 0) + difference))
        } else if field == .quotaDayState {
            result.task[field] = restoringDay(task[field], from: leftValue, to: wantedValue)
        } else if task[field] == leftValue {
            result.task[field] = wantedValue
        } else if task[field] != wantedValue {
            result.skipped.append(field)
        }
    }
    return result
}
