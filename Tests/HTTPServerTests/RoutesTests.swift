import HTTPServer
import Testing

@Suite("HTTPRoutes")
struct RoutesTests {
    let routes: HTTPRoutes<String> = {
        var routes = HTTPRoutes<String>()
        routes.add("GET", "/", "root")
        routes.add("GET", "/api/tasks", "list")
        routes.add("POST", "/api/tasks", "create")
        routes.add("GET", "/api/tasks/{id}", "one")
        routes.add("PATCH", "/api/tasks/{id}", "change")
        routes.add("POST", "/api/tasks/bulk", "bulk")
        routes.add("POST", "/api/tasks/{id}/snooze", "snooze")
        routes.add("GET", "/api/{kind}/{id}/history", "history")
        routes.add("GET", "/files/{path...}", "file")
        routes.add("HEAD", "/files/logo", "own head")
        return routes
    }()

    private func found(_ method: String, _ path: String) -> String {
        switch routes.lookup(method, path: path) {
        case .found(let name, let parameters):
            ([name] + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        case .methodNotAllowed(let allow): "405 " + allow.joined(separator: ", ")
        case .notFound: "404"
        }
    }

    @Test(arguments: [
        ("GET", "/", "root"),
        ("GET", "/api/tasks", "list"),
        ("POST", "/api/tasks", "create"),
        ("GET", "/api/tasks/17", "one id=17"),
        ("PATCH", "/api/tasks/17", "change id=17"),
        ("POST", "/api/tasks/17/snooze", "snooze id=17"),
        ("GET", "/files/a/b.js", "file path=a/b.js"),
        ("GET", "/api/tasks/a%2Fb%20c", "one id=a/b c"),
        ("GET", "/%61pi/tasks", "list"),
    ])
    func `a path leads to its route, with its parameters decoded`(method: String, path: String, route: String)
    {
        #expect(found(method, path) == route)
    }

    @Test func `a text wins over a parameter, and a better beginning that leads nowhere is given up`() {
        #expect(found("POST", "/api/tasks/bulk") == "bulk")
        #expect(found("POST", "/api/tasks/bulk/snooze") == "snooze id=bulk")
        #expect(found("GET", "/api/tasks/17/history") == "history id=17 kind=tasks")
    }

    @Test func `a known path with another method is not allowed, and says which methods are`() {
        #expect(found("DELETE", "/api/tasks") == "405 GET, HEAD, POST")
        #expect(found("PUT", "/api/tasks/17") == "405 GET, HEAD, PATCH")
        // The route that fits best decides, although {id} has a GET.
        #expect(found("GET", "/api/tasks/bulk") == "405 POST")
        #expect(found("BREW", "/api/tasks/17/snooze") == "405 POST")
    }

    @Test func `HEAD is served as GET unless it has a route`() {
        #expect(found("HEAD", "/api/tasks/17") == "one id=17")
        #expect(found("HEAD", "/files/logo") == "own head")
        #expect(found("HEAD", "/api/tasks/bulk") == "405 POST")
    }

    @Test(arguments: [
        "/api", "/api/tasks/", "/api/tasks/17/", "/api/tasks/17/x/y", "/files", "/files/", "*", "", "/%zz",
    ])
    func `an unknown path is not found, and a slash at the end counts`(path: String) {
        #expect(found("GET", path) == "404")
    }
}
