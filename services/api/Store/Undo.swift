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

/// Which entries of a stack are meant; all limits apply (U-7).
public struct UndoRange: Sendable {
    /// However many are asked for, so many at once.
    public static let most = 1000

    /// Only entries above this one, in undo and redo.
    public var after: Int64
    /// Undo: down to this entry; redo: up to it; itself included.
    public var through: Int64?
    public var count: Int

    public init(after: Int64 = 0, through: Int64? = nil, count: Int = 1) {
        self.after = after
        self.through = through
        self.count = count
    }
}

/// What several undos or redos did (2.16): how many, and how many are left of each.
public struct UndoBatch: Hashable, Sendable {
    public var count: Int
    public var undoable: Int
    public var redoable: Int
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
        try outcome(try replay(.undo, user, UndoRange(after: after)), of: user, after: after)
    }

    /// U-2: the oldest undone one; nil when there is none.
    public func redo(of user: UserID, after: Int64 = 0) throws -> UndoOutcome? {
        try outcome(try replay(.redo, user, UndoRange(after: after)), of: user, after: after)
    }

    /// U-7: several at once, newest first; nil when there is none in the range.
    public func undo(of user: UserID, _ range: UndoRange) throws -> UndoBatch? {
        try batch(try replay(.undo, user, range), of: user)
    }

    /// U-7: several at once, the oldest undone first; nil when there is none in the range.
    public func redo(of user: UserID, _ range: UndoRange) throws -> UndoBatch? {
        try batch(try replay(.redo, user, range), of: user)
    }

    private func outcome(_ replayed: [Replayed], of user: UserID, after: Int64) throws -> UndoOutcome? {
        guard let only = replayed.first else { return nil }
        let status = try undoStatus(of: user, after: after)
        return UndoOutcome(
            action: only.action, description: only.description, tasksAffected: only.written.count,
            undoable: status.undoable, redoable: status.redoable, skippedFields: only.skipped)
    }

    private func batch(_ replayed: [Replayed], of user: UserID) throws -> UndoBatch? {
        guard !replayed.isEmpty else { return nil }
        let status = try undoStatus(of: user)
        return UndoBatch(count: replayed.count, undoable: status.undoable, redoable: status.redoable)
    }

    private enum Direction { case undo, redo }

    /// What was done with one entry.
    private struct Replayed {
        var action: String
        var description: String
        var written: [Written]
        var skipped: [String]
    }

    /// Replays the entries of a range one after the other and tells of all of them once (U-8).
    private func replay(_ direction: Direction, _ user: UserID, _ range: UndoRange) throws -> [Replayed] {
        var replayed: [Replayed] = []
        while replayed.count < min(range.count, UndoRange.most),
            let next = try replayNext(direction, user, range)
        {
            replayed.append(next)
        }
        guard !replayed.isEmpty else { return [] }
        let written = Self.merged(replayed.flatMap(\.written))
        try announce(written, actor: user, undoing: true)
        for entry in replayed {
            try tellWebhooks(entry.written, actor: user, trigger: direction == .undo ? "undo" : "redo")
        }
        // The stack itself changed: pages that show it are told even when every field was left alone.
        if !written.contains(where: \.isChanged) { try addEvent(.sync, for: user) }
        return replayed
    }

    /// One item in several entries: from what it was before all of them to what it is after.
    private static func merged(_ written: [Written]) -> [Written] {
        var places: [TaskItem.ID: Int] = [:]
        var result: [Written] = []
        for item in written {
            guard let place = places[item.after.id] else {
                places[item.after.id] = result.count
                result.append(item)
                continue
            }
            result[place].after = item.after
            result[place].fields += item.fields.filter { !result[place].fields.contains($0) }
            result[place].completionID = item.completionID ?? result[place].completionID
            result[place].removedCompletion = item.removedCompletion ?? result[place].removedCompletion
        }
        return result
    }

    private func replayNext(_ direction: Direction, _ user: UserID, _ range: UndoRange) throws -> Replayed? {
        let next =
            switch direction {
            case .undo: "undone = 0 AND id >= ?3 ORDER BY id DESC"
            case .redo: "undone = 1 AND id <= ?3 ORDER BY id"
            }
        let through = range.through ?? (direction == .undo ? 0 : .max)
        let found = try db.first(
            """
            SELECT id, action, description, snapshot, statistic, others FROM undo
            WHERE user_id = ?1 AND id > ?2 AND \(next) LIMIT 1
            """, [.int(user.rawValue), .int(range.after), .int(through)]
        ) { ($0.int(0), $0.text(1), $0.text(2), $0.text(3), $0.optionalText(4), $0.optionalText(5)) }
        guard let (id, action, description, text, statistic, others) = found else { return nil }

        let forward = direction == .redo
        let rows = try replay(try RowChange.decode(others), of: user, forward: forward)
        var skipped = rows.skipped
        var items: [ItemChange] = []
        var completionsLeft = 0
        for stored in rows.isHeldBack ? [] : try UndoSnapshot.decode(text) {
            guard let found = try task(stored.task, visibleTo: user) else {
                // U-9: purged, or hidden from this user since, and then a completion stays.
                if stored.completion != nil, try task(stored.task) != nil { completionsLeft += 1 }
                continue
            }
            let present = try closingEndedPeriods(of: found)
            var snapshot = stored
            if stored.isAcrossBoundary(of: present, forward: forward) {
                snapshot.leavePeriodAlone()
                if stored.completion != nil { completionsLeft += 1 }
                if snapshot.isEmpty { continue }  // U-9, Q-27
            }
            if try bringsWhatIsThere(snapshot, forward: forward) {
                completionsLeft += 1
                continue
            }
            var restoration = restored(
                present, from: forward ? snapshot.before : snapshot.after,
                to: forward ? snapshot.after : snapshot.before)
            if restoration.task.project != present.project, try !canBePlaced(restoration.task) {
                restoration.task.project = present.project
                restoration.skipped.append(.project)
            }
            if action == Change.Action.create.rawValue {
                restoration.task.deletedAt = forward ? nil : now  // U-5: create ↔ trash
            }
            // D-4: a deadline that would be left without a target gets an automatic one.
            restoration.task =
                restoration.task.withTargetForDeadline(
                    now: now, prefs: try preferences(of: present.owner)
                ).settledAsQuota
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
            giveProgressBack(snapshot, &item, forward: forward, by: user)
            items.append(item)
        }
        let written = try write(items, by: user)
        try db.run(
            "UPDATE undo SET undone = ? WHERE id = ?", [direction == .undo ? 1 : 0, .int(id)])
        try replayStatistic(statistic, user, sign: direction == .undo ? -1 : 1, without: completionsLeft)
        return Replayed(action: action, description: description, written: written, skipped: skipped)
    }

    /// Whether a completion would be made again that was never taken back, because its item was hidden then (U-9).
    private func bringsWhatIsThere(_ snapshot: UndoSnapshot, forward: Bool) throws -> Bool {
        guard snapshot.completion != nil, snapshot.completionIsRemoval != forward,
            let id = snapshot.completionID
        else { return false }
        return try db.first("SELECT 1 FROM completion WHERE id = ?", [.int(id)]) { $0.int(0) } != nil
    }

    /// L-13, L-14: the project may have been deleted, or hidden from the item's owner, since.
    private func canBePlaced(_ task: TaskItem) throws -> Bool {
        try project(task.project)?.isVisible(to: task.owner) ?? false
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
    ///
    /// - Parameter without: completions of the entry that are left as they are.
    private func replayStatistic(_ text: String?, _ user: UserID, sign: Int, without left: Int) throws {
        guard let text, let entry = try? JSONValue(parsing: Array(text.utf8)),  // written by addUndoEntry
            let kind = entry["kind"]?.string.flatMap(Change.Statistic.init(rawValue:)),
            let date = entry["date"]?.string, let count = entry["count"]?.int
        else { return }
        let size = kind == .completions ? max(0, Int(count.magnitude) - left) : Int(count.magnitude)
        let rest = count < 0 ? -size : size
        try addStatistic(kind, date: date, count: sign * rest, of: user)
    }
}
