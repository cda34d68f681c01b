import Crypto
public import HTTPClient
import Interfaces
import JSON
public import PushStore
public import Time

/// Events of webhooks as requests (api section 5). Pure.
public enum WebhookRequest {
    /// - Parameters:
    ///   - now: of the attempt.
    ///   - timeout: of the whole attempt.
    /// - Returns: the request, and its body as text.
    public static func make(
        _ delivery: WebhookDelivery, timeout: Duration, at now: Instant
    ) -> (request: HTTPClientRequest, payload: String) {
        var writer = JSONWriter(capacity: delivery.event.data.utf8.count + 96)
        writer.object { writer in
            writer.member("event", delivery.event.event)
            writer.member("timestamp", now.iso8601)
            writer.member("data", json: delivery.event.data)
        }
        let code = HMACSHA256.code(writer.bytes, key: Array(delivery.event.secret.utf8))
        let request = HTTPClientRequest(
            method: "POST", url: delivery.event.url,
            headers: [
                (name: "Content-Type", value: "application/json"),
                (name: "X-OpenTask-Event", value: delivery.event.event),
                (name: "X-OpenTask-Signature", value: "sha256=\(Hex.encode(code))"),
                (name: "X-OpenTask-Delivery", value: delivery.id),
            ], body: writer.bytes, timeout: timeout, keepsBody: false)
        return (request, String(decoding: writer.bytes, as: UTF8.self))
    }

    /// What an outcome means: any 2xx is a success, everything else a failure, a redirect too.
    public static func ending(_ outcome: HTTPSender.Outcome, timeout: Duration) -> WebhookEnding {
        switch outcome {
        case .success(let reply) where (200...299).contains(reply.status):
            .delivered(status: reply.status)
        case .success(let reply) where (300...399).contains(reply.status):
            .failed(
                status: reply.status,
                error: "The receiver answered \(reply.status); redirects are not followed")
        case .success(let reply):
            .failed(status: reply.status, error: "The receiver answered \(reply.status)")
        case .failure(let error) where error.reason == .stopped: .interrupted
        case .failure(let error): .failed(status: nil, error: words(error, timeout))
        }
    }

    private static func words(_ error: HTTPClientError, _ timeout: Duration) -> String {
        switch error.reason {
        case .addressRefused: "The address is link-local or private, where no webhook may lead"
        case .timedOut: "The receiver did not answer within \(timeout.components.seconds) s"
        case .unresolved: "The name of the receiver has no address"
        case .unreachable: "The receiver could not be reached"
        case .insecure: "The receiver's certificate is not to be trusted (\(error))"
        case .invalidRequest: "The address is none"
        case .broken, .tooLarge, .stopped: "The connection broke (\(error))"
        }
    }
}
