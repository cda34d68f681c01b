import HTTPClient
import PushService
import PushStore
import Testing
import Time

private let now = Instant(seconds: 1_800_000_000)

private func reply(_ status: Int, _ body: String = "", retryAfter: String? = nil) -> HTTPClientReply {
    HTTPClientReply(
        status: status, headers: retryAfter.map { [("retry-after", $0)] } ?? [], body: Array(body.utf8))
}

private func reason(_ reason: String) -> String { #"{"reason":"\#(reason)"}"# }

/// The kind of an ending, without its words.
private enum Kind: String, Sendable {
    case sent, retry, swap, failed, gone, interrupted

    init(_ ending: Ending) {
        self =
            switch ending {
            case .sent: .sent
            case .retry: .retry
            case .swap: .swap
            case .failed: .failed
            case .gone: .gone
            case .interrupted: .interrupted
            }
    }
}

@Suite("RFC 8030, RFC 8292 What a push service's answer means")
struct WebPushVerdictTests {
    private struct Row: Sendable {
        var status: Int
        var kind: Kind
        var fault: Verdict.Fault?
    }

    @Test(
        arguments: [
            Row(status: 200, kind: .sent), Row(status: 201, kind: .sent), Row(status: 202, kind: .sent),
            Row(status: 301, kind: .failed), Row(status: 307, kind: .failed),
            Row(status: 400, kind: .failed, fault: .vapidRefused),
            Row(status: 401, kind: .failed, fault: .vapidRefused),
            Row(status: 403, kind: .failed, fault: .vapidRefused),
            Row(status: 404, kind: .gone), Row(status: 410, kind: .gone),
            Row(status: 405, kind: .failed), Row(status: 408, kind: .retry), Row(status: 413, kind: .failed),
            Row(status: 429, kind: .retry), Row(status: 500, kind: .retry), Row(status: 502, kind: .retry),
            Row(status: 503, kind: .retry), Row(status: 507, kind: .retry),
        ] as [Row])
    private func `N-18 only 404 and 410 drop a subscription, only what may pass is tried again`(_ row: Row) {
        let verdict = Verdict.webPush(reply(row.status), attempt: 1, jitter: 0, at: now)
        #expect(Kind(verdict.ending) == row.kind)
        #expect(verdict.fault == row.fault)
    }

    @Test func `Retry-After is the least wait`() {
        let verdict = Verdict.webPush(reply(429, retryAfter: "120"), attempt: 1, jitter: 0, at: now)
        #expect(verdict.ending == .retry(at: now.adding(seconds: 121), status: 429, reason: "answered 429"))
    }
}

@Suite("N-54 What Apple's answer means")
struct ApnsVerdictTests {
    private struct Row: Sendable {
        var status: Int
        var reason: String
        var isSwapped = false
        var kind: Kind
        var fault: Verdict.Fault?
    }

    @Test(
        arguments: [
            Row(status: 200, reason: "", kind: .sent),
            Row(status: 400, reason: "BadDeviceToken", kind: .swap),
            Row(status: 400, reason: "BadDeviceToken", isSwapped: true, kind: .gone),
            Row(status: 400, reason: "DeviceTokenNotForTopic", kind: .failed),
            Row(status: 400, reason: "BadTopic", kind: .failed),
            Row(status: 400, reason: "PayloadEmpty", kind: .failed),
            Row(status: 403, reason: "InvalidProviderToken", kind: .failed, fault: .apnsRefused),
            Row(status: 403, reason: "BadCertificate", kind: .failed, fault: .apnsRefused),
            Row(status: 403, reason: "ExpiredProviderToken", kind: .retry, fault: .apnsTokenExpired),
            Row(status: 404, reason: "BadPath", kind: .failed),
            Row(status: 405, reason: "MethodNotAllowed", kind: .failed),
            Row(status: 410, reason: "Unregistered", kind: .gone),
            Row(status: 410, reason: "ExpiredToken", kind: .gone),
            Row(status: 413, reason: "PayloadTooLarge", kind: .failed),
            Row(status: 429, reason: "TooManyRequests", kind: .retry),
            Row(status: 429, reason: "TooManyProviderTokenUpdates", kind: .retry),
            Row(status: 500, reason: "InternalServerError", kind: .retry),
            Row(status: 503, reason: "ServiceUnavailable", kind: .retry),
            Row(status: 503, reason: "Shutdown", kind: .retry),
        ] as [Row])
    private func `a device is dropped when it is gone, or when both environments call its token bad`(
        _ row: Row
    ) {
        let verdict = Verdict.apns(
            reply(row.status, reason(row.reason)), isSwapped: row.isSwapped, attempt: 1, jitter: 0, at: now)
        #expect(Kind(verdict.ending) == row.kind)
        #expect(verdict.fault == row.fault)
    }

    @Test func `the instant since when a device is gone is taken over`() {
        let body = #"{"reason":"Unregistered","timestamp":1799999000123}"#
        let verdict = Verdict.apns(reply(410, body), isSwapped: false, attempt: 1, jitter: 0, at: now)
        #expect(
            verdict.ending
                == .gone(since: Instant(seconds: 1_799_999_000), status: 410, reason: "Unregistered"))
    }

    @Test(arguments: ["", "no JSON", "[]", #"{"reason":1}"#])
    func `an answer without a reason is judged by its status`(body: String) {
        let verdict = Verdict.apns(reply(400, body), isSwapped: false, attempt: 1, jitter: 0, at: now)
        #expect(verdict.ending == .failed(status: 400, reason: "refused: 400"))
    }
}

@Suite("No answer at all")
struct FailureVerdictTests {
    private struct Row: Sendable {
        var reason: HTTPClientError.Reason
        var kind: Kind
    }

    @Test(
        arguments: [
            Row(reason: .unresolved, kind: .retry), Row(reason: .unreachable, kind: .retry),
            Row(reason: .insecure, kind: .retry), Row(reason: .timedOut, kind: .retry),
            Row(reason: .broken, kind: .retry), Row(reason: .addressRefused, kind: .failed),
            Row(reason: .invalidRequest, kind: .failed), Row(reason: .tooLarge, kind: .failed),
            Row(reason: .stopped, kind: .interrupted),
        ] as [Row])
    private func `what may pass is tried again`(_ row: Row) {
        let verdict = Verdict.failure(HTTPClientError(row.reason), attempt: 1, jitter: 0, at: now)
        #expect(Kind(verdict.ending) == row.kind)
    }
}

@Suite("Back-off")
struct BackoffTests {
    private struct Row: Sendable {
        var attempt: Int
        var least, most: Int64
    }

    @Test(
        arguments: [
            Row(attempt: 1, least: 1, most: 2), Row(attempt: 2, least: 2, most: 4),
            Row(attempt: 3, least: 4, most: 8), Row(attempt: 9, least: 256, most: 512),
            Row(attempt: 10, least: 450, most: 900), Row(attempt: 1000, least: 450, most: 900),
        ] as [Row])
    private func `it doubles up to 15 minutes, of that between the half and the whole`(_ row: Row) {
        let wait = { (jitter: Double) in
            Backoff.next(attempt: row.attempt, asked: nil, jitter: jitter, at: now).seconds(since: now)
        }
        #expect(wait(0) == row.least)
        #expect(wait(1) == row.most)
        #expect((row.least...row.most).contains(wait(0.4)))
    }

    @Test func `a push service may ask for more, up to a day, and not for less`() {
        let next = { (seconds: Int64) in
            Backoff.next(attempt: 5, asked: now.adding(seconds: seconds), jitter: 1, at: now).seconds(
                since: now)
        }
        #expect(next(3600) == 3600)
        #expect(next(1) == 32)
        #expect(next(1_000_000) == 86_400)
    }

    /// The date is the example of RFC 9110; `now` lacks its fraction of a second, hence the one more.
    @Test(
        arguments: [
            ("0", 1), ("120", 121), ("999999999", 86_401),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 - 1_800_000_000),
        ] as [(String, Int64)])
    func `RFC 9110 10 2 3: seconds or a date`(text: String, seconds: Int64) {
        #expect(Backoff.retryAfter(text, at: now) == now.adding(seconds: seconds))
    }

    @Test(
        arguments: [
            nil, "", "-1", "1.5", "soon", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        ] as [String?])
    func `anything else is no Retry-After`(text: String?) {
        #expect(Backoff.retryAfter(text, at: now) == nil)
    }
}
