import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A47 to A49: the user's registry of labels.
struct LabelRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/labels", Route(answer: list))
        routes.add("POST", "/api/labels", Route(answer: add))
        routes.add("DELETE", "/api/labels/{name}", Route(answer: remove))
    }

    /// A47.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let labels = try actions.store.read { try $0.labels(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.array("labels") { writer in
                    for label in labels { writer.object { label.write(to: &$0) } }
                }
                writer.member("count", labels.count)
            }
        }
    }

    /// A48.
    private func add(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let name = try labelName(try fields.string("name")).orFailure()
        let facet = try fields.optionalString("facet") ?? "domain"
        guard ["domain", "operational"].contains(facet) else {
            throw fields.refuse("facet", "must be domain or operational")
        }
        let icon = try fields.optionalString("icon")
        guard (icon?.unicodeScalars.count ?? 0) <= 100 else {
            throw fields.refuse("icon", "has at most 100 characters")
        }
        let color = try fields.optionalColor("color")
        let label = try actions.write { transaction in
            if let present = try transaction.label(named: name, of: caller.id) { return present }
            try transaction.register(label: name, of: caller.id, facet: facet, icon: icon, color: color)
            try transaction.addEvent(.sync, for: caller.id)
            guard let made = try transaction.label(named: name, of: caller.id) else {
                throw Failure.notFound("Label")
            }
            return made
        }
        return .data { writer in writer.object { label.write(to: &$0) } }
    }

    /// A49.
    private func remove(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields()
        try actions.removeLabel(
            named: request.parameters["name"] ?? "",
            fromTasks: try fields.optionalBool("remove_from_tasks") ?? false, caller: try request.caller)
        return .data { writer in writer.object { $0.member("deleted", true) } }
    }
}

extension TaskActions {
    /// L-6.
    fileprivate func removeLabel(named name: String, fromTasks: Bool, caller: Caller) throws {
        try write { transaction in
            guard let label = try transaction.label(named: name.trimmed, of: caller.id) else {
                throw Failure.notFound("Label")
            }
            try transaction.deregister(label: label.id)
            let tasks = fromTasks ? try transaction.tasks(labelled: label.name, of: caller.id) : []
            guard !tasks.isEmpty else { return try transaction.addEvent(.sync, for: caller.id) }
            let items = tasks.map { task in
                var after = task
                after.labels = editedLabels(task.labels, removing: [label.name])
                return ItemChange(task, after)
            }
            try transaction.record(
                Change(
                    actor: caller.id, action: .bulkEdit,
                    description: Descriptions.unlabelled(tasks, label: label.name), items: items))
        }
    }
}

extension Label {
    /// The members of a label on the wire (api 2.5).
    func write(to writer: inout JSONWriter) {
        writer.member("id", id)
        writer.member("user_id", user.rawValue)
        writer.member("name", name)
        writer.member("facet", facet)
        writer.member("icon", icon)
        writer.member("color", color)
        writer.member("created_at", createdAt.iso8601)
    }
}

extension Fields {
    /// One of the colours of 2.4.
    func optionalColor(_ key: String) throws(Failure) -> String? {
        guard let color = try optionalString(key) else { return nil }
        guard Palette.colors.contains(color) else {
            throw refuse(key, "must be one of \(Palette.colors.joined(separator: ", "))")
        }
        return color
    }
}
