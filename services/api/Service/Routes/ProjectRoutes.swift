import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A50 to A55: projects.
struct ProjectRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/projects", Route(answer: list))
        routes.add("POST", "/api/projects", Route(answer: add))
        routes.add("PATCH", "/api/projects/reorder", Route(answer: reorder))
        routes.add("GET", "/api/projects/{id}", Route(answer: get))
        routes.add("PATCH", "/api/projects/{id}", Route(answer: edit))
        routes.add("DELETE", "/api/projects/{id}", Route(answer: remove))
    }

    /// A50.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let now = actions.clock.now()
        return try actions.store.read { snapshot in
            let projects = try snapshot.projects(visibleTo: caller.id)
            let counts = try snapshot.projectCounts(of: caller.id, now: now)
            return .data { writer in
                writer.object { writer in
                    writer.array("projects") { writer in
                        for project in projects {
                            writer.object { project.write(to: &$0, counts: counts[project.id]) }
                        }
                    }
                    writer.member("count", projects.count)
                }
            }
        }
    }

    /// A51.
    private func add(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let name = try projectName(try fields.string("name")).orFailure()
        let project = try actions.addProject(
            name: name, shared: try fields.optionalBool("shared") ?? false,
            order: try fields.optionalInt("sort_order", in: Self.orders),
            color: try fields.optionalColor("color"),
            caller: try request.caller)
        return .data(status: 201) { writer in writer.object { project.write(to: &$0, counts: nil) } }
    }

    /// What a `sort_order` may be.
    private static let orders = 0...1_000_000

    /// A52.
    private func reorder(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        guard let ids = try fields.optionalIDs("project_ids", limit: 100_000), !ids.isEmpty else {
            throw fields.refuse("project_ids", "has at least one id")
        }
        let count = try actions.reorderProjects(
            ids.map(ProjectID.init(rawValue:)), caller: try request.caller)
        return .data { writer in writer.object { $0.member("reordered", count) } }
    }

    /// A53.
    private func get(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let id = ProjectID(rawValue: try request.id())
        guard let project = try actions.store.read({ try $0.project(id) }), project.isVisible(to: caller.id)
        else { throw Failure.notFound("Project") }
        return try answer(project, caller)
    }

    /// A54.
    private func edit(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        var patch = ProjectPatch()
        patch.name = try fields.given("name", fields.optionalString)
        patch.shared = try fields.given("shared", fields.optionalBool)
        patch.sortOrder = try fields.given("sort_order") { key throws(Failure) in
            try fields.optionalInt(key, in: Self.orders)
        }
        patch.color = try fields.present("color", fields.optionalColor)
        let project = try actions.editProject(
            ProjectID(rawValue: try request.id()), patch, caller: caller)
        return try answer(project, caller)
    }

    /// A55.
    private func remove(_ request: Request) throws -> HTTPResponse {
        let (project, moved) = try actions.removeProject(
            ProjectID(rawValue: try request.id()), caller: try request.caller)
        let tasks = moved == 1 ? "1 task is" : "\(moved) tasks are"
        return .data { writer in
            writer.object { writer in
                writer.member(
                    "message",
                    "\(Descriptions.quoted(project.name)) is deleted"
                        + (moved > 0 ? "; \(tasks) in the Inbox now" : ""))
                writer.member("tasks_moved_to_inbox", moved > 0)
            }
        }
    }

    private func answer(_ project: Project, _ caller: Caller) throws -> HTTPResponse {
        let now = actions.clock.now()
        let counts = try actions.store.read { try $0.projectCounts(of: caller.id, now: now) }
        return .data { writer in writer.object { project.write(to: &$0, counts: counts[project.id]) } }
    }
}

extension Project {
    /// The members of a project on the wire (api 2.4).
    ///
    /// - Parameter counts: the caller's own (L-16); nil: he has no open tasks in it.
    func write(to writer: inout JSONWriter, counts: (active: Int, overTarget: Int)?) {
        writer.member("id", id.rawValue)
        writer.member("owner_id", owner.rawValue)
        writer.member("name", name)
        writer.member("shared", shared)
        writer.member("sort_order", sortOrder)
        writer.member("color", color)
        writer.member("active_count", counts?.active ?? 0)
        writer.member("overdue_count", counts?.overTarget ?? 0)
        writer.member("created_at", createdAt.iso8601)
    }
}
