import ApiStore
import Crypto
import HTTPServer
import Time

/// `Idempotency-Key` (api 1.12, domain A-4): the same request again within 24 h gets the answer that it got, and
/// changes nothing.
///
/// ```
///   first time:  write { take key · change } ──► answer ──► note answer
///   again:       key is taken ──► the answer noted; none yet: 409, and nothing is written
/// ```
struct Repetitions: Sendable {
    let store: Store
    let clock: any Clock

    /// The key of the request that this thread carries out; its change takes it.
    @TaskLocal static var current: RequestKey?

    /// Thrown out of a change whose key is taken.
    struct Repeated: Error {}

    /// The key of a request that has one and may have one.
    func key(of request: HTTPRequest, caller: Caller?) throws(Failure) -> RequestKey? {
        guard request.method == "POST" || request.method == "PATCH", let caller,
            let key = request.header("Idempotency-Key")
        else { return nil }
        guard (1...255).contains(key.utf8.count) else {
            throw .invalid("An Idempotency-Key has 1 to 255 bytes")
        }
        let query = request.queryItems.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        var content = Array("\(request.method) \(request.path)?\(query)\n".utf8)
        content += request.body
        return RequestKey(user: caller.id, key: key, digest: Hex.encode(SHA256.hash(content)))
    }

    /// - Parameter keeping: false: what the request answers is not stored; a repetition is told that it was carried out.
    func answer(
        _ key: RequestKey, keeping: Bool = true, _ first: () throws -> HTTPResponse
    ) throws -> HTTPResponse {
        if let again = try answered(key) { return again }
        do {
            let response = try Self.$current.withValue(key, operation: first)
            if keeping, case .bytes(let body) = response.body {
                // try? : the change is made and its answer goes out; a repetition will be told that it was carried out
                try? store.write(at: clock) {
                    try $0.note(
                        status: response.status, body: String(decoding: body, as: UTF8.self), to: key)
                }
            }
            return response
        } catch is Repeated {
            guard let again = try answered(key) else {
                throw Failure.conflict("This request was carried out")
            }
            return again
        }
    }

    private func answered(_ key: RequestKey) throws -> HTTPResponse? {
        let now = clock.now()
        guard let request = try store.read({ try $0.request(key, now: now) }) else { return nil }
        guard request.digest == key.digest else {
            throw Failure.invalid("This Idempotency-Key was sent with another request")
        }
        guard let answer = request.answer else {
            throw Failure.conflict("This request was carried out; its answer is not known")
        }
        return .json(status: answer.status, Array(answer.body.utf8))
    }
}
