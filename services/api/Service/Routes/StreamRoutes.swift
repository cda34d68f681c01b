import HTTPServer

/// A94: the event stream.
struct StreamRoutes: RouteGroup {
    let streams: Streams

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/sync/stream", Route(answer: open))
    }

    private func open(_ request: Request) throws -> HTTPResponse {
        let stream = try streams.open(for: try request.caller, after: request.http.header("Last-Event-ID"))
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-cache, no-transform"),
                // nginx holds back what it proxies unless it is told not to.
                ("X-Accel-Buffering", "no"),
            ], body: .stream(stream))
    }
}
