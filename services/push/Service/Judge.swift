import Crypto
import Domain
public import Interfaces
public import PushStore

/// Whether a message can be carried out. Pure; what is refused here is accepted, logged and never seen again.
public struct Judge: Sendable {
    /// `OPENTASK_PUSH_PRIVATE`.
    public var allowPrivate: Bool

    public init(allowPrivate: Bool) {
        self.allowPrivate = allowPrivate
    }

    public func judge(_ message: Push.Message) -> Incoming {
        do {
            return Incoming(message, address: try address(message))
        } catch {
            return Incoming(message, refusal: error.reason)
        }
    }

    private struct Refusal: Error {
        var reason: String
    }

    /// - Returns: the address of a registration; nil for other messages.
    private func address(_ message: Push.Message) throws(Refusal) -> Target.Address? {
        switch message.kind {
        case .alert:
            guard let alert = message.alert else { throw Refusal(reason: "an alert without alert") }
            guard !alert.collapseID.isEmpty else { throw Refusal(reason: "an alert without collapse_id") }
            guard (0...2_419_200).contains(alert.ttlSeconds) else {
                throw Refusal(reason: "ttl_seconds must be 0 to 2419200")
            }
        case .dismiss:
            guard message.dismiss != nil else { throw Refusal(reason: "a dismissal without dismiss") }
        case .badge:
            guard let badge = message.badge, badge >= 0 else {
                throw Refusal(reason: "a badge without a number")
            }
        case .register:
            guard let registration = message.registration else {
                throw Refusal(reason: "a registration without registration")
            }
            return try address(registration)
        case .unregister:
            guard let registration = message.registration,
                registration.endpoint != nil || registration.deviceToken != nil
            else { throw Refusal(reason: "nothing to unregister") }
        case .webhook:
            // Where it leads is judged when it is dialled: a refusal belongs into the webhook's own log.
            guard let event = message.event, !event.event.isEmpty else {
                throw Refusal(reason: "a webhook's event without event")
            }
        case .dropWebhook, .forgetWebhook:
            guard message.webhook != nil else { throw Refusal(reason: "no webhook is named") }
        case .dismissAll, .forgetUser: break
        }
        return nil
    }

    private func address(_ registration: Push.Registration) throws(Refusal) -> Target.Address {
        switch registration.channel {
        case .webpush: return try webPush(registration)
        case .apns:
            return .apns(
                token: try token(registration), bundleID: try bundleID(registration),
                environment: environment(registration))
        case .widget:
            guard let platform = registration.platform, ["ios", "macos", "watchos"].contains(platform) else {
                throw Refusal(reason: "platform must be ios, macos or watchos")
            }
            return .widget(
                token: try token(registration), bundleID: try bundleID(registration),
                environment: environment(registration), platform: platform, kind: registration.widgetKind)
        }
    }

    private func webPush(_ registration: Push.Registration) throws(Refusal) -> Target.Address {
        guard let endpoint = registration.endpoint else { throw Refusal(reason: "no endpoint") }
        if let refusal = PushEndpoint.check(endpoint, allowPrivate: allowPrivate) {
            throw Refusal(reason: refusal.description)
        }
        // try? : what makes bytes no key is libcrypto's affair; here it is one refusal
        guard let key = registration.p256dh.flatMap({ Base64URL.decode($0) }),
            let secret = registration.auth.flatMap({ Base64URL.decode($0) }),
            (try? WebPushRecipient(publicKey: key, authenticationSecret: secret)) != nil
        else { throw Refusal(reason: "p256dh and auth are not the keys of a subscription") }
        return .webPush(endpoint: endpoint, p256dh: key, auth: secret)
    }

    /// Apple does not promise a length; 32 bytes today.
    private func token(_ registration: Push.Registration) throws(Refusal) -> String {
        guard let token = registration.deviceToken, let bytes = Hex.decode(token),
            (8...100).contains(bytes.count)
        else { throw Refusal(reason: "device_token is not a token in hexadecimal") }
        return token.lowercased()
    }

    private func bundleID(_ registration: Push.Registration) throws(Refusal) -> String {
        guard let id = registration.bundleID, (1...155).contains(id.utf8.count),
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") })
        else { throw Refusal(reason: "bundle_id is no bundle identifier") }
        return id
    }

    private func environment(_ registration: Push.Registration) -> Target.Environment {
        registration.environment == "development" ? .development : .production
    }
}
