import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A14 to A21, A26: one item at a time.
struct TaskRoutes: RouteGroup {
    let actions: TaskActions
    private let rendered = RenderedTasks()

    init(actions: TaskActions) { self.actions = actions }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/tasks", Route(answer: list))
        routes.add("POST", "/api/tasks", Route(answer: create))
        routes.add("GET", "/api/tasks/counts", Route(answer: counts))
        routes.add("GET", "/api/tasks/{id}", Route(answer: get))
        routes.add("PATCH", "/api/tasks/{id}", Route(answer: edit))
        routes.add("DELETE", "/api/tasks/{id}", Route(answer: trash))
        routes.add("POST", "/api/tasks/{id}/done", Route(answer: complete))
        routes.add("POST", "/api/tasks/{id}/undone", Route(answer: uncomplete))
        routes.add("POST", "/api/tasks/{id}/restore", Route(answer: restore))
    }

    /// A14.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let filter = try TaskFilter(request)
        let now = actions.clock.now()
        return try actions.store.read { snapshot in
            let stamps = try snapshot.taskStamps(filter, visibleTo: caller.id, now: now)
            let tasks = try json(of: stamps, in: snapshot, caller: caller)
            return .data(capacity: tasks.reduce(256) { $0 + $1.count + 1 }) { writer in
                writer.object { writer in
                    writer.array("tasks") { writer in for json in tasks { writer.raw(json) } }
                    writer.member("count", tasks.count)
                }
            }
        }
    }

    private func json(of stamps: [TaskStamp], in snapshot: Snapshot, caller: Caller) throws -> [[UInt8]] {
        var zones = OwnerZones(caller: caller)
        let items = try stamps.map {
            RenderedTasks.Item(stamp: $0, zone: try zones.zone(of: $0.owner, in: snapshot))
        }
        var written: [(item: RenderedTasks.Item, json: [UInt8])] = []
        defer { rendered.keep(written) }
        return try zip(items, rendered.known(items)).compactMap { item, known in
            if let known { return known }
            // One snapshot: it is there.
            guard var task = try snapshot.task(item.stamp.id) else { return nil }
            if item.stamp.periodHasEnded { task.progressCurrent = 0 }
            let json = task.json(zone: item.zone)
            written.append((item, json))
            return json
        }
    }

    /// A15.
    private func create(_ request: Request) throws -> HTTPResponse {
        let task = try actions.create(try request.fields(required: true), caller: try request.caller)
        return try answer(task, request, status: 201)
    }

    /// A16.
    private func counts(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let now = actions.clock.now()
        let today = caller.zone.day(caller.zone.date(now))
        let counts = try actions.store.read { try $0.taskCounts(of: caller.id, now: now, today: today) }
        return .data { writer in
            writer.object { writer in
                writer.member("total", counts.total)
                writer.member("overdue", counts.overTarget)
                writer.member("today", counts.today)
            }
        }
    }

    /// A17.
    private func get(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let id = TaskItem.ID(rawValue: try request.id())
        let now = actions.clock.now()
        let task = try actions.store.read { snapshot in
            guard let task = try snapshot.task(id, visibleTo: caller.id) else {
                throw Failure.notFound("Task")
            }
            return try snapshot.shown([task], at: now)[0]
        }
        return try answer(task, request)
    }

    /// A18.
    private func edit(_ request: Request) throws -> HTTPResponse {
        let id = TaskItem.ID(rawValue: try request.id())
        let fields = try request.fields(required: true)
        let edited = try actions.edit(
            id, fields, version: try request.seenVersion(fields), caller: try request.caller)
        return try answer(edited.task, request) { writer in
            writer.array("fields_changed") { writer in for field in edited.fields { writer.value(field) } }
            writer.member("description", edited.description)
            if edited.stoppedAtDeadline { writer.member("stopped_at_deadline", true) }
            if edited.targetBecameAutomatic { writer.member("target_changed", "automatic") }
        }
    }

    /// A19.
    private func trash(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields()
        let task = try actions.trash(
            TaskItem.ID(rawValue: try request.id()), version: try request.seenVersion(fields),
            caller: try request.caller)
        return try answer(task, request) {
            $0.member("message", "\(Descriptions.quoted(task.title)) is in the trash")
        }
    }

    /// A20.
    private func complete(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let completed = try actions.complete(
            TaskItem.ID(rawValue: try request.id()),
            shownTarget: try fields.optionalInstant("due_at", zone: caller.zone),
            closePeriod: try fields.optionalBool("close_period") ?? false,
            version: try request.seenVersion(fields),
            caller: caller)
        return try answer(completed.task, request) { writer in
            writer.member("was_recurring", completed.wasRecurring)
            writer.member("next_due_at", completed.nextTarget?.iso8601)
            if completed.alreadyDone { writer.member("already_done", true) }
            if completed.stale { writer.member("stale", true) }
        }
    }

    /// A21.
    private func uncomplete(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields()
        let task = try actions.uncomplete(
            TaskItem.ID(rawValue: try request.id()), version: try request.seenVersion(fields),
            caller: try request.caller)
        return try answer(task, request)
    }

    /// A26.
    private func restore(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields()
        let task = try actions.restore(
            TaskItem.ID(rawValue: try request.id()), version: try request.seenVersion(fields),
            caller: try request.caller)
        return try answer(task, request)
    }

    /// The item at the top of `data`, further members behind it.
    private func answer(
        _ task: TaskItem, _ request: Request, status: Int = 200, _ more: (inout JSONWriter) -> Void = { _ in }
    ) throws -> HTTPResponse {
        let zone = try actions.zone(of: task, caller: try request.caller)
        return .data(status: status) { writer in
            writer.object { writer in
                task.write(to: &writer, zone: zone)
                more(&writer)
            }
        }
    }
}

