import ApiStore
import HTTPServer
import Synchronization
import Time

/// A64: everything of a user as a file.
struct ExportRoutes: RouteGroup {
    let actions: TaskActions
    private let under = UnderWay()

    init(actions: TaskActions) { self.actions = actions }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/export", Route(answer: export))
    }

    private func export(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let format = request.http.query["format"] ?? "json"
        let type = request.http.query["type"]
        guard ["json", "csv"].contains(format) else {
            throw Failure.invalid(field: "format", "must be json or csv")
        }
        guard type == nil || type == "tasks" || type == "projects" else {
            throw Failure.invalid(field: "type", "must be tasks or projects")
        }
        var headers = [("Cache-Control", "no-store")]
        let form: Export.Form
        if format == "json" {
            form = .everything
            headers.append(("Content-Type", "application/json"))
        } else {
            guard let type else {
                throw Failure.invalid(field: "type", "is required for csv: tasks or projects")
            }
            form = type == "tasks" ? .taskTable : .projectTable
            let today = caller.zone.date(actions.clock.now())
            headers.append(("Content-Type", "text/csv; charset=utf-8"))
            headers.append(
                ("Content-Disposition", "attachment; filename=\"opentask-\(type)-\(today).csv\""))
        }
        let place = try under.enter()
        var export = try Export(
            form, of: caller.user, from: try actions.store.hold(), now: actions.clock.now())
        let pieces = HTTPPieces {
            try withExtendedLifetime(place) { try export.next() }
        }
        return HTTPResponse(status: 200, headers: headers, body: .pieces(pieces))
    }
}

/// Exports that are going out. Each holds a state of the store, which lets the database's log grow: few at once.
private final class UnderWay: Sendable {
    static let most = 4

    private let count = Atomic(0)

    /// A place among those; given up when it goes.
    final class Place: Sendable {
        private let owner: UnderWay
        init(_ owner: UnderWay) { self.owner = owner }
        deinit { owner.count.subtract(1, ordering: .relaxed) }
    }

    func enter() throws(Failure) -> Place {
        let place = Place(self)
        guard count.add(1, ordering: .relaxed).newValue <= Self.most else {
            throw Failure(
                status: 503, code: "SERVICE_UNAVAILABLE",
                text: "\(Self.most) exports are under way: try again when one has ended",
                headers: [.init(name: "Retry-After", value: "10")])
        }
        return place
    }
}
