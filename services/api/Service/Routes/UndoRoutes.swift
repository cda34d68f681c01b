import ApiStore
import HTTPServer
import JSON

/// A56 to A58.
struct UndoRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/undo", Route(answer: undo))
        routes.add("POST", "/api/redo", Route(answer: redo))
        routes.add("GET", "/api/undo/status", Route(answer: status))
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
}
