// T-16: how far a day's tasks are.

public import Time

/// "n of m", and what is said when nothing is left.
public struct DayProgress: Hashable, Sendable {
    /// Tasks completed today, each completion counted, recurring ones included.
    public var done: Int
    /// `done` and what is open on Today.
    public var total: Int
    /// The next tasks targeted after today, soonest first, at most three; only when nothing was due.
    public var coming: [TaskItem]

    /// The lines for a day on which nothing is left; none while something is.
    public var lines: [String] {
        guard done == total else { return [] }
        return done > 0 ? ["Congratulations", "Day complete", "\(done) done today"] : ["Nothing due today"]
    }
}

/// T-16, by T-15's Today: open tasks with a target on today's local date, and those over target.
///
/// - Parameters:
///   - tasks: the user's tasks in any state.
///   - completedToday: how many completions of tasks, not of reminders and quotas, lie on today's local date.
public func dayProgress(
    of tasks: [TaskItem], completedToday: Int, now: Instant, prefs: Preferences
) -> DayProgress {
    let tomorrow = prefs.zone.day(prefs.zone.date(now)).upperBound
    let dated = tasks.filter { $0.kind == .task && $0.isOpen && $0.target != nil }
    let left = dated.count { task in task.target.map { $0 < tomorrow } ?? false }
    var progress = DayProgress(done: completedToday, total: completedToday + left, coming: [])
    if progress.total == 0 {
        progress.coming = Array(
            dated.sorted { a, b in
                guard let first = a.target, let second = b.target, first != second else { return a.id < b.id }
                return first < second
            }.prefix(3))
    }
    return progress
}
