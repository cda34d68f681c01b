import ApiStore
import Crypto
import Domain
import HTTPServer
import Interfaces
import JSON
import Time

/// A89 to A93: webhooks. Push delivers them and keeps the log of their deliveries.
struct WebhookRoutes: RouteGroup {
    let actions: TaskActions
    let peer: PushPeer

    /// Each change is told to each of them.
    private static let mostPerUser = 50
    /// A93.
    private static let deliveries = 50

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/webhooks", Route(answer: list))
        routes.add("POST", "/api/webhooks", Route(answer: add))
        routes.add("PATCH", "/api/webhooks/{id}", Route(answer: change))
        routes.add("DELETE", "/api/webhooks/{id}", Route(answer: remove))
        routes.add("GET", "/api/webhooks/{id}/deliveries", Route(answer: log))
    }

    private func list(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let webhooks = try actions.store.read { try $0.webhooks(of: caller.id) }
        return .data { writer in
            writer.object { writer in
                writer.array("webhooks") { writer in
                    for webhook in webhooks { writer.object { write(webhook, to: &$0) } }
                }
            }
        }
    }

    private func add(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let fields = try request.fields(required: true)
        let url = try url(fields)
        let events = try events(fields)
        guard let url else { throw fields.refuse("url", "is required") }
        guard let events else { throw fields.refuse("events", "is required") }
        let made = try actions.write { transaction in
            guard try transaction.webhooks(of: caller.id).count < Self.mostPerUser else {
                throw Failure.invalid("There are \(Self.mostPerUser) webhooks already")
            }
            return try transaction.addWebhook(
                url: url, events: events, secret: Hex.encode(SecureRandom.bytes(32)), user: caller.id)
        }
        guard let made else { throw Failure.notFound("Webhook") }
        return .data(status: 201) { writer in
            writer.object { writer in
                write(made, to: &writer)
                writer.member("secret", made.secret)
            }
        }
    }

    private func change(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let id = try request.id()
        let fields = try request.fields(required: true)
        let url = try url(fields)
        let events = try events(fields)
        let isActive = try fields.given("active") { key throws(Failure) in try fields.optionalBool(key) }
        let changed = try actions.write { transaction in
            let webhook = try own(id, caller, in: transaction)
            var after = webhook
            after.url = url ?? after.url
            after.events = events ?? after.events
            after.isActive = isActive ?? after.isActive
            return after == webhook ? webhook : try transaction.update(after)
        }
        return .data { writer in writer.object { write(changed, to: &$0) } }
    }

    private func remove(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let id = try request.id()
        try actions.write { try $0.remove(try own(id, caller, in: $0)) }
        return .data { writer in writer.object { $0.member("deleted", true) } }
    }

    private func log(_ request: Request) throws -> HTTPResponse {
        let caller = try request.caller
        let id = try request.id()
        let webhook = try actions.store.read { try own(id, caller, in: $0) }
        // try? : why push does not answer is in its log and ours; the caller learns that it does not
        guard let attempts = try? peer.webhookLog(webhook, limit: Self.deliveries) else {
            throw Failure.pushUnavailable
        }
        return .data { writer in
            writer.object { writer in
                writer.array("deliveries") { writer in
                    for attempt in attempts {
                        writer.object { writer in
                            writer.member("id", attempt.id)
                            writer.member("webhook_id", attempt.webhook)
                            writer.member("event", attempt.event)
                            writer.member("payload", attempt.payload)
                            writer.member("status_code", attempt.status)
                            writer.member("error", attempt.error)
                            writer.member("attempt", attempt.attempt)
                            writer.member("created_at", attempt.at.iso8601)
                        }
                    }
                }
            }
        }
    }

    private func own(_ id: Int64, _ caller: Caller, in snapshot: Snapshot) throws -> Webhook {
        guard let webhook = try snapshot.webhook(id, of: caller.id) else {
            throw Failure.notFound("Webhook")
        }
        return webhook
    }

    private func write(_ webhook: Webhook, to writer: inout JSONWriter) {
        writer.member("id", webhook.id)
        writer.member("user_id", webhook.user.rawValue)
        writer.member("url", webhook.url)
        writer.array("events") { writer in for event in webhook.events { writer.value(event.rawValue) } }
        writer.member("active", webhook.isActive)
        writer.member("created_at", webhook.createdAt.iso8601)
        writer.member("updated_at", webhook.updatedAt.iso8601)
    }

    /// nil when absent.
    private func url(_ fields: Fields) throws(Failure) -> String? {
        let url = try fields.given("url") { key throws(Failure) in try fields.optionalString(key) }
        if let url,
            let refusal = WebhookAddress.check(url, allowPrivate: actions.settings.allowPrivateWebhooks)
        {
            throw fields.refuse("url", "\(refusal)")
        }
        return url
    }

    /// nil when absent; each once, in the order given.
    private func events(_ fields: Fields) throws(Failure) -> [WebhookEvent]? {
        let names = try fields.given("events") { key throws(Failure) in try fields.optionalStrings(key) }
        guard let names else { return nil }
        guard !names.isEmpty else { throw fields.refuse("events", "names at least one event") }
        var events: [WebhookEvent] = []
        for (index, name) in names.enumerated() {
            guard let event = WebhookEvent(rawValue: name) else {
                let known = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.refuse("events.\(index)", "must be one of \(known)")
            }
            if !events.contains(event) { events.append(event) }
        }
        return events
    }
}
