import ApiStore
import HTTPServer

/// A1.
struct SystemRoutes: RouteGroup {
    let store: Store

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/health", Route(.anyone) { _ in health() })
    }

    /// Healthy means that the database answers.
    private func health() -> HTTPResponse {
        do {
            _ = try store.read { try $0.userCount() }
            return .json(Array(#"{"status":"ok"}"#.utf8))
        } catch {
            return .json(
                status: 503,
                Array(#"{"status":"error","message":"the database does not answer, see the log"}"#.utf8))
        }
    }
}
