// S-10 to S-19: many tasks at once, by tiers.

public import Time

/// S-11: how firmly a task stays where it is when many are moved at once.
public enum SweepTier: Sendable {
    /// Unset, Low or Medium, not past its deadline: moves always.
    case lower
    /// High: moves when no lower task is there.
    case high
    /// Unset, Low or Medium, past its deadline: as High.
    case pastDeadline
    /// Moves only when picked by name.
    case urgent

    public init(_ task: TaskItem, now: Instant) {
        switch task.priority {
        case .urgent: self = .urgent
        case .high: self = .high
        default: self = task.isPastDeadline(at: now) ? .pastDeadline : .lower
        }
    }
}

/// S-12: whether each task may move.
struct SweepFilter {
    private let lowerIsThere: Bool
    private let included: Set<TaskItem.ID>

    /// - Parameter holding: the tasks among which a lower one holds the held ones back.
    init(holding: [TaskItem], included: Set<TaskItem.ID>, now: Instant) {
        lowerIsThere = holding.contains { SweepTier($0, now: now) == .lower }
        self.included = included
    }

    func moves(_ task: TaskItem, now: Instant) -> Bool {
        if included.contains(task.id) { return true }
        switch SweepTier(task, now: now) {
        case .lower: return true
        case .high, .pastDeadline: return !lowerIsThere
        case .urgent: return false
        }
    }
}

/// S-15: what a sweep did.
public struct SweepResult: Sendable {
    /// What moved, as it was and as it is; in the order of the batch.
    public var moved: [(before: TaskItem, after: TaskItem)] = []
    /// The one target of the whole batch.
    public var until: Instant
    /// High tasks still over target.
    public var skippedHigh = 0
    /// Lower tasks past their deadline, still over target.
    public var skippedPastDeadline = 0
    /// Urgent tasks still over target.
    public var urgentLeft = 0
    /// How many of the moved were High.
    public var snoozedHigh = 0
    public var stoppedAtDeadline: [TaskItem.ID] = []
    /// Tasks of the batch over target afterwards.
    public var totalOverTarget = 0
    /// S-17; nil: nothing more to say.
    public var title = ""
    public var body: String?

    /// Its published meaning: High and Urgent together.
    public var skippedUrgent: Int { skippedHigh + urgentLeft }

    /// S-15: title and body for a page.
    public var message: String { body.map { "\(title). \($0)" } ?? title }

    /// N-35: whether High, Urgent or past-deadline tasks stayed over target.
    public var somethingHeldIsLeft: Bool { skippedHigh + skippedPastDeadline + urgentLeft > 0 }
}

/// S-10 to S-18: moves what is over target to one instant.
///
/// - Parameters:
///   - batch: the user's own tasks over target.
///   - included: the tasks picked by name; those that are done or trashed meanwhile are left out. They may be in
///     `batch` too.
///   - request: a sweep has no base of its own: `deltaMinutes` means the option of so many minutes.
/// - Returns: a refusal for an unknown option or period, or for an included reminder or quota.
public func sweep(
    _ batch: [TaskItem], included: [TaskItem], _ request: SnoozeRequest, periods: [Period], now: Instant,
    prefs: Preferences
) -> Result<SweepResult, Refusal> {
    Result { () throws(Refusal) in
        var result = SweepResult(until: try sweepTarget(request, periods: periods, now: now, prefs: prefs))
        for task in included where task.kind != .task {
            throw Refusal("A \(task.kind.rawValue) cannot be snoozed", field: "include_task_ids")
        }
        let picked = included.filter(\.isOpen)
        let own = batch.filter { $0.isOverTarget(at: now) }
        let ownIDs = Set(own.map(\.id))
        let all = own + unique(picked).filter { !ownIDs.contains($0.id) }
        guard !all.isEmpty else {
            result.title = "Nothing over target"
            return result
        }
        let filter = SweepFilter(
            holding: all.filter { $0.isOverTarget(at: now) }, included: Set(picked.map(\.id)), now: now)
        for task in all {
            let after = filter.moves(task, now: now) ? result.move(task, now: now) : task
            result.count(after, now: now)
        }
        result.describe(now: now, zone: prefs.zone)
        return result
    }
}

/// S-19: how many of the tasks over target a sweep would move now.
public func sweepCount(_ overTarget: [TaskItem], now: Instant) -> Int {
    let filter = SweepFilter(holding: overTarget, included: [], now: now)
    return overTarget.count { filter.moves($0, now: now) }
}

/// The tasks with each id once, in order.
func unique(_ tasks: [TaskItem]) -> [TaskItem] {
    var seen: Set<TaskItem.ID> = []
    return tasks.filter { seen.insert($0.id).inserted }
}

/// S-10: one instant for the whole batch.
private func sweepTarget(
    _ request: SnoozeRequest, periods: [Period], now: Instant, prefs: Preferences
) throws(Refusal) -> Instant {
    switch request {
    case .until(let instant): return instant
    case .deltaMinutes(let minutes):
        guard minutes > 0 else { throw Refusal("The minutes are not above 0", field: "delta_minutes") }
        // Up to a year, beyond the range of an option.
        return minutes >= 60 ? inMinutes(now, minutes, zone: prefs.zone) : now.adding(minutes: minutes)
    case .option(let text):
        return try readOption(text).fromNow(now, periods: periods, prefs: prefs)
    }
}

extension SweepResult {
    /// S-13: moves one task, unless it is at its result already.
    fileprivate mutating func move(_ task: TaskItem, now: Instant) -> TaskItem {
        let snoozed = snoozed(task, to: until, now: now)
        if snoozed.stoppedAtDeadline { stoppedAtDeadline.append(task.id) }
        guard snoozed.task != task else { return task }
        moved.append((task, snoozed.task))
        if task.priority == .high { snoozedHigh += 1 }
        return snoozed.task
    }

    /// S-17: counts what is left by its tier.
    fileprivate mutating func count(_ after: TaskItem, now: Instant) {
        guard after.isOverTarget(at: now) else { return }
        totalOverTarget += 1
        switch SweepTier(after, now: now) {
        case .lower: break
        case .high: skippedHigh += 1
        case .pastDeadline: skippedPastDeadline += 1
        case .urgent: urgentLeft += 1
        }
    }

    fileprivate mutating func describe(now: Instant, zone: Zone) {
        let text = SweepText(
            moved: moved.count, high: skippedHigh, pastDeadline: skippedPastDeadline, urgent: urgentLeft,
            allMovedAreHigh: !moved.isEmpty && snoozedHigh == moved.count)
        title = text.title(until: untilText(until, now: now, zone: zone))
        body = text.body
    }
}
