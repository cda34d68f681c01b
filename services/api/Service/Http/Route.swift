import HTTPServer

/// One operation of the API: who may call it, how large its body may be, what it does.
struct Route: Sendable {
    enum Access: Sendable {
        /// No credentials are asked for.
        case anyone
        /// Any method of api 1.2.
        case user
        /// A Bearer token, nothing else.
        case token
    }

    /// 1 MiB (api 1.8).
    static let ordinaryLimit = 1 << 20

    let access: Access
    let bodyLimit: Int
    /// The answer holds a secret that is stored as a hash only: it is not kept for a repetition of the request.
    let answersSecret: Bool
    let answer: @Sendable (Request) throws -> HTTPResponse

    init(
        _ access: Access = .user, bodyLimit: Int = Route.ordinaryLimit, answersSecret: Bool = false,
        answer: @escaping @Sendable (Request) throws -> HTTPResponse
    ) {
        self.access = access
        self.bodyLimit = bodyLimit
        self.answersSecret = answersSecret
        self.answer = answer
    }
}

/// A subject's operations: adds them to the table.
protocol RouteGroup: Sendable {
    func add(to routes: inout HTTPRoutes<Route>)
}
