import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A56 to A61.
struct UndoRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/undo", Route(answer: undo))
        routes.add("POST", "/api/redo", Route(answer: redo))
        routes.add("GET", "/api/undo/status", Route(answer: status))
        routes.add("GET", "/api/undo/history", Route(answer: history))
        routes.add("POST", "/api/undo/batch", Route(answer: undoBatch))
        routes.add("POST", "/api/redo/batch", Route(answer: redoBatch))
    }

    private func undo(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let start = sessionStart(request)
        guard let outcome = try actions.write({ try $0.undo(of: caller.id, after: start) }) else {
            throw Failure.invalid("There is nothing to undo")
        }
        return answer(outcome, "undone_action")
    }

    private func redo(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let start = sessionStart(request)
        guard let outcome = try actions.write({ try $0.redo(of: caller.id, after: start) }) else {
            throw Failure.invalid("There is nothing to redo")
        }
        return answer(outcome, "redone_action")
    }

    /// A56 and A57 never fail on a broken body: it is read as none.
    private func sessionStart(_ request: Request) -> Int64 {
        let start = try? request.fields().optionalInt("session_start_id", in: 0...Int.max)
        return Int64((start ?? nil) ?? 0)
    }

    private func answer(_ outcome: UndoOutcome, _ key: JSONKey) -> HTTPResponse {
        .data { writer in
            writer.object { writer in
                writer.member(key, outcome.action)
                writer.member("description", outcome.description)
                writer.member("tasks_affected", outcome.tasksAffected)
                writer.member("undoable_count", outcome.undoable)
                writer.member("redoable_count", outcome.redoable)
                writer.array("skipped_fields") { writer in
                    for field in outcome.skippedFields { writer.value(field) }
                }
            }
        }
    }

    private func status(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let status = try actions.store.read { try $0.undoStatus(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.member("latest_id", status.latestID)
                writer.member("undoable_count", status.undoable)
                writer.member("redoable_count", status.redoable)
            }
        }
    }

    /// A59.
    private func history(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let limit = min(try request.integer("limit", atLeast: 1) ?? 50, 1000)
        let entries = try actions.store.read { try $0.undoHistory(of: caller.id, limit: limit) }
        return .data { writer in
            writer.object { writer in
                writer.array("history") { writer in
                    for entry in entries { writer.object { entry.write(to: &$0) } }
                }
                writer.member("count", entries.count)
            }
        }
    }

    /// A60.
    private func undoBatch(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let range = try batchRange(
            fields, after: try fields.optionalInt("session_start_id", in: 0...Int.max).map(Int64.init))
        guard let batch = try actions.write({ try $0.undo(of: caller.id, range) }) else {
            throw Failure.invalid("There is nothing to undo")
        }
        return answer(batch)
    }

    /// A61.
    private func redoBatch(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let range = try batchRange(try request.fields(required: true), after: nil)
        guard let batch = try actions.write({ try $0.redo(of: caller.id, range) }) else {
            throw Failure.invalid("There is nothing to redo")
        }
        return answer(batch)
    }

    private func batchRange(_ fields: Fields, after: Int64?) throws -> UndoRange {
        let through = try fields.optionalInt("through_id", in: 1...Int.max).map(Int64.init)
        let count = try fields.optionalInt("count", in: 1...Int.max)
        guard after != nil || through != nil || count != nil else {
            throw Failure.invalid("Say how far: count or through_id", ["": "no limit was given"])
        }
        return UndoRange(after: after ?? 0, through: through, count: count ?? UndoRange.most)
    }

    private func answer(_ batch: UndoBatch) -> HTTPResponse {
        .data { writer in
            writer.object { writer in
                writer.member("count", batch.count)
                writer.member("undoable_count", batch.undoable)
                writer.member("redoable_count", batch.redoable)
            }
        }
    }
}

extension UndoEntry {
    /// The members of an undo entry (2.16).
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("action", action)
        writer.member("description", description)
        writer.member("tasks_affected", items.count)
        writer.member("created_at", createdAt.iso8601)
        writer.member("undone", isUndone)
        writer.array("fields_changed") { writer in for field in fields { writer.value(field.rawValue) } }
        writer.array("snapshot") { writer in
            for item in items {
                writer.object { writer in
                    writer.member("task_id", item.task.rawValue)
                    writer.object("before_state") { Self.write(item.before, to: &$0) }
                    writer.object("after_state") { Self.write(item.after, to: &$0) }
                    if let id = item.completionID { writer.member("completion_id", id) }
                }
            }
        }
    }

    private static func write(_ state: [TaskField: FieldValue], to writer: inout JSONWriter) {
        for field in TaskField.allCases {
            if let value = state[field] { writer.member(named: field.rawValue, field.json(value)) }
        }
    }
}
