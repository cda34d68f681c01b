// N-2, N-10 to N-17: one check of one user's tasks over target.

public import Time

/// What a check knows of a task whose look has come.
public struct OverTargetFact: Hashable, Sendable {
    public var id: TaskItem.ID
    public var version: Int
    public var title: String
    public var priority: TaskItem.Priority
    public var target: Instant
    public var deadline: Instant?
    /// T-9, in effect: minutes, 0 = none.
    public var interval: Int
    /// The look that has come: `nextLook` when the task was last written or looked at.
    public var lookAt: Instant
    /// T-4.
    public var isOpen: Bool

    public init(
        id: TaskItem.ID, version: Int, title: String, priority: TaskItem.Priority, target: Instant,
        deadline: Instant?, interval: Int, lookAt: Instant, isOpen: Bool = true
    ) {
        self.id = id
        self.version = version
        self.title = title
        self.priority = priority
        self.target = target
        self.deadline = deadline
        self.interval = interval
        self.lookAt = lookAt
        self.isOpen = isOpen
    }

    /// - Returns: nil for what never notifies (N-19).
    public init?(_ task: TaskItem, lookAt: Instant, prefs: Preferences) {
        guard task.kind == .task, let target = task.target else { return nil }
        self.init(
            id: task.id, version: task.version, title: task.title, priority: task.priority, target: target,
            deadline: task.deadline, interval: Domain.repeatInterval(of: task, prefs: prefs), lookAt: lookAt,
            isOpen: task.isOpen)
    }
}

/// Numbers over all of a user's tasks that the notifications of a check carry.
public struct OverTargetTotals: Hashable, Sendable {
    /// N-50.
    public var overTarget: Int
    /// S-19: what a sweep would move now.
    public var sweepWouldMove: Int

    public init(overTarget: Int, sweepWouldMove: Int) {
        self.overTarget = overTarget
        self.sweepWouldMove = sweepWouldMove
    }
}

/// A notification for one task, with the point of its grid: (task, target, n) is its key (N-5).
public struct OverTargetAlert: Hashable, Sendable {
    public var id: TaskItem.ID
    public var version: Int
    public var target: Instant
    /// The point's number on the grid, from 0.
    public var n: Int
    public var content: Alert
}

/// What a check comes to.
public struct OverTargetDecision: Hashable, Sendable {
    /// Individual notifications, in the order of N-14.
    public var alerts: [OverTargetAlert] = []
    /// N-15: the rest, as one.
    public var summary: Alert?
    /// The tasks that `summary` stands for: their points count as notified too.
    public var summarized: [TaskItem.ID] = []
    /// The tasks whose look only moves on.
    public var silent: [TaskItem.ID] = []
    /// For every fact: when to look again; nil: never.
    public var nextLook: [TaskItem.ID: Instant?] = [:]
}

/// N-10 to N-17: what one user's tasks whose look has come notify at `now`.
///
/// A point less than a minute old notifies. Older ones were missed (N-12): they are not sent later, except that a task
/// whose first point fell into the outage gets exactly one now.
///
/// - Parameter facts: tasks of one user with `lookAt` at or before `now`, in any order.
public func overTargetCheck(
    _ facts: [OverTargetFact], totals: OverTargetTotals, now: Instant, prefs: Preferences
) -> OverTargetDecision {
    var decision = OverTargetDecision()
    var due: [(fact: OverTargetFact, n: Int)] = []
    for fact in facts {
        let look = nextLook(fact, now: now)
        decision.nextLook.updateValue(look, forKey: fact.id)
        if prefs.notificationsEnabled, let n = duePoint(of: fact, now: now) {
            due.append((fact, n))
        } else {
            decision.silent.append(fact.id)
        }
    }
    // N-14.
    due.sort { a, b in
        if a.fact.priority != b.fact.priority { return a.fact.priority > b.fact.priority }
        return (a.fact.target, a.fact.id) < (b.fact.target, b.fact.id)
    }
    // N-15.
    var high = 0
    var lower = 0
    for (fact, n) in due {
        let individually: Bool
        switch fact.priority {
        case .urgent: individually = true
        case .high:
            high += 1
            individually = high <= 5
        default:
            lower += 1
            individually = lower <= 4
        }
        if individually {
            let content = Alert.overTarget(fact, totals: totals, now: now, prefs: prefs)
            decision.alerts.append(
                OverTargetAlert(
                    id: fact.id, version: fact.version, target: fact.target, n: n, content: content))
        } else {
            decision.summarized.append(fact.id)
        }
    }
    if !decision.summarized.isEmpty {
        decision.summary = .overTargetSummary(count: decision.summarized.count, totals: totals)
    }
    return decision
}

