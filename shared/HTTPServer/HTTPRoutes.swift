/// A table from method and path to whatever answers it.
///
/// A pattern is a path whose segments are texts, `{name}` (any one segment that is not empty) or, as the last,
/// `{name...}` (one or more segments, joined by slashes). A text wins over `{name}`, that over `{name...}`,
/// segment by segment from the left; a better beginning that leads nowhere is given up for the next best.
/// The method comes after the path: a path that has a pattern but not for this method is not allowed, even if a
/// less fitting pattern has it. HEAD is GET where it has no route of its own. A slash at the end counts.
///
/// Looking up takes one dictionary access per segment, however many patterns there are.
public struct HTTPRoutes<Handler: Sendable>: Sendable {
    public enum Match: Sendable {
        /// The parameters are percent-decoded.
        case found(Handler, parameters: [String: String])
        /// The path is known. `allow` is what the `Allow` header lists (RFC 9110 section 10.2.1), sorted.
        case methodNotAllowed(allow: [String])
        case notFound
    }

    private struct Route: Sendable {
        var handler: Handler
        var parameters: [String]
    }

    /// A place in the tree, by index into `nodes`; so the tree is one value.
    private struct Node: Sendable {
        var texts: [String: Int] = [:]
        var parameter: Int?
        var rest: Int?
        var routes: [String: Route] = [:]
    }

    private var nodes = [Node()]

    /// What was added, in that order.
    public private(set) var patterns: [(method: String, path: String)] = []

    public init() {}

    /// Adds a route. A malformed pattern, or a second route for the same, is a mistake of ours and ends the process.
    public mutating func add(_ method: String, _ pattern: String, _ handler: Handler) {
        precondition(pattern.hasPrefix("/"), "a pattern begins with a slash: \(pattern)")
        patterns.append((method, pattern))
        var parameters: [String] = []
        var place = 0
        for step in Self.steps(pattern) {
            if let name = step.parameter { parameters.append(name) }
            place = descend(from: place, by: step)
        }
        precondition(nodes[place].routes[method] == nil, "two routes for \(method) \(pattern)")
        nodes[place].routes[method] = Route(handler: handler, parameters: parameters)
    }

    /// Looks a request up by its decoded segments. (`HTTPRequest.segments`)
    public func lookup(_ method: String, _ segments: [String]) -> Match {
        var values: [String] = []
        guard let place = find(segments[...], from: 0, &values) else { return .notFound }
        let routes = nodes[place].routes
        guard let route = routes[method] ?? (method == "HEAD" ? routes["GET"] : nil) else {
            var allow = Set(routes.keys)
            if allow.contains("GET") { allow.insert("HEAD") }
            return .methodNotAllowed(allow: allow.sorted())
        }
        guard !values.isEmpty else { return .found(route.handler, parameters: [:]) }
        return .found(
            route.handler, parameters: Dictionary(zip(route.parameters, values), uniquingKeysWith: { $1 }))
    }

    /// Looks a path up that is still percent-encoded; a malformed one is not found.
    public func lookup(_ method: String, path: String) -> Match {
        guard let segments = try? RequestTarget.segments(of: Array(path.utf8)[...]) else { return .notFound }
        return lookup(method, segments)
    }

    public func lookup(_ request: HTTPRequest) -> Match { lookup(request.method, request.segments) }

    private func find(_ segments: ArraySlice<String>, from place: Int, _ values: inout [String]) -> Int? {
        guard let segment = segments.first else {
            return nodes[place].routes.isEmpty ? nil : place
        }
        let later = segments.dropFirst()
        if let next = nodes[place].texts[segment], let end = find(later, from: next, &values) { return end }
        if segment.isEmpty { return nil }
        if let next = nodes[place].parameter {
            values.append(segment)
            if let end = find(later, from: next, &values) { return end }
            values.removeLast()
        }
        if let next = nodes[place].rest {
            values.append(segments.joined(separator: "/"))
            return next
        }
        return nil
    }

    private mutating func descend(from place: Int, by step: Step) -> Int {
        let new = nodes.count
        switch step {
        case .text(let text):
            if let next = nodes[place].texts[text] { return next }
            nodes[place].texts[text] = new
        case .parameter:
            if let next = nodes[place].parameter { return next }
            nodes[place].parameter = new
        case .rest:
            if let next = nodes[place].rest { return next }
            nodes[place].rest = new
        }
        nodes.append(Node())
        return new
    }

    private static func steps(_ pattern: String) -> [Step] {
        if pattern == "/" { return [] }
        let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        return segments.enumerated().map { index, segment in
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else { return .text(String(segment)) }
            let name = segment.dropFirst().dropLast()
            guard name.hasSuffix("...") else { return .parameter(String(name)) }
            precondition(index == segments.count - 1, "{name...} is the last segment: \(pattern)")
            return .rest(String(name.dropLast(3)))
        }
    }

    private enum Step {
        case text(String)
        case parameter(String)
        case rest(String)

        var parameter: String? {
            switch self {
            case .text: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }
}
