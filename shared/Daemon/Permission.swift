public import Sockets
import Systemd

/// Who may call a service on its Varlink sockets: root, the service's own user, the users of the other services
/// (`opentask` and `opentask-…`), and the owners that `OPENTASK_OWNER` names.
public struct Permission: Sendable {
    private let own: UInt32
    private let owners: Set<UInt32>
    private let nameOf: @Sendable (UInt32) -> String?

    /// - Parameter owners: user names or numbers, separated by blanks or commas.
    public init(owners: String = "") throws(ConfigurationError) {
        var numbers: Set<UInt32> = []
        for word in owners.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init) {
            guard let number = UInt32(word) ?? Account.number(of: word) else {
                throw ConfigurationError("OPENTASK_OWNER names a user that does not exist: \"\(word)\"")
            }
            numbers.insert(number)
        }
        self.init(own: Account.own, owners: numbers, nameOf: Account.name)
    }

    /// - Parameter nameOf: the name of a user; nil for a number that has none.
    public init(own: UInt32, owners: Set<UInt32>, nameOf: @escaping @Sendable (UInt32) -> String?) {
        self.own = own
        self.owners = owners
        self.nameOf = nameOf
    }

    /// Whether this peer may call.
    public func allows(_ peer: PeerCredentials) -> Bool {
        let user = peer.uid
        if user == 0 || user == own || owners.contains(user) { return true }
        guard let name = nameOf(user) else { return false }
        return name == "opentask" || name.hasPrefix("opentask-")
    }
}
