public import Domain
import JSON
import SQLite
import Time

/// What an undo or a redo did (2.16).
public struct UndoOutcome: Hashable, Sendable {
    public var action: String
    public var description: String
    public var tasksAffected: Int
    public var undoable: Int
    public var redoable: Int
    /// U-4: fields that somebody changed since, left alone.
    public var skippedFields: [String]
}

/// The state of a user's stack (A58).
public struct UndoStatus: Hashable, Sendable {
    public var latestID: Int64?
    public var undoable: Int
    public var redoable: Int
}

extension TaskItem {
    /// L-3: on a task exactly while a job of it is in the queue.
    static let waitingLabel = "ai-to-process"

    /// T-1, T-2, R-3: whether the fields go together.
    var fitsItsKind: Bool {
        if isReminder, isTracked || progressTarget > 1 { return false }
        switch kind {
        case .quota: return rrule != nil && target == nil && deadline == nil && horizon == nil
        case .reminder: return deadline == nil && horizon == nil
        case .task: return !isRecurring || target != nil && deadline == nil && horizon == nil
        }
    }
}

// U-1…U-8. An entry keeps, for each item, the changed fields before and after, and the completion that went with it.
// Undo writes the ones before where the ones after still stand; redo the other way round.
extension Snapshot {
    /// - Parameter after: only entries above this id count (`session_start_id`).
    public func undoStatus(of user: UserID, after: Int64 = 0) throws -> UndoStatus {
        func count(_ undone: Int) throws -> Int {
            let sql = "SELECT count(*) FROM undo WHERE user_id = ? AND undone = \(undone) AND id > ?"
            return Int(try db.first(sql, [.int(user.rawValue), .int(after)]) { $0.int(0) } ?? 0)
        }
        let latest = try db.first("SELECT max(id) FROM undo WHERE user_id = ?", [.int(user.rawValue)]) {
            $0.optionalInt(0)
        }
        return UndoStatus(latestID: latest ?? nil, undoable: try count(0), redoable: try count(1))
    }
}

extension Transaction {
    /// U-2: the newest entry not undone of this user; nil when there is none.
    public func undo(of user: UserID, after: Int64 = 0) throws -> UndoOutcome? {
        try replay("undone = 0 AND id > ?2 ORDER BY id DESC", user, after, .undo)
    }

    /// U-2: the oldest undone one; nil when there is none.
    public func redo(of user: UserID, after: Int64 = 0) throws -> UndoOutcome? {
        try replay("undone = 1 AND id > ?2 ORDER BY id", user, after, .redo)
    }

    private enum Direction { case undo, redo }

    private func replay(
        _ condition: String, _ user: UserID, _ after: Int64, _ direction: Direction
    ) throws -> UndoOutcome? {
        let found = try db.first(
            """
            SELECT id, action, description, snapshot, statistic FROM undo WHERE user_id = ?1 AND \(condition) LIMIT 1
            """, [.int(user.rawValue), .int(after)]
        ) { ($0.int(0), $0.text(1), $0.text(2), $0.text(3), $0.optionalText(4)) }
        guard let (id, action, description, text, statistic) = found else { return nil }

        var skipped: [String] = []
        var items: [ItemChange] = []
        for snapshot in try UndoSnapshot.decode(text) {
            guard let present = try task(snapshot.task) else { continue }  // U-9: purged
            let forward = direction == .redo
            var restoration = restored(
                present, from: forward ? snapshot.before : snapshot.after,
                to: forward ? snapshot.after : snapshot.before)
            if action == Change.Action.create.rawValue {
                restoration.task.deletedAt = forward ? nil : now  // U-5: create ↔ trash
            }
            // D-4: a deadline that would be left without a target gets an automatic one.
            restoration.task = restoration.task.withTargetForDeadline(
                now: now, prefs: try preferences(of: present.owner))
            skipped += restoration.skipped.map(\.rawValue)
            guard restoration.task.fitsItsKind else {
                // Somebody has made something else of it since: what is left to give back would make it neither.
                skipped += restoration.task.fields(changedFrom: present).map(\.rawValue)
                continue
            }
            let restored = try settled(restoration.task)
            var item = ItemChange(present, restored)
            // A completion row goes with undo and comes again with redo; taking one back mirrors that (A21).
            switch (snapshot.completion, snapshot.completionIsRemoval == forward) {
            case (let completion?, false):
                item.completion = completion
                item.completionID = snapshot.completionID
            case (_?, true): item.removesCompletion = snapshot.completionID
            case (nil, _): break
            }
            items.append(item)
        }
        let written = try write(items)
        try db.run(
            "UPDATE undo SET undone = ? WHERE id = ?", [direction == .undo ? 1 : 0, .int(id)])
        try replayStatistic(statistic, user, sign: direction == .undo ? -1 : 1)
        try announce(written, actor: user, undoing: true)
        // The stack itself changed: pages that show it are told even when every field was left alone.
        if !written.contains(where: \.isChanged) { try addEvent(.sync, for: user) }
        let status = try undoStatus(of: user, after: after)
        return UndoOutcome(
            action: action, description: description, tasksAffected: items.count, undoable: status.undoable,
            redoable: status.redoable, skippedFields: skipped)
    }

