public import Domain
import SQLite
public import Time

/// What a user did (C-5).
public struct Statistic: Hashable, Sendable {
    public var completions = 0
    public var tasksCreated = 0
    public var snoozes = 0
}

/// The same for one local date of his.
public struct DailyStatistic: Hashable, Sendable {
    public let date: LocalDate
    public let counts: Statistic
}

/// A completion and what its item is now (2.15).
public struct ListedCompletion: Hashable, Sendable {
    public let id: Int64
    public let task: TaskItem.ID
    public let user: UserID
    public let completedAt: Instant
    public let targetWas: Instant?
    public let targetNext: Instant?
    public let title: String
    public let project: ProjectID
    public let isReminder: Bool
    public let isTracked: Bool
    public let progressTarget: Int
}

/// Which completions a list holds (A68); all conditions together.
public struct CompletionFilter: Sendable {
    public var task: TaskItem.ID?
    /// From the first, inclusive, to the second, exclusive. Several: what lies in all of them.
    public var spans: [Range<Instant>] = []

    public init() {}
}

extension Snapshot {
    /// The days with activity, oldest first.
    public func statistics(of user: UserID, _ days: ClosedRange<LocalDate>) throws -> [DailyStatistic] {
        try db.query(
            """
            SELECT completions, tasks_created, snoozes, date FROM statistic
            WHERE user_id = ? AND date BETWEEN ? AND ? ORDER BY date
            """,
            [
                .int(user.rawValue), .text(days.lowerBound.description), .text(days.upperBound.description),
            ]
        ) { row in
            LocalDate(row.text(3)).map { DailyStatistic(date: $0, counts: Statistic(row: row)) }
        }.compactMap { $0 }
    }

    /// The sum of the days from `first` on; nil: of all.
    public func statisticSum(of user: UserID, from first: LocalDate?) throws -> Statistic {
        try db.first(
            """
            SELECT total(completions), total(tasks_created), total(snoozes) FROM statistic
            WHERE user_id = ? AND date >= ?
            """, [.int(user.rawValue), .text(first?.description ?? "")], row: Statistic.init(row:)
        ) ?? Statistic()
    }

    /// A68: the user's own, newest first.
    public func completions(
        of user: UserID, _ filter: CompletionFilter, limit: Int
    ) throws -> [ListedCompletion] {
        // A task has few completions, a user many: with a task, the plus keeps the planner off the user's index.
        var conditions = [filter.task == nil ? "completion.user_id = ?1" : "+completion.user_id = ?1"]
        var arguments: [SQLValue] = [.int(user.rawValue), .int(Int64(limit))]
        func parameter(_ value: Int64) -> String {
            arguments.append(.int(value))
            return "?\(arguments.count)"
        }
        if let task = filter.task { conditions.append("task_id = \(parameter(task.rawValue))") }
        for span in filter.spans {
            conditions.append("completed_at >= \(parameter(span.lowerBound.seconds))")
            conditions.append("completed_at < \(parameter(span.upperBound.seconds))")
        }
        return try db.query(
            """
            SELECT completion.id, task_id, completion.user_id, completed_at, due_at_was, due_at_next,
                title, project_id, is_reminder, is_tracked, progress_target
            FROM completion JOIN task ON task.id = task_id WHERE \(conditions.joined(separator: " AND "))
            ORDER BY completed_at DESC, completion.id DESC LIMIT ?2
            """, arguments
        ) { row in
            ListedCompletion(
                id: row.int(0), task: TaskItem.ID(rawValue: row.int(1)), user: UserID(rawValue: row.int(2)),
                completedAt: Instant(seconds: row.int(3)),
                targetWas: row.optionalInt(4).map(Instant.init(seconds:)),
                targetNext: row.optionalInt(5).map(Instant.init(seconds:)),
                title: row.text(6), project: ProjectID(rawValue: row.int(7)), isReminder: row.bool(8),
                isTracked: row.bool(9), progressTarget: Int(row.int(10)))
        }
    }
}

extension Statistic {
    init(row: Row) {
        completions = Int(row.int(0))
        tasksCreated = Int(row.int(1))
        snoozes = Int(row.int(2))
    }
}
