// G-5 to G-8: what a person does with a row of a segment.

public import Time

/// What a row of a segment can be told.
public enum SegmentAction: Sendable {
    /// G-5.
    case consider
    /// G-6.
    case `defer`
    /// G-8.
    case putBack
}

/// G-5, G-6, G-8: the task afterwards; as it was when there was nothing to do.
///
/// - Parameter prefs: the owner's.
public func act(
    _ action: SegmentAction, on task: TaskItem, now: Instant, prefs: Preferences
) -> Result<TaskItem, Refusal> {
    guard task.segment != nil else { return .failure(.notInSegment) }
    let today = prefs.zone.date(now)
    let isConsidered = task.isConsideredInSegment(now: now, prefs: prefs)
    var after = task
    switch action {
    case .consider: if !isConsidered { after.segmentConsideredOn = today }
    case .defer: if !isConsidered { after.segmentDeferredOn = today }
    case .putBack:
        if isConsidered { after.segmentConsideredOn = nil }
        if task.isDeferred(now: now, prefs: prefs) { after.segmentDeferredOn = nil }
    }
    return .success(after)
}

/// G-7: a first date today (T-8): the next period that starts today, else in an hour, else the last minute of the day.
///
/// - Parameters:
///   - periods: the owner's.
///   - prefs: his.
public func targetToday(
    _ task: TaskItem, periods: [Period], now: Instant, prefs: Preferences
) -> Result<TaskItem, Refusal> {
    guard task.segment != nil else { return .failure(.notInSegment) }
    let zone = prefs.zone
    let today = zone.date(now)
    let lastMinute = zone.instant(today, LocalTime(hour: 23, minute: 59) ?? .midnight)
    let candidates = [nextPeriod(after: now, periods: periods, prefs: prefs), inHours(now, 1, zone: zone)]
    var after = task
    after.setFirstTarget(candidates.first { zone.date($0) == today } ?? lastMinute)
    return .success(after)
}

extension Refusal {
    /// G-3.
    static let notInSegment = Refusal("The task is in no segment")
}
