import ApiStore
import HTTPServer

/// A1, A2.
struct SystemRoutes: RouteGroup {
    let store: Store

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/health", Route(.anyone) { _ in health() })
        let document = Array(OpenAPIDocument.text.utf8)
        routes.add("GET", "/api/openapi", Route(.anyone) { _ in Self.answer(document) })
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

    private static func answer(_ document: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/yaml"), ("Cache-Control", "public, max-age=3600")],
            body: .bytes(document))
    }
}
