// M-2: where a reminder belongs.

public import Time

/// M-2: the period with the latest start at or before the reminder's time of day; nil: Anytime.
public func period(of reminder: TaskItem, periods: [Period], zone: Zone) -> Period? {
    guard let time = reminder.anchorTime ?? reminder.target.map({ zone.local($0).time }) else { return nil }
    return periods.filter { $0.start <= time }.max { $0.start < $1.start }
}
