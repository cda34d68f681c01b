import ApiStore
import Crypto
import Domain
import HTTPServer
import Interfaces
import JSON

/// A81 to A86: devices and subscriptions. The push service owns them; what is said here leaves by the outbox, in
/// order with everything else, so that a registration is never lost because push is being restarted.
struct PushRoutes: RouteGroup {
    let actions: TaskActions
    let peer: PushPeer

    func add(to routes: inout HTTPRoutes<Route>) {
        routes.add("GET", "/api/push/vapid-key", Route(.anyone, answer: key))
        routes.add("POST", "/api/push/test", Route(answer: test))
        routes.add("POST", "/api/push/subscribe", Route(answer: subscribe))
        routes.add("DELETE", "/api/push/subscribe", Route(answer: unsubscribe))
        routes.add("POST", "/api/push/apns/register", Route(answer: register))
        routes.add("DELETE", "/api/push/apns/register", Route(answer: unregister))
    }

    private func key(_ request: Request) throws -> HTTPResponse {
        let key = peer.vapidKey()
        return .data { writer in
            writer.object { writer in
                writer.member("publicKey", key ?? "")
                writer.member("configured", key != nil)
            }
        }
    }

    private func test(_ request: Request) throws -> HTTPResponse {
        let endpoint = try request.fields().optionalString("endpoint")
        let reply = peer.test(user: try request.caller.id, endpoint: endpoint)
        return .data { writer in
            writer.object { writer in
                writer.member("sent", reply.sent)
                if let reason = reply.reason { writer.member("reason", reason) }
            }
        }
    }

    private func subscribe(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let endpoint = try fields.string("endpoint")
        if let refusal = PushEndpoint.check(endpoint, allowPrivate: actions.settings.allowPrivatePush) {
            throw fields.refuse("endpoint", "\(refusal)")
        }
        guard let keys = try fields.optionalObject("keys") else { throw fields.refuse("keys", "is required") }
        let key = try keys.string("p256dh")
        let auth = try keys.string("auth")
        guard let bytes = Base64URL.decode(key), (try? P256PublicKey(uncompressed: bytes)) != nil else {
            throw keys.refuse("p256dh", "is not a P-256 public key")
        }
        guard Base64URL.decode(auth)?.count == 16 else {
            throw keys.refuse("auth", "is not 16 bytes in base64url")
        }
        try post(
            .register(Push.Registration(channel: .webpush, endpoint: endpoint, p256dh: key, auth: auth)),
            request)
        return answer("subscribed")
    }

    private func unsubscribe(_ request: Request) throws -> HTTPResponse {
        let endpoint = try request.fields(required: true).string("endpoint")
        try post(.unregister(Push.Registration(channel: .webpush, endpoint: endpoint)), request)
        return answer("unsubscribed")
    }

    private func register(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let token = try deviceToken(fields)
        let bundle = try fields.string("bundle_id")
        guard (1...200).contains(bundle.utf8.count) else {
            throw fields.refuse("bundle_id", "is not a bundle id")
        }
        // Exactly `development` is the other one (2.19).
        let environment =
            try fields.optionalString("environment") == "development" ? "development" : "production"
        let caller = try request.caller
        let registration = Push.Registration(
            channel: .apns, deviceToken: token, bundleID: bundle, environment: environment)
        try actions.write { transaction in
            try transaction.post(.register(registration), to: caller.id)
            try transaction.syncBadge(of: caller.id, always: true)  // N-52
        }
        return answer("registered")
    }

    private func unregister(_ request: Request) throws -> HTTPResponse {
        let token = try deviceToken(try request.fields(required: true))
        try post(.unregister(Push.Registration(channel: .apns, deviceToken: token)), request)
        return answer("unregistered")
    }

    private func deviceToken(_ fields: Fields) throws(Failure) -> String {
        let token = try fields.string("device_token")
        guard (8...400).contains(token.utf8.count), token.allSatisfy(\.isHexDigit) else {
            throw fields.refuse("device_token", "is not a device token in hex")
        }
        return token.lowercased()
    }

    private func post(_ outgoing: Outgoing, _ request: Request) throws {
        let caller = try request.caller
        try actions.write { try $0.post(outgoing, to: caller.id) }
    }

    private func answer(_ key: JSONKey) -> HTTPResponse {
        .data { writer in writer.object { $0.member(key, true) } }
    }
}
