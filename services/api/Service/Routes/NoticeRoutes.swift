import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A80, A99: test notifications, and the log of what was decided about notifications.
struct NoticeRoutes: RouteGroup {
    let actions: TaskActions
    let peer: PushPeer

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/notifications/test", Route(answer: test))
        routes.add("GET", "/api/notifications/log", Route(answer: log))
    }

    private func test(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        guard let test = TestNotification(rawValue: try fields.string("type")) else {
            let known = TestNotification.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.refuse("type", "must be one of \(known)")
        }
        try checkThatSomethingCanArrive(caller)
        let task = try actions.testNotification(test, caller: caller)
        return .data { writer in
            writer.object { writer in
                writer.member("sent", true)
                writer.member("type", test.rawValue)
                writer.member("task_id", task.id.rawValue)
                writer.member("delay_seconds", Int(TestNotification.delay))
            }
        }
    }

    private func checkThatSomethingCanArrive(_ caller: Caller) throws {
        if try actions.store.read({ try $0.isRegistering(caller.id) }) { return }
        // try? : why push does not answer is in its log; the caller learns that it does not
        guard let count = try? peer.channelCount(of: caller.id) else { throw Failure.pushUnavailable }
        guard count > 0 else {
            throw Failure.invalid(
                "No browser and no device of yours can be reached: turn notifications on there")
        }
    }

    private func log(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let limit = try request.integer("limit", atLeast: 1) ?? 50
        guard limit <= 200 else {
            throw Failure.invalid("limit must be a whole number from 1 to 200", ["limit": "at most 200"])
        }
        let offset = try request.integer("offset", atLeast: 0) ?? 0
        let task = try request.integer("task", atLeast: 1).map { TaskItem.ID(rawValue: Int64($0)) }
        let log = NoticeLog(store: actions.store, peer: peer, now: actions.clock.now())
        let entries = try log.entries(of: caller.id, task: task, offset: offset, limit: limit)
        return .data { writer in
            writer.object { writer in
                writer.array("entries") { writer in
                    for entry in entries { writer.object { entry.write(to: &$0) } }
                }
                writer.member("count", entries.count)
            }
        }
    }
}
