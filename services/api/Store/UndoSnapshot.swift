import Domain
import JSON
import SQLite
import Time

// What an entry of the undo history keeps of each item (U-1, U-4).

extension Transaction {
    func addUndoEntry(_ change: Change, _ written: [Written], statistic counted: Counted?) throws {
        let snapshots = written.filter(\.isChanged).map(UndoSnapshot.init)
        var statistic: String?
        if let counted {
            var writer = JSONWriter(capacity: 64)
            writer.object { writer in
                writer.member("kind", counted.kind.rawValue)
                writer.member("date", counted.date)
                writer.member("count", counted.count)
            }
            statistic = String(decoding: writer.bytes, as: UTF8.self)
        }
        try db.run(
            """
            INSERT INTO undo (user_id, action, description, snapshot, statistic, others, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .int(change.actor.rawValue), .text(change.action.rawValue), .text(change.description),
                .text(UndoSnapshot.encode(snapshots)), SQLValue(statistic),
                SQLValue(RowChange.encode(change.rows.filter(\.isChanged))), .int(now.seconds),
            ])
    }
}

/// One item of an undo entry.
struct UndoSnapshot {
    var task: TaskItem.ID
    var before: [TaskField: FieldValue]
    var after: [TaskField: FieldValue]
    var completionID: Int64?
    var completion: NewCompletion?
    /// The action took the completion back instead of adding it.
    var completionIsRemoval = false
    /// the period of a quota, as the action left it; across a boundary the count is not touched.
    var periodStart: Instant?
    var progress: ProgressRow?

    init(_ written: Transaction.Written) {
        task = written.after.id
        before = [:]
        after = [:]
        for field in written.fields {
            before[field] = written.before?[field]
            after[field] = written.after[field]
        }
        completionID = written.completionID
        completion = written.completion
        progress = written.progress
        if written.after.kind == .quota { periodStart = written.after.progressPeriodStart }
        if let removed = written.removedCompletion {
            completion = removed
            completionID = written.removedCompletionID
            completionIsRemoval = true
        }
    }

    private init?(json: JSONValue) {
        guard let id = json["task_id"]?.int else { return nil }
        task = TaskItem.ID(rawValue: id)
        func fields(_ key: String) -> [TaskField: FieldValue] {
            var result: [TaskField: FieldValue] = [:]
            for (name, value) in json[key]?.object ?? [:] {
                if let field = TaskField(rawValue: name) { result[field] = FieldValue(json: value) }
            }
            return result
        }
        before = fields("before_state")
        after = fields("after_state")
        completionID = json["completion_id"]?.int
        completionIsRemoval = json["completion_removed"]?.bool ?? false
        periodStart = json["period_start"]?.int.map(Instant.init(seconds:))
        progress = Self.progress(json: json["progress"])
        if let row = json["completion"], let at = row["completed_at"]?.int {
            completion = NewCompletion(
                completedAt: Instant(seconds: at),
                targetWas: row["due_at_was"]?.int.map(Instant.init(seconds:)),
                targetNext: row["due_at_next"]?.int.map(Instant.init(seconds:)))
        }
    }

    private static func progress(json: JSONValue?) -> ProgressRow? {
        guard let json, let id = json["id"]?.int, let user = json["user_id"]?.int,
            let delta = json["delta"]?.int, let at = json["at"]?.int
        else { return nil }
        return ProgressRow(
            id: id, user: UserID(rawValue: user), delta: Int(delta), at: Instant(seconds: at))
    }

    static func decode(_ text: String) throws -> [UndoSnapshot] {
        try JSONValue(parsing: Array(text.utf8)).array?.compactMap(UndoSnapshot.init(json:)) ?? []
    }

    static func encode(_ snapshots: [UndoSnapshot]) -> String {
        var writer = JSONWriter(capacity: 256)
        writer.array { writer in
            for snapshot in snapshots {
                writer.object { writer in
                    writer.member("task_id", snapshot.task.rawValue)
                    for (key, state) in [("before_state", snapshot.before), ("after_state", snapshot.after)] {
                        writer.member(
                            named: key,
                            .object(
                                Dictionary(
                                    uniqueKeysWithValues: state.map { ($0.key.rawValue, $0.value.json) })))
                    }
                    if let id = snapshot.completionID { writer.member("completion_id", id) }
                    if snapshot.completionIsRemoval { writer.member("completion_removed", true) }
                    if let start = snapshot.periodStart { writer.member("period_start", start.seconds) }
                    if let row = snapshot.progress {
                        writer.object("progress") { writer in
                            writer.member("id", row.id)
                            writer.member("user_id", row.user.rawValue)
                            writer.member("delta", row.delta)
                            writer.member("at", row.at.seconds)
                        }
                    }
                    if let completion = snapshot.completion {
                        writer.object("completion") { writer in
                            writer.member("completed_at", completion.completedAt.seconds)
                            writer.member("due_at_was", completion.targetWas?.seconds)
                            writer.member("due_at_next", completion.targetNext?.seconds)
                        }
                    }
                }
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
