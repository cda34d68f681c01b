public import Sockets

/// Who may call a server: ready-made answers for `VarlinkServer.init`.
public enum VarlinkPermit {
    /// Root, the user that this process runs as, the users listed, and members of the groups listed.
    public static func owner(
        users: Set<UInt32> = [], groups: Set<UInt32> = []
    ) -> @Sendable (PeerCredentials) -> Bool {
        let own = PeerCredentials.current.uid
        return { peer in
            peer.uid == 0 || peer.uid == own || users.contains(peer.uid) || groups.contains(peer.gid)
                || !groups.isDisjoint(with: peer.groups)
        }
    }
}
