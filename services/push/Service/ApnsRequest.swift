import Crypto
import HTTPClient
public import Interfaces
public import JSON
import PushStore
import Time

/// Messages as requests to Apple's push service (clients.md B.2).
public enum ApnsRequest {
    /// Longest payload, bytes.
    public static let maximumPayloadCount = 4096

    public struct Content: Sendable {
        public var payload: JSONValue
        /// `alert` or `background`.
        public var pushType: String
        /// 10: at once; 5: when it suits the device's battery.
        public var priority: Int
        public var collapseID: String?
    }

    /// Nil for kinds that devices are not told of.
    ///
    /// - Parameter hasBadge: false for a watch, which is told no number (N-51).
    public static func content(_ message: Push.Message, hasBadge: Bool = true) -> Content? {
        switch message.kind {
        case .alert:
            message.alert.map {
                Content(
                    payload: payload($0, hasBadge: hasBadge), pushType: "alert", priority: 10,
                    collapseID: $0.collapseID)
            }
        case .badge:
            message.badge.map {
                // An alert push, not a silent one: those are throttled, and the number would stick.
                Content(
                    payload: ["aps": ["badge": .int(Int64($0))]], pushType: "alert", priority: 10,
                    collapseID: "badge-update")
            }
        case .dismiss:
            message.dismiss.map {
                Content(payload: payload($0), pushType: "background", priority: 5, collapseID: nil)
            }
        case .dismissAll:
            Content(
                payload: ["aps": ["content-available": 1], "type": "dismiss-all"], pushType: "background",
                priority: 5,
                collapseID: nil)
        case .register, .unregister, .forgetUser, .webhook, .dropWebhook, .forgetWebhook: nil
        }
    }

    private static func payload(_ alert: Push.Alert, hasBadge: Bool) -> JSONValue {
        var aps: [String: JSONValue] = [
            "alert": ["title": .string(alert.title), "body": .string(alert.body)],
            "thread-id": .string(alert.thread),
            "interruption-level": .string(level(alert.level)),
        ]
        if let category = alert.category { aps["category"] = .string(category) }
        if let badge = alert.badge, hasBadge { aps["badge"] = .int(Int64(badge)) }
        if alert.sound, !alert.silent {
            aps["sound"] =
                alert.level == .critical
                ? ["critical": 1, "name": "default", "volume": .double(min(max(alert.volume ?? 1, 0), 1))]
                : "default"
        }
        // Custom keys stand beside `aps`, and never in its place.
        return .object(alert.data.merging(["aps": .object(aps)]) { $1 })
    }

    private static func payload(_ dismiss: Push.Dismiss) -> JSONValue {
        var payload: [String: JSONValue] = [
            "aps": ["content-available": 1], "type": "dismiss",
            "taskIds": .array(dismiss.taskIDs.map(JSONValue.int)),
        ]
        if !dismiss.slotIDs.isEmpty { payload["slotIds"] = .array(dismiss.slotIDs.map(JSONValue.int)) }
        return .object(payload)
    }

    private static func level(_ level: Push.Alert.Level) -> String {
        switch level {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "time-sensitive"
        case .critical: "critical"
        }
    }

    /// At most 64 bytes of plain characters: a longer one is replaced by its hash.
    static func collapseHeader(_ id: String) -> String {
        let isPlain = id.utf8.count <= 64 && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? id : Base64URL.encode(Array(SHA256.hash(id).prefix(24)))
    }

    /// A UUID that stays the same for all attempts of a message at a device, so that Apple's logs and ours can be
    /// laid side by side.
    static func identifier(_ outgoing: Outgoing) -> String {
        let digits = Array(
            Hex.encode(Array(SHA256.hash("\(outgoing.message.id)/\(outgoing.target.id)").prefix(16))))
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return groups.map { String($0) }.joined(separator: "-")
    }

    static func make(
        _ outgoing: Outgoing, settings: ApnsSettings, tokens: ApnsTokens, at now: Instant
    ) throws -> HTTPClientRequest? {
        guard case .apns(let token, let bundleID, let registered) = outgoing.target.address,
            let content = content(outgoing.message, hasBadge: outgoing.target.hasBadge)
        else { return nil }
        let environment = outgoing.isSwapped ? registered.other : registered
        let host = environment == .production ? settings.productionURL : settings.sandboxURL
        let body = try JSONCoding.encode(content.payload)
        guard body.count <= maximumPayloadCount else { throw TooLong() }
        var headers = [
            (name: "authorization", value: try tokens.authorization(at: now)),
            (name: "apns-id", value: identifier(outgoing)),
            (name: "apns-topic", value: bundleID),
            (name: "apns-push-type", value: content.pushType),
            (name: "apns-priority", value: "\(content.priority)"),
            (name: "apns-expiration", value: "\(outgoing.expiresAt.seconds)"),
            (name: "content-type", value: "application/json"),
        ]
        if let id = content.collapseID {
            headers.append((name: "apns-collapse-id", value: collapseHeader(id)))
        }
        return HTTPClientRequest(
            method: "POST", url: "\(host)/3/device/\(token)", headers: headers, body: body,
            timeout: .seconds(20),
            maximumReplyCount: 64 << 10)
    }

    struct TooLong: Error, CustomStringConvertible {
        var description: String { "payload over 4096 bytes" }
    }
}
