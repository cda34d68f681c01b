import ApiStore
import HTTPServer
import JSON
import Synchronization
import Time

/// A1, A2.
final class SystemRoutes: RouteGroup {
    private let store: Store
    private let clock: any Clock
    private let isProbing = Atomic(false)

    init(store: Store, clock: any Clock) {
        self.store = store
        self.clock = clock
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/health", Route(.anyone) { [self] _ in health() })
        let document = Array(OpenAPIDocument.text.utf8)
        routes.add("GET", "/api/openapi", Route(.anyone) { _ in Self.answer(document) })
    }

    /// Healthy means that the database answers, and that the last write was done. Whoever asks after one that was not
    /// has it tried again, one at a time: it may take as long as another program holds the file.
    private func health() -> HTTPResponse {
        if store.trouble != nil, !isProbing.exchange(true, ordering: .acquiring) {
            store.probe(at: clock)
            isProbing.store(false, ordering: .releasing)
        }
        do {
            _ = try store.read { try $0.userCount() }
        } catch {
            return bad(store.trouble?.rawValue ?? "The database does not answer")
        }
        if let trouble = store.trouble { return bad("\(trouble.rawValue): changes are refused") }
        return .json(Array(#"{"status":"ok"}"#.utf8))
    }

    private func bad(_ message: String) -> HTTPResponse {
        var writer = JSONWriter(capacity: 128)
        writer.object { writer in
            writer.member("status", "error")
            writer.member("message", message)
        }
        return .json(status: 503, writer.bytes)
    }

    private static func answer(_ document: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [("Content-Type", "text/yaml"), ("Cache-Control", "public, max-age=3600")],
            body: .bytes(document))
    }
}
