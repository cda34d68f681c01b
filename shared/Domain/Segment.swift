// G-1 to G-4, G-10, G-11: undated tasks that come up again on their own scale.

public import Time

extension TaskItem.Horizon {
    /// G-2: the horizons that make segments, in the order in which they are shown.
    public static let segments: [TaskItem.Horizon] = [.days, .weeks, .months]

    /// G-2: as a page names it, after "Tasks · ".
    public var label: String {
        switch self {
        case .days: "Days"
        case .weeks: "Weeks"
        case .months: "Months"
        case .someday: "Someday"
        }
    }
}

extension TaskItem {
    /// G-3: the segment that an item is a member of; nil: none.
    public var segment: Horizon? {
        guard isOpen, kind == .task, !isRecurring, target == nil, let horizon, horizon != .someday else {
            return nil
        }
        return horizon
    }

    /// G-4, G-12: whether it was considered in the present window of its segment.
    ///
    /// - Parameter prefs: the owner's.
    public func isConsideredInSegment(now: Instant, prefs: Preferences) -> Bool {
        guard let segment, let on = segmentConsideredOn else { return false }
        return window(of: segment, now: now, prefs: prefs).contains(on)
    }

    /// G-4, G-12: whether it was deferred today.
    public func isDeferred(now: Instant, prefs: Preferences) -> Bool {
        segment != nil && segmentDeferredOn == prefs.zone.date(now)
    }

    /// G-4.
    public func isWaitingInSegment(now: Instant, prefs: Preferences) -> Bool {
        segment != nil && !isConsideredInSegment(now: now, prefs: prefs)
            && !isDeferred(now: now, prefs: prefs)
    }
}

/// G-4: the local dates of a segment's present window.
public func window(of segment: TaskItem.Horizon, now: Instant, prefs: Preferences) -> Range<LocalDate> {
    let today = prefs.zone.date(now)
    switch segment {
    case .days, .someday: return today..<today.adding(days: 1)
    case .weeks:
        let start = weekStart(of: today, prefs: prefs)
        return start..<start.adding(days: 7)
    case .months:
        let start = today.adding(days: 1 - today.day)
        return start..<start.adding(months: 1)
    }
}

/// G-2, G-10: one page of undated tasks.
public struct Segment: Hashable, Sendable {
    public var horizon: TaskItem.Horizon
    /// G-10.
    public var waiting: [TaskItem] = []
    /// Considered or deferred today, newest first.
    public var handled: [TaskItem] = []

    /// G-10: `3 left`, or nothing.
    public var header: String? { waiting.isEmpty ? nil : "\(waiting.count) left" }
}

/// G-2: the segments that have something waiting or handled today, in order.
///
/// - Parameter tasks: of one user; what is no member of a segment does not matter.
public func segments(of tasks: [TaskItem], now: Instant, prefs: Preferences) -> [Segment] {
    let today = prefs.zone.date(now)
    return TaskItem.Horizon.segments.compactMap { horizon in
        var segment = Segment(horizon: horizon)
        for task in tasks where task.segment == horizon {
            if task.isWaitingInSegment(now: now, prefs: prefs) {
                segment.waiting.append(task)
            } else if task.segmentConsideredOn == today || task.segmentDeferredOn == today {
                segment.handled.append(task)
            }
        }
        segment.waiting.sort { a, b in
            (-a.priority.rawValue, a.createdAt, a.id) < (-b.priority.rawValue, b.createdAt, b.id)
        }
        segment.handled.sort { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
        return segment.waiting.isEmpty && segment.handled.isEmpty ? nil : segment
    }
}

/// G-11: the task that takes the Smart Stack card; nil while something else comes first: tasks over target that a sweep
/// could move (S-12: all but Urgent ones), or what waits in a started period or in Anytime, which counts as started.
public func segmentTaskForCard(
    _ segments: [Segment], day: ReminderDay, overTarget: [TaskItem], now: Instant, zone: Zone
) -> TaskItem? {
    guard !overTarget.contains(where: { $0.isOverTarget(at: now) && $0.priority < .urgent }) else {
        return nil
    }
    let somethingWaits = day.groups.contains { group in
        group.left > 0 && group.period?.isStarted(at: now, zone: zone) ?? true
    }
    return somethingWaits ? nil : segments.lazy.compactMap(\.waiting.first).first
}
