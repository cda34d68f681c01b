// T-9, N-10 to N-13: when a task notifies.

public import Time

/// T-9: minutes between two notifications of a task over target; 0 = none.
public func repeatInterval(of task: TaskItem, prefs: Preferences) -> Int {
    if let own = task.repeatInterval { return own }
    switch task.priority {
    case .unset: return prefs.repeatIntervalUnset
    case .low: return prefs.repeatIntervalLow
    case .medium: return prefs.repeatIntervalMedium
    case .high: return prefs.repeatIntervalHigh
    case .urgent: return prefs.repeatIntervalUrgent
    }
}

/// N-10, t0: the target rounded up to a whole minute.
public func firstPoint(target: Instant) -> Instant {
    let rest = target.seconds % 60
    if rest == 0 { return target }
    return target.adding(seconds: rest > 0 ? 60 - rest : -rest)
}

/// N-10: the number n of the latest point t0 + n·interval at or before `now`; nil before t0 and with interval 0.
public func pointIndex(target: Instant, interval: Int, now: Instant) -> Int? {
    let elapsed = now.seconds(since: firstPoint(target: target))
    guard interval > 0, elapsed >= 0 else { return nil }
    return Int(elapsed / (Int64(interval) * 60))
}

/// N-10: the earliest point strictly after `after`; nil with interval 0.
public func nextPoint(target: Instant, interval: Int, after: Instant) -> Instant? {
    guard interval > 0 else { return nil }
    let first = firstPoint(target: target)
    guard let index = pointIndex(target: target, interval: interval, now: after) else { return first }
    return first.adding(seconds: Int64(index + 1) * Int64(interval) * 60)
}

/// When the scheduler must look at a task next: at its first point, where the badge changes too (N-52), then at the
/// next point of its grid (N-10, N-12, U-8); nil: never.
public func nextLook(at task: TaskItem, now: Instant, prefs: Preferences) -> Instant? {
    guard task.isOpen, task.kind == .task, let target = task.target else { return nil }
    let first = firstPoint(target: target)
    if first > now { return first }
    return nextPoint(target: target, interval: repeatInterval(of: task, prefs: prefs), after: now)
}
