import Crypto
import Domain
import HTTPClient
public import Interfaces
public import JSON
public import PushStore
public import Time

/// Messages as requests to a push service (RFC 8030).
public enum WebPushRequest {
    /// What the service worker gets (api.md 5A, N-18); nil for kinds that browsers are not told of.
    ///
    /// - Parameter base: in front of the link; empty: the browser resolves it at its own address.
    public static func payload(_ message: Push.Message, base: String) -> JSONValue? {
        switch message.kind {
        case .alert: message.alert.map { payload($0, id: message.id, base: base) }
        case .dismiss: message.dismiss.map(payload)
        case .dismissAll: ["type": "dismiss-all"]
        case .badge, .register, .unregister, .forgetUser, .webhook, .dropWebhook, .forgetWebhook: nil
        }
    }

    /// - Parameter id: the same in every attempt: a page that has shown it does not sound again.
    private static func payload(_ alert: Push.Alert, id: String, base: String) -> JSONValue {
        var data = alert.data
        data["id"] = .string(id)
        data["url"] = .string(alert.link.hasPrefix("/") ? base + alert.link : alert.link)
        var payload: [String: JSONValue] = [
            "title": .string(alert.title), "body": .string(alert.body), "data": .object(data),
            "tag": .string(alert.collapseID), "renotify": .bool(!alert.silent),
        ]
        if alert.silent || !alert.sound { payload["silent"] = true }
        if alert.webActions {
            payload["actions"] = [
                ["action": "done", "title": "Done"], ["action": "snooze", "title": "+1hr"],
            ]
        }
        return .object(payload)
    }

    private static func payload(_ dismiss: Push.Dismiss) -> JSONValue {
        var payload: [String: JSONValue] = [
            "type": "dismiss", "taskIds": .array(dismiss.taskIDs.map(JSONValue.int)),
        ]
        if !dismiss.slotIDs.isEmpty { payload["slotIds"] = .array(dismiss.slotIDs.map(JSONValue.int)) }
        return .object(payload)
    }

    /// A name by which a later message replaces one that the push service still holds (RFC 8030 section 5.4): 32
    /// characters of base64url that tell the service nothing.
    public static func topic(_ message: Push.Message) -> String? {
        switch message.kind {
        case .alert: message.alert.map { topic("\(message.user)/\($0.collapseID)") }
        case .dismissAll: topic("\(message.user)/dismiss-all")
        default: nil  // each dismissal names other tasks: none may replace another
        }
    }

    private static func topic(_ name: String) -> String {
        Base64URL.encode(Array(SHA256.hash(name).prefix(24)))
    }

    /// How long the push service shall keep it, s: what the message says, less what it has waited here.
    public static func timeToLive(_ outgoing: Outgoing, at now: Instant) -> Int {
        let left = max(0, Int(outgoing.expiresAt.seconds(since: now)))
        guard let alert = outgoing.message.alert else { return left }
        // A message that leaves at once says what its sender said, to the second.
        return now.seconds(since: outgoing.message.at) <= 60 ? alert.ttlSeconds : min(alert.ttlSeconds, left)
    }

    public static func urgency(_ message: Push.Message) -> String {
        switch message.alert?.urgency {
        case .veryLow: "very-low"
        case .low: "low"
        case .high: "high"
        case .normal, nil: "normal"
        }
    }

    /// - Throws: `CryptoError` for keys that are none and for a payload over 3993 bytes.
    static func make(
        _ outgoing: Outgoing, payload: JSONValue, base: String, tokens: VapidTokens, at now: Instant
    ) throws -> HTTPClientRequest? {
        guard case .webPush(let endpoint, let p256dh, let auth) = outgoing.target.address,
            let origin = PushEndpoint.origin(of: endpoint)
        else { return nil }
        let recipient = try WebPushRecipient(publicKey: p256dh, authenticationSecret: auth)
        var headers = [
            (name: "Authorization", value: try tokens.authorization(for: origin, at: now)),
            (name: "Content-Encoding", value: "aes128gcm"),
            (name: "Content-Type", value: "application/octet-stream"),
            (name: "TTL", value: "\(timeToLive(outgoing, at: now))"),
            (name: "Urgency", value: urgency(outgoing.message)),
        ]
        if let topic = topic(outgoing.message) { headers.append((name: "Topic", value: topic)) }
        return HTTPClientRequest(
            method: "POST", url: endpoint, headers: headers,
            body: try WebPushEncryption.encrypt(JSONCoding.encode(payload), for: recipient),
            timeout: .seconds(20), maximumReplyCount: 64 << 10)
    }
}