private func nextLook(_ fact: OverTargetFact, now: Instant) -> Instant? {
    guard fact.isOpen else { return nil }
    let first = firstPoint(target: fact.target)
    return first > now ? first : nextPoint(target: fact.target, interval: fact.interval, after: now)
}

/// The point at which a task notifies now; nil: it does not, since it was missed or its interval is 0.
public func duePoint(of fact: OverTargetFact, now: Instant) -> Int? {
    guard fact.isOpen, fact.target <= now,
        let n = pointIndex(target: fact.target, interval: fact.interval, now: now)
    else { return nil }
    let first = firstPoint(target: fact.target)
    let point = first.adding(seconds: Int64(n) * Int64(fact.interval) * 60)
    let isFresh = now.seconds(since: point) < 60 && fact.lookAt <= point
    return isFresh || fact.lookAt == first ? n : nil
}

extension Alert {
    /// N-16 to N-18: the level, not the text, says how urgent it is.
    public static func overTarget(
        _ fact: OverTargetFact, totals: OverTargetTotals, now: Instant, prefs: Preferences
    ) -> Alert {
        let isPastDeadline = fact.deadline.map { now >= $0 } ?? false
        var alert = Alert(
            title: fact.title, body: isPastDeadline ? "Past deadline" : "Over target", link: link(fact.id),
            category: "TASK_REMINDER", thread: fact.priority == .urgent ? "ot-urgent" : "ot-tasks",
            collapseID: "task-\(fact.id.rawValue)")
        alert.setLevel(fact.priority, prefs: prefs)
        alert.badge = totals.overTarget
        alert.data = [
            "taskId": .int(fact.id.rawValue),
            "dueAt": .text(fact.target.iso8601),
            "priority": .int(Int64(fact.priority.rawValue)),
            "overdueCount": .int(Int64(totals.sweepWouldMove)),
        ]
        alert.ttlSeconds = max(3600, fact.interval * 60)
        alert.webActions = [
            WebAction(action: "done", title: "Done"), WebAction(action: "snooze", title: "+1hr"),
        ]
        return alert
    }

    /// N-15.
    public static func overTargetSummary(count: Int, totals: OverTargetTotals) -> Alert {
        var alert = Alert(
            title: "\(count) more task\(count == 1 ? "" : "s") over target",
            body: "Open OpenTask to see them all", link: overTargetLink, category: "TASK_SUMMARY",
            thread: "ot-tasks", collapseID: "overdue-summary")
        alert.badge = totals.overTarget
        alert.data = [
            "overflowCount": .int(Int64(count)), "totalOverdueCount": .int(Int64(totals.overTarget)),
        ]
        return alert
    }

    /// N-17: Unset to Medium active, High time-sensitive, Urgent critical with the user's volume.
    mutating func setLevel(_ priority: TaskItem.Priority, prefs: Preferences) {
        switch priority {
        case .unset, .low, .medium: level = .active
        case .high: level = .timeSensitive
        case .urgent:
            level = .critical
            volume = prefs.criticalAlertVolume
            urgency = .high
        }
    }
}