    /// U-4, but for the label of the queue, which comes and goes by itself: it does not count as a change of the labels,
    /// and is only taken off when the action had put it on.
    private func restored(
        _ present: TaskItem, from left: [TaskField: FieldValue], to wanted: [TaskField: FieldValue]
    ) -> Restoration {
        func isWaiting(_ fields: [TaskField: FieldValue]) -> Bool {
            if case .list(let labels) = fields[.labels] {
                labels.contains(TaskItem.waitingLabel)
            } else {
                false
            }
        }
        func withoutWaiting(_ fields: [TaskField: FieldValue]) -> [TaskField: FieldValue] {
            guard case .list(let labels) = fields[.labels] else { return fields }
            var rest = fields
            rest[.labels] = .list(labels.filter { $0 != TaskItem.waitingLabel })
            return rest
        }
        var plain = present
        plain.labels.removeAll { $0 == TaskItem.waitingLabel }
        var result = restoring(plain, from: withoutWaiting(left), to: withoutWaiting(wanted))
        guard present.labels != plain.labels, !isWaiting(left) || isWaiting(wanted) else { return result }
        if result.task.labels == plain.labels {
            result.task.labels = present.labels
        } else {
            result.task.labels.append(TaskItem.waitingLabel)
        }
        return result
    }

    /// D-4: no deadline without a target. enrich 1.1: neither undo nor redo asks for an enrichment; who no longer asks
    /// for one has none.
    private func settled(_ restored: TaskItem) throws -> TaskItem {
        var task = restored.withTargetForDeadline(now: now, prefs: try preferences(of: restored.owner))
        if !task.labels.contains(TaskItem.waitingLabel) {
            try removeJob(of: task.id)
        } else if try !hasJob(task.id) {
            task.labels.removeAll { $0 == TaskItem.waitingLabel }
        }
        return task
    }

    /// C-5: taken off on the date on which it was added.
    private func replayStatistic(_ text: String?, _ user: UserID, sign: Int) throws {
        guard let text, let entry = try? JSONValue(parsing: Array(text.utf8)),  // written by addUndoEntry
            let kind = entry["kind"]?.string.flatMap(Change.Statistic.init(rawValue:)),
            let date = entry["date"]?.string, let count = entry["count"]?.int
        else { return }
        try addStatistic(kind, date: date, count: sign * Int(count), of: user)
    }

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
            "INSERT INTO undo (user_id, action, description, snapshot, statistic, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .int(change.actor.rawValue), .text(change.action.rawValue), .text(change.description),
                .text(UndoSnapshot.encode(snapshots)), SQLValue(statistic), .int(now.seconds),
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
