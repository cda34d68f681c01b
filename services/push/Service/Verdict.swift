public import HTTPClient
import JSON
public import PushStore
public import Time

/// What an answer means. Pure: answer, attempt, time and chance in; what to do out.
public struct Verdict: Hashable, Sendable {
    /// What a person has to mend, or we ourselves; nothing of the message's or the device's fault.
    public enum Fault: Hashable, Sendable {
        /// 400, 401, 403 of a push service: it does not like our key or its contact.
        case vapidRefused
        /// 403 of Apple's service: it does not like our key, its id or the team's.
        case apnsRefused
        /// Apple's service wants a newer token.
        case apnsTokenExpired
    }

    public var ending: Ending
    public var fault: Fault?

    public init(_ ending: Ending, fault: Fault? = nil) {
        self.ending = ending
        self.fault = fault
    }
}

extension Verdict {
    /// A push service's answer (RFC 8030 section 5, RFC 8292 section 4.2).
    ///
    /// - Parameter jitter: 0 to 1, see `Backoff`.
    public static func webPush(
        _ reply: HTTPClientReply, attempt: Int, jitter: Double, at now: Instant
    ) -> Verdict {
        let status = reply.status
        switch status {
        case 200...299: return Verdict(.sent(status: status))
        case 404, 410: return Verdict(.gone(since: nil, status: status, reason: "subscription gone"))
        case 408, 425, 429, 500...599:
            return Verdict(later(reply, "answered \(status)", attempt, jitter, now))
        case 413: return Verdict(.failed(status: status, reason: "too large for the push service"))
        case 400, 401, 403:
            return Verdict(.failed(status: status, reason: "refused: \(status)"), fault: .vapidRefused)
        default: return Verdict(.failed(status: status, reason: "refused: \(status)"))
        }
    }

    /// Apple's answer; its reasons are those of "Handling notification responses from APNs" (N-54).
    ///
    /// - Parameter isSwapped: the other environment was tried, after BadDeviceToken from the registered one.
    public static func apns(
        _ reply: HTTPClientReply, isSwapped: Bool, attempt: Int, jitter: Double, at now: Instant
    ) -> Verdict {
        let status = reply.status
        // try? : an answer without a reason is judged by its status
        let answer = try? JSONValue(parsing: reply.body)
        let reason = String((answer?["reason"]?.string ?? "refused: \(status)").prefix(64))
        switch (status, reason) {
        case (200...299, _): return Verdict(.sent(status: status))
        case (410, _):
            let since = answer?["timestamp"]?.int.map { Instant(seconds: $0 / 1000) }
            return Verdict(.gone(since: since, status: status, reason: reason))
        case (400, "BadDeviceToken"):
            return Verdict(
                isSwapped
                    ? .gone(since: nil, status: status, reason: "\(reason) in both environments")
                    : .swap(status: status, reason: reason))
        case (403, "ExpiredProviderToken"):
            return Verdict(later(reply, reason, attempt, jitter, now), fault: .apnsTokenExpired)
        case (401, _), (403, _): return Verdict(.failed(status: status, reason: reason), fault: .apnsRefused)
        case (429, _), (500...599, _): return Verdict(later(reply, reason, attempt, jitter, now))
        default: return Verdict(.failed(status: status, reason: reason))
        }
    }

    /// There was no answer.
    public static func failure(
        _ error: HTTPClientError, attempt: Int, jitter: Double, at now: Instant
    ) -> Verdict {
        switch error.reason {
        case .stopped: Verdict(.interrupted)
        case .invalidRequest, .tooLarge: Verdict(.failed(status: nil, reason: error.description))
        case .addressRefused:
            Verdict(.failed(status: nil, reason: "the endpoint leads into a private network"))
        case .unresolved, .unreachable, .insecure, .timedOut, .broken:
            Verdict(
                .retry(
                    at: Backoff.next(attempt: attempt, asked: nil, jitter: jitter, at: now), status: nil,
                    reason: error.description))
        }
    }

    private static func later(
        _ reply: HTTPClientReply, _ reason: String, _ attempt: Int, _ jitter: Double, _ now: Instant
    ) -> Ending {
        let asked = Backoff.retryAfter(reply.header("retry-after"), at: now)
        return .retry(
            at: Backoff.next(attempt: attempt, asked: asked, jitter: jitter, at: now), status: reply.status,
            reason: reason)
    }
}
