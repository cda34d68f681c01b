public import Domain
import JSON
import SQLite
import Time

// The one way to change anything (A-1). What `record` promises:
//
// 1. Rows, completions, statistics, the undo entry, the activity entry, the events and the outgoing messages are in
//    the transaction of the caller: all of them are there afterwards, or none.
// 2. An item that the action leaves as it was is not written, and an action that changed nothing leaves no trace.
// 3. A pending look of the scheduler survives every change that does not make it pointless: an edit in the second
//    in which a target arrives must not swallow its notification (N-10, N-12).
// 4. Messages of the outbox that are about a changed item and have not left are dropped (N-41).
extension Transaction {
    /// Puts a change into the store with everything that follows from it.
    ///
    /// - Returns: the items as they are now, in the order of the change, unchanged ones included.
    @discardableResult
    public func record(_ change: Change) throws -> [TaskItem] {
        let written = try write(change.items, by: change.actor)
        try write(change.rows, of: change.actor)
        let hasItems = written.contains(where: \.isChanged)
        let isChanged = hasItems || change.rows.contains(where: \.isChanged)
        guard isChanged || change.isAlwaysEntered else { return written.map(\.after) }
        if change.isUndoable {
            // U-3
            try db.run("DELETE FROM undo WHERE user_id = ? AND undone = 1", [.int(change.actor.rawValue)])
            try addUndoEntry(change, written, statistic: try count(change))
        }
        guard isChanged else {
            try addEvent(.sync, for: change.actor)  // the stack is another
            return written.map(\.after)
        }
        try addActivity(change)
        try announce(written, actor: change.actor, movingPeriods: !change.rows.isEmpty)
        try tellWebhooks(written, of: change)
        if !hasItems { try addEvent(.sync, for: change.actor) }
        return written.map(\.after)
    }

    /// What was written of one item.
    struct Written {
        var before: TaskItem?
        var after: TaskItem
        var fields: [TaskField]
        var completionID: Int64?
        var completion: NewCompletion?
        var removedCompletion: NewCompletion?
        var removedCompletionID: Int64?
        /// What was logged with it.
        var progress: ProgressRow?

        var isChanged: Bool {
            before == nil || !fields.isEmpty || completionID != nil || removedCompletion != nil
        }
    }

    /// Writes rows and completions.
    func write(_ items: [ItemChange], by actor: UserID) throws -> [Written] {
        try items.map { item in
            var written = Written(before: item.before, after: item.after, fields: [])
            if let id = item.removesProgress {
                try db.run("DELETE FROM progress WHERE id = ?", [.int(id)])
            }
            if item.before != nil {
                for row in item.progress ?? [progress(of: item, by: actor)].compactMap({ $0 }) {
                    let added = try add(row, to: item.after.id)
                    written.progress = written.progress ?? added
                }
            }
            if let before = item.before {
                written.fields = item.after.fields(changedFrom: before)
                if written.fields.isEmpty, item.completion == nil, item.removesCompletion == nil {
                    return written
                }
                written.after.version = before.version + 1
                written.after.updatedAt = now
                try update(written.after, written.fields, from: before)
                if !Set([.title, .notes, .project]).isDisjoint(with: written.fields) {
                    try index(written.after)
                }
            } else {
                try insert(written.after)
                try index(written.after)
            }
            if let completion = item.completion {
                written.completionID = try add(completion, to: item.after, id: item.completionID)
                written.completion = completion
            }
            if let id = item.removesCompletion {
                written.removedCompletion = try remove(completion: id)
                written.removedCompletionID = id
            }
            return written
        }
    }

    private func insert(_ task: TaskItem) throws {
        let columns = "\(TaskItem.columns), look_at, period_ends_at"
        let marks = Array(repeating: "?", count: TaskField.allCases.count + 7).joined(separator: ", ")
        var values: [SQLValue] = [
            .int(task.id.rawValue), .int(Int64(task.version)), .int(task.owner.rawValue),
            .int(task.createdAt.seconds), .int(task.updatedAt.seconds),
        ]
        values += TaskField.allCases.map { task[$0].sql }
        let prefs = try preferences(of: task.owner)
        values.append(SQLValue(nextLook(at: task, now: now, prefs: prefs)?.seconds))
        values.append(SQLValue(task.quotaPeriodEnd(prefs: prefs)?.seconds))
        try db.run("INSERT INTO task (\(columns)) VALUES (\(marks))", values)
    }

    private func update(_ task: TaskItem, _ fields: [TaskField], from before: TaskItem) throws {
        var assignments = fields.map { "\($0.rawValue) = ?" } + ["version = ?", "updated_at = ?"]
        var values = fields.map { task[$0].sql } + [.int(Int64(task.version)), .int(task.updatedAt.seconds)]
        if let look = try newLook(task, fields, from: before) {
            assignments.append("look_at = ?")
            values.append(look)
        }
        let bounding: Set<TaskField> = [.progressPeriodStart, .rrule, .isTracked, .progressTarget]
        if task.kind == .quota || before.kind == .quota, !bounding.isDisjoint(with: fields) {
            assignments.append("period_ends_at = ?")
            values.append(SQLValue(task.quotaPeriodEnd(prefs: try preferences(of: task.owner))?.seconds))
        }
        values.append(.int(task.id.rawValue))
        try db.run("UPDATE task SET \(assignments.joined(separator: ", ")) WHERE id = ?", values)
    }

