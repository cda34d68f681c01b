import ApiStore
import HTTPServer
import JSON
import Time

/// A62, A63: the trash.
struct TrashRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/trash", Route(answer: list))
        routes.add("DELETE", "/api/trash", Route(answer: empty))
    }

    /// A62. The limit is cut to what is allowed, not refused.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let limit = min(max(try request.integer("limit", atLeast: .min) ?? 200, 1), 500)
        let now = actions.clock.now()
        let tasks = try actions.store.read { snapshot in
            try snapshot.shown(try snapshot.trash(of: caller.id, limit: limit), at: now)
        }
        return .data(capacity: 256 + tasks.count * 1536) { writer in
            writer.object { writer in
                writer.array("tasks") { writer in
                    for task in tasks { writer.object { task.write(to: &$0, zone: caller.zone) } }
                }
                writer.member("count", tasks.count)
            }
        }
    }

    /// A63, C-11.
    private func empty(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let count = try actions.write { try $0.emptyTrash(of: caller.id) }
        return .data { writer in writer.object { $0.member("deleted_count", count) } }
    }
}
