import Crypto
import Domain
import JSON
import Synchronization
import Time

/// VAPID (RFC 8292): who we are, to a push service. One signed token per origin, kept for as long as it holds.
final class VapidTokens: Sendable {
    /// Tokens hold 12 h, where RFC 8292 section 2 allows 24, and are renewed an hour before their end: a clock that is
    /// off by minutes hurts nobody.
    static let lifetime: Int64 = 12 * 3600
    static let renewBefore: Int64 = 3600

    let publicKey: String
    private let key: P256PrivateKey
    private let subject: String
    private let kept = Mutex<[String: (token: String, expires: Instant)]>([:])

    init(key: P256Secret, subject: String) {
        self.key = key.key
        self.subject = subject
        publicKey = Base64URL.encode(key.publicKey)
    }

    /// The value of `Authorization` for a request to `origin`.
    func authorization(for origin: String, at now: Instant) throws -> String {
        if let (token, expires) = kept.withLock({ $0[origin] }),
            expires > now.adding(seconds: VapidTokens.renewBefore),
            expires <= now.adding(seconds: VapidTokens.lifetime)  // else the clock was set back
        {
            return token
        }
        let expires = now.adding(seconds: VapidTokens.lifetime)
        let claims = JSONValue.object([
            "aud": .string(origin), "exp": .int(expires.seconds), "sub": .string(subject),
        ])
        let token = try key.jsonWebToken(
            header: Array(#"{"alg":"ES256","typ":"JWT"}"#.utf8), claims: JSONCoding.encode(claims))
        let value = "vapid t=\(token), k=\(publicKey)"
        kept.withLock { $0[origin] = (value, expires) }
        return value
    }
}

/// The token that Apple's service asks for: signed by our key, renewed after 50 minutes, since Apple refuses one that
/// is older than an hour, and a provider that makes new ones more often than every 20 minutes.
final class ApnsTokens: Sendable {
    static let lifetime: Int64 = 50 * 60
    static let leastAge: Int64 = 20 * 60

    private let key: P256PrivateKey
    private let header: [UInt8]
    private let teamID: String
    private let kept = Mutex<(token: String, issued: Instant)?>(nil)

    init(_ settings: ApnsSettings) throws {
        key = settings.key.key
        teamID = settings.teamID
        header = try JSONCoding.encode(JSONValue.object(["alg": "ES256", "kid": .string(settings.keyID)]))
    }

    /// The value of `authorization`.
    func authorization(at now: Instant) throws -> String {
        if let (token, issued) = kept.withLock({ $0 }),
            (0..<ApnsTokens.lifetime).contains(now.seconds(since: issued))
        {
            return token
        }
        let claims = JSONValue.object(["iss": .string(teamID), "iat": .int(now.seconds)])
        let token = "bearer " + (try key.jsonWebToken(header: header, claims: JSONCoding.encode(claims)))
        kept.withLock { $0 = (token, now) }
        return token
    }

    /// Apple says that the token has expired: the next request gets a new one, if it may have one yet.
    func renew(at now: Instant) {
        kept.withLock { kept in
            if let issued = kept?.issued, now.seconds(since: issued) >= ApnsTokens.leastAge { kept = nil }
        }
    }
}
