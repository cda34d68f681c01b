import ApiStore
import Domain
import HTTPServer
import JSON
import Time

/// A22, A29, A35 to A38: quotas and their reminders.
struct QuotaRoutes: RouteGroup {
    let actions: TaskActions

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/quotas", Route(answer: list))
        routes.add("POST", "/api/tasks/{id}/progress", Route(answer: logProgress))
        routes.add("POST", "/api/tasks/bulk/complete", Route(answer: complete))
        routes.add("POST", "/api/quota-prompts/consider", Route { try act(.consider, $0) })
        routes.add("POST", "/api/quota-prompts/did", Route { try act(.did, $0) })
        routes.add("POST", "/api/quota-prompts/restore", Route { try act(.putBack, $0) })
    }

    /// A35.
    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let now = actions.clock.now()
        return try actions.store.read { snapshot in
            let (open, hasAny) = try snapshot.quotas(visibleTo: caller.id)
            let quotas = quotasInOrder(try snapshot.shown(open, at: now))
            return .data(capacity: 256 + 1536 * quotas.count) { writer in
                writer.object { writer in
                    writer.array("quotas") { writer in
                        // No zone matters: a quota has no next occurrence.
                        for quota in quotas { writer.raw(quota.json(zone: caller.zone)) }
                    }
                    writer.member("total", quotas.count)
                    writer.member("has_any", hasAny)
                }
            }
        }
    }

    /// A22.
    private func logProgress(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields()
        let delta = try fields.optionalInt("delta", in: -1000...1000) ?? 1
        guard delta != 0 else { throw fields.refuse("delta", "must not be 0") }
        let progressed = try actions.logProgress(
            TaskItem.ID(rawValue: try request.id()), delta: delta, version: try request.seenVersion(fields),
            caller: caller)
        let quota = progressed.quota
        return .data { writer in
            writer.object { writer in
                quota.write(to: &writer, zone: caller.zone)
                writer.member("met", progressed.isMet)
                writer.member("description", "\(quota.progressCurrent)/\(quota.progressTarget)")
            }
        }
    }

    /// A36 to A38.
    private func act(_ act: QuotaPromptAct, _ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let keys = try request.fields(required: true).promptKeys("keys")
        let quotas = try actions.act(on: keys.map { PromptAction(key: $0, act: act) }, caller: caller)
        return .data(capacity: 256 + 1536 * quotas.count) { writer in
            writer.object { writer in
                if act == .putBack {
                    writer.member("restored", keys.count)
                } else {
                    writer.member("considered", act == .consider ? keys.count : 0)
                    writer.member("did", act == .did ? keys.count : 0)
                }
                writer.array("tasks") { writer in
                    for quota in quotas { writer.raw(quota.json(zone: caller.zone)) }
                }
            }
        }
    }

    /// A29.
    private func complete(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let ids = (try fields.optionalIDs("ids", limit: Fields.bulkLimit) ?? []).map(
            TaskItem.ID.init(rawValue:))
        let prompts = try fields.promptActions("prompts")
        guard !ids.isEmpty || !prompts.isEmpty else {
            throw Failure.invalid("Send ids or prompts", ["ids": "is empty", "prompts": "is empty"])
        }
        let done = try actions.completeChecked(
            ids, prompts: prompts, closePeriod: try fields.optionalBool("close_period") ?? false,
            caller: try request.caller)
        return .data { writer in
            writer.object { writer in
                done.write(to: &writer)
                writer.member("prompts_considered", done.promptsConsidered)
                writer.member("prompts_did", done.promptsDid)
            }
        }
    }
}

extension Fields {
    /// api 1.8.
    private static let promptKeyLengths = 1...64

    /// PromptKeys: 1 to 1,000, each once.
    fileprivate func promptKeys(_ key: String) throws(Failure) -> [String] {
        guard let texts = try optionalStrings(key) else { throw refuse(key, "is required") }
        guard (1...Self.bulkLimit).contains(texts.count) else {
            throw refuse(key, "has 1 to \(Self.bulkLimit) keys")
        }
        var keys: [String] = []
        var known: Set<String> = []
        for (index, text) in texts.enumerated() {
            try checkPromptKey(text, "\(key).\(index)")
            if known.insert(text).inserted { keys.append(text) }
        }
        return keys
    }

    /// PromptActions: a bare key considers. 0 to 1,000, each key once; of two acts on one, did it is meant.
    fileprivate func promptActions(_ key: String) throws(Failure) -> [PromptAction] {
        let values: [JSONValue]
        switch members[key] {
        case nil, .null: return []
        case .array(let array): values = array
        default: throw refuse(key, "must be a list of quota reminders")
        }
        guard values.count <= Self.bulkLimit else { throw refuse(key, "has at most \(Self.bulkLimit) keys") }
        var actions: [PromptAction] = []
        var places: [String: Int] = [:]
        for (index, value) in values.enumerated() {
            let action: PromptAction
            switch value {
            case .string(let text): action = PromptAction(key: text, act: .consider)
            case .object(let members):
                let fields = Fields(members, path: "\(key).\(index).")
                for name in members.keys.sorted() where name != "key" && name != "did" {
                    throw fields.refuse(name, "is not known here")
                }
                let did = try fields.given("did", fields.optionalBool) ?? false
                action = PromptAction(key: try fields.string("key"), act: did ? .did : .consider)
            default: throw refuse("\(key).\(index)", "must be a key or an object with one")
            }
            try checkPromptKey(action.key, "\(key).\(index)")
            if let place = places[action.key] {
                if action.act == .did { actions[place].act = .did }
            } else {
                places[action.key] = actions.count
                actions.append(action)
            }
        }
        return actions
    }

    private func checkPromptKey(_ text: String, _ name: String) throws(Failure) {
        guard Self.promptKeyLengths.contains(text.unicodeScalars.count) else {
            throw refuse(name, "a key has 1 to 64 characters")
        }
    }
}