extension TaskActions {
    /// The zone of a task's owner.
    func zone(of task: TaskItem, caller: Caller) throws -> Zone {
        if task.owner == caller.id { return caller.zone }
        return try store.read { try $0.user(task.owner)?.preferences.zone } ?? caller.zone
    }
}

/// The zones of the owners of a list's tasks, each looked up once.
struct OwnerZones {
    private var known: [UserID: Zone]
    private let own: Zone

    init(caller: Caller) {
        own = caller.zone
        known = [caller.id: caller.zone]
    }

    mutating func zone(of owner: UserID, in snapshot: Snapshot) throws -> Zone {
        if let zone = known[owner] { return zone }
        let zone = try snapshot.user(owner)?.preferences.zone ?? own
        known[owner] = zone
        return zone
    }
}

extension TaskFilter {
    /// The query of A14.
    init(_ request: Request) throws(Failure) {
        self.init()
        done = request.flag("done") ?? false
        trashed = request.flag("trashed") ?? false
        archived = request.flag("archived") ?? false
        overTarget = request.flag("overdue") ?? false
        let projectID = try request.integer("project_id", atLeast: 1)
        let sameByOldName = try request.integer("project", atLeast: 1)
        project = (projectID ?? sameByOldName).map { ProjectID(rawValue: Int64($0)) }
        label = request.http.query["label"]
        if let typed = request.http.query["search"] {
            let search = Search(typed)
            guard search.count <= Search.mostTerms else {
                throw .invalid(
                    "search takes at most \(Search.mostTerms) words", ["search": "too many words"])
            }
            self.search = search
        }
        if let word = request.http.query["kind"] {
            guard let kind = TaskItem.Kind(rawValue: word) else {
                throw .invalid("kind must be task, reminder or quota", ["kind": "unknown"])
            }
            self.kind = kind
        }
        recurring = request.flag("recurring")
        if request.flag("one_off") == true { recurring = false }
        limit = min(try request.integer("limit", atLeast: 1) ?? 200, 1000)
        offset = try request.integer("offset", atLeast: 0) ?? 0
    }
}
