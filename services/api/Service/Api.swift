import ApiStore
import Crypto
import Domain
public import HTTPServer
import JSON
import Log
import Time

/// The HTTP side of the service: finds the operation, finds out who asks, answers in the envelope.
public final class Api: HTTPHandler {
    private let routes: HTTPRoutes<Route>
    private let authentication: Authentication
    private let pages: Pages
    private let repetitions: Repetitions
    private let log: Logger

    public init(_ parts: Parts) {
        authentication = Authentication(store: parts.store, clock: parts.clock, settings: parts.settings)
        pages = Pages(folders: parts.settings.webPaths)
        repetitions = Repetitions(store: parts.store, clock: parts.clock)
        log = parts.log
        let actions = TaskActions(
            store: parts.store, clock: parts.clock, commits: parts.commits, settings: parts.settings)
        let groups: [any RouteGroup] = [
            SystemRoutes(store: parts.store, clock: parts.clock),
            SignInRoutes(parts: parts, authentication: authentication),
            TaskRoutes(actions: actions),
            SnoozeRoutes(actions: actions),
            BulkRoutes(actions: actions),
            SingleRoutes(actions: actions),
            ReviewRoutes(actions: actions),
            RecurrenceRoutes(actions: actions),
            ReminderRoutes(actions: actions),
            SegmentRoutes(actions: actions),
            PeriodRoutes(actions: actions),
            QuotaRoutes(actions: actions),
            UndoRoutes(actions: actions),
            LabelRoutes(actions: actions),
            ProjectRoutes(actions: actions),
            TokenRoutes(actions: actions),
            TrashRoutes(actions: actions),
            StatisticRoutes(actions: actions),
            ExportRoutes(actions: actions),
            PushRoutes(actions: actions, peer: parts.push),
            WebhookRoutes(actions: actions, peer: parts.push),
            PreferenceRoutes(actions: actions),
            NotificationRoutes(actions: actions, authentication: authentication),
            NoticeRoutes(actions: actions, peer: parts.push),
            EnrichRoutes(parts),
            AIStatusRoutes(actions: actions, enrich: parts.enrich),
            AdviceRoutes(
                actions: actions, advisor: parts.advisor, enrich: parts.enrich,
                insightRuns: parts.insightRuns),
            ErrorRoutes(parts),
            TestRoutes(actions: actions, log: parts.log),
            StreamRoutes(streams: parts.streams),
        ]
        var routes = HTTPRoutes<Route>()
        for group in groups { group.add(to: &routes) }
        self.routes = routes
    }

    /// Every route: method and pattern of the path, `/api/tasks/{id}`.
    public var operations: [(method: String, path: String)] { routes.patterns }

    public func bodyLimit(method: String, path: String) -> Int {
        guard case .found(let route, _) = routes.lookup(method, path: path) else {
            return Route.ordinaryLimit
        }
        return route.bodyLimit
    }

    public func respond(to request: HTTPRequest) -> HTTPResponse {
        answer(request) {
            guard Self.isUnambiguous(request) else {
                throw Failure.invalid("The request says its host or its length twice")
            }
            _ = try request.sitePrefix()
            guard request.segments.first == "api" else {
                return try pages.answer(request) { try self.authentication.caller(of: request) != nil }
            }
            let (route, parameters) = try find(request)
            let caller: Caller?
            switch route.access {
            case .anyone: caller = nil
            case .user:
                caller = try authentication.caller(of: request)
                if caller == nil { throw Failure.unauthorized }
            case .token:
                guard request.header("Authorization") != nil,
                    let found = try authentication.caller(of: request),
                    found.isToken
                else { throw Failure.unauthorized }
                caller = found
            }
            try authentication.checkSite(of: request, caller: caller)
            let call = Request(http: request, parameters: parameters, signedIn: caller)
            guard let key = try repetitions.key(of: request, caller: caller) else {
                return try route.answer(call)
            }
            return try repetitions.answer(key, keeping: !route.answersSecret) { try route.answer(call) }
        }
    }

    /// RFC 9112 sections 3.2 and 6.3: a proxy in front might read such a request in another way than we do.
    private static func isUnambiguous(_ request: HTTPRequest) -> Bool {
        request.headers("Host").count <= 1 && request.headers("Content-Length").count <= 1
            && (request.header("Content-Length") == nil || request.header("Transfer-Encoding") == nil)
    }

    /// The same operation for somebody whom the service's own socket has let in.
    func respond(to request: HTTPRequest, as user: User) -> HTTPResponse {
        answer(request) {
            let (route, parameters) = try find(request)
            return try route.answer(
                Request(
                    http: request, parameters: parameters, signedIn: Caller(user: user, method: .local)))
        }
    }

    public func refuse(_ refusal: HTTPRefusal) -> HTTPResponse {
        switch refusal {
        case .bodyTooLarge(let limit): HTTPResponse(Failure.tooLarge(limit))
        default: HTTPResponse(Failure.invalid("The request is not valid HTTP"))
        }
    }

    private func find(_ request: HTTPRequest) throws(Failure) -> (Route, [String: String]) {
        switch routes.lookup(request) {
        case .found(let route, let parameters): return (route, parameters)
        case .methodNotAllowed(let allow): throw .methodNotAllowed(allow)
        case .notFound: throw .notFound("Path")
        }
    }

    /// The one table of errors to answers.
    private func answer(_ request: HTTPRequest, _ body: () throws -> HTTPResponse) -> HTTPResponse {
        do {
            return try body()
        } catch let failure as Failure {
            return HTTPResponse(failure)
        } catch let error as StoreFailure where error.trouble != nil {
            if error.isNews { log(.error, "the storage fails", ["error": "\(error)", "path": request.path]) }
            return HTTPResponse(Failure(error))
        } catch {
            let id = SecureRandom.token(bytes: 6)
            log(.error, "an operation failed", ["id": id, "path": request.path, "error": "\(error)"])
            return HTTPResponse(Failure.internal(id: id))
        }
    }
}
