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
        if let row = json["completion"], let at = row["completed_at"]?.int {
            completion = NewCompletion(
                completedAt: Instant(seconds: at),
                targetWas: row["due_at_was"]?.int.map(Instant.init(seconds:)),
                targetNext: row["due_at_next"]?.int.map(Instant.init(seconds:)))
        }
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
