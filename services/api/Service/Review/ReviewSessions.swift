import Crypto
import Domain
import Synchronization
import Time

/// A69: which numbers were given to which tasks. In memory: a number is only good for a person who has just read it.
final class ReviewSessions: Sendable {
    /// What one review showed, in the order of its numbers.
    struct Session: Sendable {
        var id: String
        var user: UserID
        var shown: [Shown]
        var expiresAt: Instant

        /// The task of a number, and the target that it was shown for (C-3).
        struct Shown: Sendable {
            var task: TaskItem.ID
            var target: Instant?
        }
    }

    static let seconds: Int64 = 3600
    /// A user's newest; older ones are forgotten, so that nobody can fill the memory.
    static let perUser = 8
    static let taskLimit = 500

    private let sessions = Mutex<[UserID: [Session]]>([:])

    /// A new session for what is shown to a user.
    func open(_ shown: [Session.Shown], for user: UserID, now: Instant) -> Session {
        let session = Session(
            id: Self.uuid(), user: user, shown: shown, expiresAt: now.adding(seconds: Self.seconds))
        keep(session, now: now)
        return session
    }

    /// Takes a session out: two requests at once do not both carry it out. Nil: unknown, another user's, or too old.
    func take(_ id: String, of user: UserID, now: Instant) -> Session? {
        sessions.withLock { sessions in
            guard let place = sessions[user]?.firstIndex(where: { $0.id == id }) else { return nil }
            let session = sessions[user]?.remove(at: place)
            if sessions[user]?.isEmpty == true { sessions[user] = nil }
            return session.flatMap { $0.expiresAt > now ? $0 : nil }
        }
    }

    /// Puts a session in, or back: what refused its actions changed nothing.
    func keep(_ session: Session, now: Instant) {
        sessions.withLock { sessions in
            var own = sessions[session.user, default: []].filter { $0.expiresAt > now }
            own.append(session)
            sessions[session.user] = own.suffix(Self.perUser)
        }
    }

    /// A random UUID (RFC 9562 section 5.4).
    static func uuid() -> String {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Hex.encode(bytes)
        var parts: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }
}
