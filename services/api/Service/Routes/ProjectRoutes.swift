import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A47, A48, A50, A51: projects and labels.
struct ProjectRoutes: RouteGroup {
    let actions: TaskActions

    private static let colors = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "gray"]

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/projects", Route(answer: projects))
        routes.add("POST", "/api/projects", Route(answer: addProject))
        routes.add("GET", "/api/labels", Route(answer: labels))
        routes.add("POST", "/api/labels", Route(answer: addLabel))
    }

    private func projects(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let now = actions.clock.now()
        return try actions.store.read { snapshot in
            let projects = try snapshot.projects(visibleTo: caller.id)
            let counts = try snapshot.projectCounts(of: caller.id, now: now)
            return .data { writer in
                writer.object { writer in
                    writer.array("projects") { writer in
                        for project in projects {
                            writer.object { write(project, counts[project.id] ?? (0, 0), to: &$0) }
                        }
                    }
                    writer.member("count", projects.count)
                }
            }
        }
    }

    private func write(
        _ project: Project, _ counts: (active: Int, overTarget: Int), to writer: inout JSONWriter
    ) {
        writer.member("id", project.id.rawValue)
        writer.member("owner_id", project.owner.rawValue)
        writer.member("name", project.name)
        writer.member("shared", project.shared)
        writer.member("sort_order", project.sortOrder)
        writer.member("color", project.color)
        writer.member("active_count", counts.active)
        writer.member("overdue_count", counts.overTarget)
        writer.member("created_at", project.createdAt.iso8601)
    }

    private func addProject(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let name = try fields.string("name").trimmed
        guard (1...200).contains(name.unicodeScalars.count) else {
            throw fields.refuse("name", "has 1 to 200 characters")
        }
        guard name.lowercased() != "inbox" else { throw fields.refuse("name", "Inbox is reserved") }
        let shared = try fields.optionalBool("shared") ?? false
        let order = try fields.optionalInt("sort_order", in: 0...1_000_000)
        let asked = try color(fields)
        let project = try actions.write { transaction in
            let used = Set(
                try transaction.projects(visibleTo: caller.id).filter { $0.owner == caller.id }.compactMap(
                    \.color))
            let free = Self.colors.filter { !used.contains($0) }
            let id = try transaction.addProject(
                name: name, owner: caller.id, shared: shared, sortOrder: order,
                color: asked ?? free.randomElement() ?? Self.colors.randomElement())
            for user in shared ? try transaction.userIDs() : [caller.id] {
                try transaction.addEvent(.sync, for: user)
            }
            return try transaction.project(id)
        }
        guard let project else { throw Failure.notFound("Project") }
        return .data(status: 201) { writer in writer.object { write(project, (0, 0), to: &$0) } }
    }

    private func color(_ fields: Fields) throws(Failure) -> String? {
        guard let color = try fields.optionalString("color") else { return nil }
        guard Self.colors.contains(color) else {
            throw fields.refuse("color", "must be one of \(Self.colors.joined(separator: ", "))")
        }
        return color
    }

    private func labels(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let labels = try actions.store.read { try $0.labels(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.array("labels") { writer in
                    for label in labels { writer.object { write(label, to: &$0) } }
                }
                writer.member("count", labels.count)
            }
        }
    }

    private func write(_ label: Label, to writer: inout JSONWriter) {
        writer.member("id", label.id)
        writer.member("user_id", label.user.rawValue)
        writer.member("name", label.name)
        writer.member("facet", label.facet)
        writer.member("icon", label.icon)
        writer.member("color", label.color)
        writer.member("created_at", label.createdAt.iso8601)
    }

    private func addLabel(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let name = try fields.string("name").trimmed
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw fields.refuse("name", "has 1 to 100 characters")
        }
        guard !name.lowercased().hasPrefix("ai-") else {
            throw fields.refuse("name", "names that begin with ai- are reserved")
        }
        let facet = try fields.optionalString("facet") ?? "domain"
        guard ["domain", "operational"].contains(facet) else {
            throw fields.refuse("facet", "must be domain or operational")
        }
        let icon = try fields.optionalString("icon")
        guard (icon?.unicodeScalars.count ?? 0) <= 100 else {
            throw fields.refuse("icon", "has at most 100 characters")
        }
        let color = try color(fields)
        let label = try actions.write { transaction in
            try transaction.register(label: name, of: caller.id, facet: facet, icon: icon, color: color)
            try transaction.addEvent(.sync, for: caller.id)
            return try transaction.label(named: name, of: caller.id)
        }
        guard let label else { throw Failure.notFound("Label") }
        return .data { writer in writer.object { write(label, to: &$0) } }
    }
}
