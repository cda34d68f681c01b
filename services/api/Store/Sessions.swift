public import Domain
import SQLite
public import Time

/// Sign-in: sessions, tokens, failed attempts. Only hashes are stored; making and comparing secrets is the service's.
/// A token as its owner sees it.
public struct Token: Hashable, Sendable {
    public let id: Int64
    public let name: String
    /// Its last 8 characters.
    public let preview: String
    public let createdAt: Instant
    /// To the hour.
    public let lastUsed: Instant?
}

extension Snapshot {
    /// The user of an unexpired session.
    public func sessionUser(hash: String, now: Instant) throws -> UserID? {
        try db.first(
            "SELECT user_id FROM session WHERE hash = ? AND expires_at > ?", [.text(hash), .int(now.seconds)]
        ) { UserID(rawValue: $0.int(0)) }
    }

    public func sessionExpiry(hash: String) throws -> Instant? {
        try db.first("SELECT expires_at FROM session WHERE hash = ?", [.text(hash)]) {
            Instant(seconds: $0.int(0))
        }
    }

    /// The token with this hash: its id and user, and when it was last used.
    public func token(hash: String) throws -> (id: Int64, user: UserID, lastUsed: Instant?)? {
        try db.first("SELECT id, user_id, last_used_at FROM token WHERE hash = ?", [.text(hash)]) {
            ($0.int(0), UserID(rawValue: $0.int(1)), $0.optionalInt(2).map(Instant.init(seconds:)))
        }
    }

    /// Newest first (A10).
    public func tokens(of user: UserID) throws -> [Token] {
        try tokens("user_id = ?1 ORDER BY created_at DESC, id DESC", [.int(user.rawValue)])
    }

    /// Those that came about in one way, oldest first.
    public func tokens(of user: UserID, source: String) throws -> [Token] {
        try tokens("user_id = ?1 AND source = ?2 ORDER BY id", [.int(user.rawValue), .text(source)])
    }

    private func tokens(_ condition: String, _ arguments: [SQLValue]) throws -> [Token] {
        try db.query(
            "SELECT id, name, preview, created_at, last_used_at FROM token WHERE \(condition)", arguments
        ) { row in
            Token(
                id: row.int(0), name: row.text(1), preview: row.text(2),
                createdAt: Instant(seconds: row.int(3)),
                lastUsed: row.optionalInt(4).map(Instant.init(seconds:)))
        }
    }

    public func hasToken(_ id: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM token WHERE id = ?", [.int(id)]) { _ in true } ?? false
    }

    /// Until when sign-in for this name is locked; nil when it is not.
    public func lockedUntil(login: String, now: Instant) throws -> Instant? {
        try db.first(
            "SELECT locked_until FROM login_failure WHERE name_key = ? AND locked_until > ?",
            [.text(foldCase(login)), .int(now.seconds)]
        ) { Instant(seconds: $0.int(0)) }
    }
}

extension Transaction {
    public func addSession(hash: String, user: UserID, expires: Instant) throws {
        try db.run("DELETE FROM session WHERE expires_at <= ?", [.int(now.seconds)])
        try db.run(
            "INSERT INTO session (hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
            [.text(hash), .int(user.rawValue), .int(now.seconds), .int(expires.seconds)])
    }

    public func removeSession(hash: String) throws {
        try db.run("DELETE FROM session WHERE hash = ?", [.text(hash)])
    }

    public func addToken(name: String, hash: String, preview: String, source: String, user: UserID) throws
        -> Int64
    {
        try db.run(
            "INSERT INTO token (user_id, name, hash, preview, source, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            [.int(user.rawValue), .text(name), .text(hash), .text(preview), .text(source), .int(now.seconds)])
        return db.lastInsertRowID
    }

    /// - Returns: false when the user has no such token.
    public func removeToken(_ id: Int64, of user: UserID) throws -> Bool {
        try db.run("DELETE FROM token WHERE id = ? AND user_id = ?", [.int(id), .int(user.rawValue)]) == 1
    }

    public func touchToken(_ id: Int64) throws {
        try db.run("UPDATE token SET last_used_at = ? WHERE id = ?", [.int(now.seconds), .int(id)])
    }

    /// api 1.9: the fifth failure within 15 minutes locks the name for 30 s, doubling with each further one.
    public func loginFailed(_ login: String) throws {
        let present = try db.first(
            "SELECT failures, first_at FROM login_failure WHERE name_key = ?", [.text(foldCase(login))]
        ) { (Int($0.int(0)), $0.int(1)) }
        var failures = 1
        var first = now.seconds
        if let (count, since) = present, now.seconds - since < 15 * 60 {
            failures = count + 1
            first = since
        }
        let locked = failures >= 5 ? now.seconds + 30 << Int64(min(failures - 5, 10)) : nil
        try db.run(
            "INSERT OR REPLACE INTO login_failure (name_key, failures, first_at, locked_until) VALUES (?, ?, ?, ?)",
            [.text(foldCase(login)), .int(Int64(failures)), .int(first), SQLValue(locked)])
    }

    public func loginSucceeded(_ login: String) throws {
        try db.run("DELETE FROM login_failure WHERE name_key = ?", [.text(foldCase(login))])
    }
}
