import ApiStore
import Domain
import Time

/// Who asks, and how he showed it (api 1.2).
struct Caller: Sendable {
    enum Method: Sendable, Equatable {
        case token(id: Int64)
        case proxy
        /// The hash of the session's cookie.
        case session(hash: String)
        /// Over the service's own socket.
        case local
    }

    let user: User
    let method: Method

    var id: UserID { user.id }
    var zone: Zone { user.preferences.zone }

    /// N-35: what a script or an app did is told by a banner, what the page did it shows itself.
    var isToken: Bool {
        if case .token = method { true } else { false }
    }
}
