public import Domain
import SQLite
public import Time

/// A request that its sender marked, so that it can be sent again without acting again.
public struct RequestKey: Hashable, Sendable {
    public let user: UserID
    /// As sent in `Idempotency-Key`.
    public let key: String
    /// Of method, target and body: a key names one request.
    public let digest: String

    public init(user: UserID, key: String, digest: String) {
        self.user = user
        self.key = key
        self.digest = digest
    }
}

/// What is known of a request that came before.
public struct AnsweredRequest: Hashable, Sendable {
    public let digest: String
    /// nil: it was carried out, and its answer has not been noted: it is on its way, or this process died before.
    public let answer: Answer?

    public struct Answer: Hashable, Sendable {
        public let status: Int
        /// JSON.
        public let body: String
    }
}

// A key is taken in the transaction of the change, so that the change happens once; the answer is noted after it.
extension Snapshot {
    /// The request that took this key within the last 24 h.
    public func request(_ key: RequestKey, now: Instant) throws -> AnsweredRequest? {
        try db.first(
            "SELECT digest, status, body FROM request WHERE user_id = ? AND key = ? AND at > ?",
            [.int(key.user.rawValue), .text(key.key), .int(now.seconds - Transaction.requestSeconds)]
        ) { row in
            AnsweredRequest(
                digest: row.text(0),
                answer: row.optionalInt(1).map { .init(status: Int($0), body: row.text(2)) })
        }
    }
}

extension Transaction {
    static let requestSeconds: Int64 = 86_400

    /// - Returns: false when a request has taken it already.
    public func take(_ key: RequestKey) throws -> Bool {
        guard try request(key, now: now) == nil else { return false }
        try db.run(
            "INSERT OR REPLACE INTO request (user_id, key, digest, at) VALUES (?, ?, ?, ?)",
            [.int(key.user.rawValue), .text(key.key), .text(key.digest), .int(now.seconds)])
        return true
    }

    /// Notes the answer to a request whose key is taken.
    public func note(status: Int, body: String, to key: RequestKey) throws {
        try db.run(
            "UPDATE request SET status = ?, body = ? WHERE user_id = ? AND key = ? AND digest = ?",
            [
                .int(Int64(status)), .text(body), .int(key.user.rawValue), .text(key.key), .text(key.digest),
            ])
    }

    func purgeRequests() throws {
        try db.run("DELETE FROM request WHERE at <= ?", [.int(now.seconds - Self.requestSeconds)])
    }
}
