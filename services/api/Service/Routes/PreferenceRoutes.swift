import ApiStore
import Domain
import HTTPServer
import JSON

/// A65, A66.
struct PreferenceRoutes: RouteGroup {
    let actions: TaskActions
    private let enrichers: InstalledEnrichers

    init(actions: TaskActions) {
        self.actions = actions
        enrichers = InstalledEnrichers(actions.settings)
    }

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/user/preferences", Route(answer: show))
        routes.add("PATCH", "/api/user/preferences", Route(answer: change))
    }

    private func show(_ request: Request) throws -> HTTPResponse {
        let user = try request.caller.user
        return try actions.store.read { try answer($0, of: user) }
    }

    private func change(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let sent = try request.fields(required: true).members.mapValues { PreferenceValue($0) }
        return try actions.write { transaction in
            guard let user = try transaction.user(caller.id) else { throw Failure.unauthorized }
            let context = try transaction.preferenceContext(of: user, enrichers)
            try transaction.change(try checkedPreferences(sent, context).orFailure(), of: user, context)
            guard let changed = try transaction.user(caller.id) else { throw Failure.unauthorized }
            return try answer(transaction, of: changed)
        }
    }

    private func answer(_ snapshot: Snapshot, of user: User) throws -> HTTPResponse {
        let shown = try snapshot.shownPreferences(
            of: user, try snapshot.preferenceContext(of: user, enrichers))
        let isEnriching = actions.settings.enrichmentEnabled
        let reader = try snapshot.readingPreferences(of: user.id).enricher ?? snapshot.enricher()
        return .data { writer in
            writer.object { writer in
                for (key, value) in shown { writer.member(named: key, value.json) }
                writer.member("ai_available", isEnriching)
                // Providers are reached through enrichers; this process has none of its own.
                writer.member("ai_sdk_available", false)
                writer.member("ai_api_available", false)
                writer.object("ai_feature_info") { writer in
                    for feature in AIFeature.allCases {
                        let mode = shown.first { $0.key == feature.modeKey }?.value.text ?? "api"
                        writer.member(
                            named: feature.rawValue,
                            feature.info(mode: mode, reader: isEnriching ? reader : nil))
                    }
                }
            }
        }
    }
}

/// What the AI settings are about (api 2.11, A72).
enum AIFeature: String, CaseIterable, Sendable {
    case enrichment
    case quickTake = "quick_take"
    case whatsNext = "whats_next"
    case insights

    var modeKey: String {
        switch self {
        case .enrichment: "ai_enrichment_mode"
        case .quickTake: "ai_quicktake_mode"
        case .whatsNext: "ai_whats_next_mode"
        case .insights: "ai_insights_mode"
        }
    }

    /// An entry of `ai_feature_info`.
    ///
    /// - Parameter reader: who reads texts; nil: nobody does.
    func info(mode: String, reader: String?) -> JSONValue {
        let name = self == .enrichment && mode != "off" ? reader : nil
        return [
            "mode": .string(mode), "provider": name.map(JSONValue.string) ?? .null,
            "provider_display": name.map { .string($0 == "builtin" ? "Built-in" : $0) } ?? .null,
            "model": .null, "model_display": .null, "available": .bool(mode == "off" || name != nil),
        ]
    }
}
