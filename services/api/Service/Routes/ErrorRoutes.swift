import HTTPServer
import JSON
import Time

/// A95: pages report their own errors. No credentials: a page that cannot sign in reports too.
struct ErrorRoutes: RouteGroup {
    let clock: any Clock
    private let reports: ErrorReports

    init(_ parts: Parts) {
        clock = parts.clock
        reports = ErrorReports(log: parts.log)
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("POST", "/api/errors/report", Route(.anyone, answer: take))
    }

    private static let types: Set<String> = ["js_error", "promise_rejection", "react_error", "sw_error"]

    /// Nobody reads the answer, so it never has a body.
    private func take(_ request: Request) -> HTTPResponse {
        guard let report = try? Self.report(request.fields(required: true)) else { return answer(400) }
        reports.take(report, now: clock.now())
        return answer(204)
    }

    private static func report(_ fields: Fields) throws(Failure) -> ErrorReport {
        let type = try fields.string("type")
        guard types.contains(type) else { throw fields.refuse("type", "is not a kind of error") }
        return ErrorReport(
            type: type, message: try fields.string("message"), stack: try fields.optionalString("stack"),
            url: try fields.optionalString("url"))
    }

    private func answer(_ status: Int) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Cache-Control", "no-store")])
    }
}
