public import Domain
import SQLite
public import Time

// What the pages of reminders, periods and segments are made of. Each question has its index: none reads a user's tasks.
extension Snapshot {
    /// What the day of a user is made of (M-12): his open reminders and quotas, and the reminders that he finished today.
    public func dayItems(of user: UserID, now: Instant, zone: Zone) throws -> [TaskItem] {
        let today = zone.day(zone.date(now))
        let finished = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_done
            WHERE user_id = ?1 AND done = 1 AND done_at >= ?2 AND done_at < ?3 AND is_reminder = 1 AND deleted_at IS NULL
            """,
            [.int(user.rawValue), .int(today.lowerBound.seconds), .int(today.upperBound.seconds)],
            row: TaskItem.init(row:))
        let quotas = try db.query(
            """
            SELECT \(TaskItem.columns) FROM task
            WHERE user_id = ? AND \(Schema.open) AND (is_tracked = 1 OR progress_target > 1)
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
        return try unfinishedReminders(of: user).filter(\.isOpen) + finished + quotas
    }

    /// The user's reminders that are not done, those in the trash too (M-17).
    public func unfinishedReminders(of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_reminder
            WHERE user_id = ? AND done = 0 AND is_reminder = 1
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
    }

    /// Whether the user has a reminder at all, finished ones included (`has_any`).
    public func hasReminder(_ user: UserID) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM task INDEXED BY task_reminder
            WHERE user_id = ? AND is_reminder = 1 AND deleted_at IS NULL LIMIT 1
            """, [.int(user.rawValue)]
        ) { _ in true } ?? false
    }

    /// The user's undated tasks with a horizon: what may be in a segment (G-3).
    public func segmentTasks(of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_segment
            WHERE user_id = ? AND \(Schema.open) AND \(Schema.ordinary) AND horizon IS NOT NULL AND due_at IS NULL
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
    }

    /// The user's items, whatever their state, that store where their quota reminders are (M-17).
    public func itemsWithPromptConfig(of user: UserID) throws -> [TaskItem] {
        try db.query(
            """
            SELECT \(TaskItem.columns) FROM task INDEXED BY task_prompts
            WHERE user_id = ? AND quota_prompt_config IS NOT NULL
            """, [.int(user.rawValue)], row: TaskItem.init(row:))
    }
}