    /// The fields on which the next look depends.
    private static let moving: Set<TaskField> = [
        .target, .priority, .repeatInterval, .done, .archivedAt, .deletedAt, .isReminder, .isTracked,
        .progressTarget,
    ]

    /// The new `look_at`, or nil when it stays as it is.
    private func newLook(_ task: TaskItem, _ fields: [TaskField], from before: TaskItem) throws -> SQLValue? {
        guard !Self.moving.isDisjoint(with: fields) else { return nil }
        if !fields.contains(.target), task.isOverTarget(at: now) {
            let pending = try db.first("SELECT look_at FROM task WHERE id = ?", [.int(task.id.rawValue)]) {
                $0.optionalInt(0)
            }
            // Due and not yet looked at: the scheduler will decide by the new priority or interval.
            if let pending = pending ?? nil, pending <= now.seconds { return nil }
        }
        return SQLValue(nextLook(at: task, now: now, prefs: try preferences(of: task.owner))?.seconds)
    }

    /// - Parameter id: nil: a new one. Somebody else may have made it again already.
    @discardableResult
    func add(_ completion: NewCompletion, to task: TaskItem, id: Int64? = nil) throws -> Int64 {
        try db.run(
            """
            INSERT OR IGNORE INTO completion (id, task_id, user_id, completed_at, due_at_was, due_at_next)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(id), .int(task.id.rawValue), .int(task.owner.rawValue),
                .int(completion.completedAt.seconds),
                SQLValue(completion.targetWas?.seconds), SQLValue(completion.targetNext?.seconds),
            ])
        return id ?? db.lastInsertRowID
    }

    private func remove(completion id: Int64) throws -> NewCompletion? {
        let removed = try db.first(
            "SELECT completed_at, due_at_was, due_at_next FROM completion WHERE id = ?", [.int(id)]
        ) { row in
            NewCompletion(
                completedAt: Instant(seconds: row.int(0)),
                targetWas: row.optionalInt(1).map(Instant.init(seconds:)),
                targetNext: row.optionalInt(2).map(Instant.init(seconds:)))
        }
        try db.run("DELETE FROM completion WHERE id = ?", [.int(id)])
        return removed
    }

    /// What C-5 added to a day; an undo entry takes just that off again.
    struct Counted {
        var kind: Change.Statistic
        var date: String
        /// May be less than was asked for: no number of a day falls below 0.
        var count: Int
    }

    /// C-5.
    private func count(_ change: Change) throws -> Counted? {
        guard let (kind, all) = change.statistic, all != 0 else { return nil }
        // N-45.
        let tests = try testTaskCount(change.items, of: change.actor)
        let count = all > 0 ? max(0, all - tests) : min(0, all + tests)
        guard count != 0 else { return nil }
        let date = try change.statisticDate ?? preferences(of: change.actor).zone.date(now)
        return try addStatistic(kind, date: date.description, count: count, of: change.actor)
    }

    @discardableResult
    func addStatistic(
        _ kind: Change.Statistic, date: String, count: Int, of user: UserID
    ) throws -> Counted? {
        let present = try db.first(
            "SELECT \(kind.rawValue) FROM statistic WHERE user_id = ? AND date = ?",
            [.int(user.rawValue), .text(date)]
        ) { Int($0.int(0)) }
        let added = max(count, -(present ?? 0))
        guard added != 0 else { return nil }
        try db.run(
            """
            INSERT INTO statistic (user_id, date, \(kind.rawValue)) VALUES (?1, ?2, ?3)
            ON CONFLICT DO UPDATE SET \(kind.rawValue) = \(kind.rawValue) + ?3
            """, [.int(user.rawValue), .text(date), .int(Int64(added))])
        return Counted(kind: kind, date: date, count: added)
    }

    private func addActivity(_ change: Change) throws {
        let only = change.items.count == 1 ? change.items.first?.after.id.rawValue : nil
        try db.run(
            "INSERT INTO activity (user_id, task_id, action, description, at) VALUES (?, ?, ?, ?, ?)",
            [
                .int(change.actor.rawValue), SQLValue(only), .text(change.action.rawValue),
                .text(change.description),
                .int(now.seconds),
            ])
    }

    /// Preferences of a user, read once in a transaction.
    public func preferences(of id: UserID) throws -> Preferences {
        if let known = knownPreferences[id] { return known }
        guard let user = try user(id) else { throw MissingInbox(user: id) }
        knownPreferences[id] = user.preferences
        return user.preferences
    }
}
