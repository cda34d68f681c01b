import ApiStore
import Crypto
import Domain
import HTTPServer
import Interfaces
import JSON

/// A81 to A88: devices, subscriptions and widgets. The push service owns them; what is said here leaves by the outbox, in
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
        routes.add("POST", "/api/push/apns/widget-token", Route(answer: registerWidget))
        routes.add("DELETE", "/api/push/apns/widget-token", Route(answer: unregisterWidget))
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
        let registration = Push.Registration(
            channel: .apns, deviceToken: try token(fields, "device_token"), bundleID: try bundleID(fields),
            environment: try environment(fields))
        let caller = try request.caller
        try actions.write { transaction in
            try transaction.post(.register(registration), to: caller.id)
            try transaction.syncBadge(of: caller.id, always: true)  // N-52
        }
        return answer("registered")
    }

    private func unregister(_ request: Request) throws -> HTTPResponse {
        let token = try token(try request.fields(required: true), "device_token")
        try post(.unregister(Push.Registration(channel: .apns, deviceToken: token)), request)
        return answer("unregistered")
    }

    private func registerWidget(_ request: Request) throws -> HTTPResponse {
        let fields = try request.fields(required: true)
        let token = try token(fields, "push_token")
        let platform = try fields.string("platform")
        guard ["ios", "macos", "watchos"].contains(platform) else {
            throw fields.refuse("platform", "must be ios, macos or watchos")
        }
        let kind = try fields.optionalString("widget_kind")
        guard kind?.unicodeScalars.count ?? 0 <= 200 else {
            throw fields.refuse("widget_kind", "has at most 200 characters")
        }
        let registration = Push.Registration(
            channel: .widget, deviceToken: token, bundleID: try bundleID(fields),
            environment: try environment(fields), platform: platform, widgetKind: kind)
        try post(.register(registration), request)
        return answer("registered")
    }

    private func unregisterWidget(_ request: Request) throws -> HTTPResponse {
        let token = try token(try request.fields(required: true), "push_token")
        try post(.unregister(Push.Registration(channel: .widget, deviceToken: token)), request)
        return answer("unregistered")
    }

    /// Apple's tokens are bytes in hex; it promises no length.
    private func token(_ fields: Fields, _ key: String) throws(Failure) -> String {
        let token = try fields.string(key)
        guard (16...200).contains(token.utf8.count), Hex.decode(token) != nil else {
            throw fields.refuse(key, "is not a token in hex")
        }
        return token.lowercased()
    }

    private func bundleID(_ fields: Fields) throws(Failure) -> String {
        let bundle = try fields.string("bundle_id")
        guard (1...155).contains(bundle.unicodeScalars.count),
            bundle.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
        else { throw fields.refuse("bundle_id", "is not a bundle id") }
        return bundle
    }

    /// Exactly `development` is the other one (2.19).
    private func environment(_ fields: Fields) throws(Failure) -> String {
        try fields.optionalString("environment") == "development" ? "development" : "production"
    }

    private func post(_ outgoing: Outgoing, _ request: Request) throws {
        let caller = try request.caller
        _ = try actions.write { try $0.post(outgoing, to: caller.id) }
    }

    private func answer(_ key: JSONKey) -> HTTPResponse {
        .data { writer in writer.object { $0.member(key, true) } }
    }
}
