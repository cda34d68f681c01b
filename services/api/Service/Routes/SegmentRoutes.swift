import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A39 to A42: undated tasks that come up again.
struct SegmentRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/task-segments", Route(answer: list))
        routes.add("POST", "/api/task-segments/consider", Route(answer: consider))
        routes.add("POST", "/api/task-segments/restore", Route(answer: restore))
        routes.add("POST", "/api/task-segments/target-today", Route(answer: targetToday))
    }

    /// A39.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let now = actions.clock.now()
        let tasks = try actions.store.read { try $0.segmentTasks(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.write(
                    segments(of: tasks, now: now, prefs: caller.user.preferences), zone: caller.zone)
            }
        }
    }

    /// A40: exactly one of `task_ids` and `segment`.
    private func consider(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let ids = try taskIDs(fields)
        let key = try fields.optionalString("segment")
        let defers = try fields.optionalBool("defer")
        let result: (changed: Int, tasks: [TaskItem])
        switch (ids, key) {
        case (let ids?, nil):
            result = try actions.act(defers == true ? .defer : .consider, on: ids, caller: caller)
        case (nil, let key?):
            guard let horizon = TaskItem.Horizon(rawValue: key), TaskItem.Horizon.segments.contains(horizon)
            else { throw fields.refuse("segment", "must be days, weeks or months") }
            guard defers != false else { throw fields.refuse("defer", "a whole segment is only deferred") }
            result = try actions.deferAll(in: horizon, caller: caller)
        default:
            throw Failure.invalid("Send task_ids or segment", ["": "one of task_ids and segment"])
        }
        return answer("considered", result, caller)
    }

    /// A41.
    private func restore(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        guard let ids = try taskIDs(fields) else { throw fields.refuse("task_ids", "is required") }
        return answer("restored", try actions.act(.putBack, on: ids, caller: caller), caller)
    }

    /// A42.
    private func targetToday(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let task = try actions.targetToday(
            TaskItem.ID(rawValue: Int64(try fields.int("task_id", in: 1...Int.max))),
            version: try request.seenVersion(fields), caller: caller)
        return .data { writer in writer.object { task.write(to: &$0, zone: caller.zone) } }
    }

    /// 1 to 1,000 ids (api 1.8).
    private func taskIDs(_ fields: Fields) throws(Failure) -> [TaskItem.ID]? {
        guard let ids = try fields.optionalIDs("task_ids", limit: 1000) else { return nil }
        guard !ids.isEmpty else { throw fields.refuse("task_ids", "is empty") }
        return ids.map(TaskItem.ID.init(rawValue:))
    }

    private func answer(
        _ key: JSONKey, _ result: (changed: Int, tasks: [TaskItem]), _ caller: Caller
    ) -> HTTPResponse {
        .data { writer in
            writer.object { writer in
                writer.member(key, result.changed)
                writer.tasks("tasks", result.tasks, zone: caller.zone)
            }
        }
    }
}

extension JSONWriter {
    /// `segments` (api 2.9), a member of an object that is open.
    ///
    /// - Parameter zone: the owner's.
    mutating func write(_ segments: [Segment], zone: Zone) {
        array("segments") { writer in
            for segment in segments {
                writer.object { writer in
                    writer.member("key", segment.horizon.rawValue)
                    writer.member("label", segment.horizon.label)
                    writer.member("count", segment.waiting.count)
                    writer.tasks("tasks", segment.waiting, zone: zone)
                    writer.member("considered", segment.handled.count)
                    writer.tasks("considered_items", segment.handled, zone: zone)
                }
            }
        }
    }

    /// A list of items of one owner.
    mutating func tasks(_ key: JSONKey, _ tasks: [TaskItem], zone: Zone) {
        array(key) { writer in
            for task in tasks { writer.object { task.write(to: &$0, zone: zone) } }
        }
    }
}
