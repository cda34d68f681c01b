import HTTPClient
public import Interfaces
import JSON
import Log
import PushStore
import Time

/// The ways out of the house, fitted out with their keys: makes requests of deliveries, and verdicts of answers.
public final class Channels: Sendable {
    private let base: String
    private let vapid: VapidTokens
    private let apns: (settings: ApnsSettings, tokens: ApnsTokens)?

    /// In place of a contact that nobody named: the name says so, and can belong to nobody (RFC 2606).
    static let unknownContact = "mailto:contact-not-set@opentask.invalid"

    /// - Throws: when no key was given and none can be read or made in the state folder.
    public init(_ settings: PushSettings) throws {
        base = settings.publicURL ?? ""
        let key = try settings.vapidKey ?? P256Secret.kept(at: settings.keptKeyPath)
        vapid = VapidTokens(key: key, subject: settings.vapidSubject ?? Channels.unknownContact)
        apns = try settings.apns.map { ($0, try ApnsTokens($0)) }
    }

    /// base64url of 65 bytes, for browsers.
    public var vapidPublicKey: String { vapid.publicKey }

    /// Those that can send. Widget pushes are not sent yet; their tokens are kept.
    public var configured: Set<Push.Channel> { apns == nil ? [.webpush] : [.webpush, .apns] }

    /// The request that carries out a delivery.
    ///
    /// - Throws: for a message that this target can never get; the error's description says why.
    func request(for outgoing: Outgoing, at now: Instant) throws -> HTTPClientRequest {
        let request: HTTPClientRequest?
        switch outgoing.target.channel {
        case .webpush:
            request = try WebPushRequest.payload(outgoing.message, base: base).flatMap {
                try WebPushRequest.make(outgoing, payload: $0, base: base, tokens: vapid, at: now)
            }
        case .apns:
            guard let apns else { throw Unsendable(description: "APNs is not configured") }
            request = try ApnsRequest.make(outgoing, settings: apns.settings, tokens: apns.tokens, at: now)
        case .widget: request = nil
        }
        guard let request else { throw Unsendable(description: "not for this channel") }
        return request
    }

    /// The test notification of a subscription (api.md A82).
    func test(_ target: Target, at now: Instant) throws -> HTTPClientRequest? {
        let message = Push.Message(
            id: "test", user: target.user, kind: .alert, at: now,
            alert: Push.Alert(
                title: "OpenTask", body: "Notifications work in this browser", link: "/", thread: "ot-tasks",
                collapseID: "test", urgency: .high, ttlSeconds: 60))
        let outgoing = Outgoing(
            delivery: 0, target: target, message: message, expiresAt: now.adding(seconds: 60), attempt: 1,
            isSwapped: false)
        guard case .object(var payload) = WebPushRequest.payload(message, base: base) else { return nil }
        payload["test"] = true
        return try WebPushRequest.make(
            outgoing, payload: .object(payload), base: base, tokens: vapid, at: now)
    }

    func verdict(_ outcome: HTTPSender.Outcome, of outgoing: Outgoing, jitter: Double, at now: Instant)
        -> Verdict
    {
        switch outcome {
        case .failure(let error):
            return .failure(error, attempt: outgoing.attempt, jitter: jitter, at: now)
        case .success(let reply):
            guard outgoing.target.channel == .apns else {
                return .webPush(reply, attempt: outgoing.attempt, jitter: jitter, at: now)
            }
            let verdict = Verdict.apns(
                reply, isSwapped: outgoing.isSwapped, attempt: outgoing.attempt, jitter: jitter, at: now)
            if verdict.fault == .apnsTokenExpired { apns?.tokens.renew(at: now) }
            return verdict
        }
    }
}

/// A message that a target can never get.
struct Unsendable: Error, CustomStringConvertible {
    var description: String
}
