import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel recorded it when the connection was made (unix(7)).
public struct PeerCredentials: Hashable, Sendable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32
    /// Supplementary groups (SO_PEERGROUPS); empty when the kernel does not tell.
    public let groups: [UInt32]

    public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32] = []) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// This process: for calls that do not come over a socket.
    public static var current: PeerCredentials {
        PeerCredentials(pid: getpid(), uid: geteuid(), gid: getegid())
    }

    /// The peer of a connected Unix socket.
    init(of fd: Int32) throws(SocketError) {
        var peer = opentask_peer()
        guard opentask_peer_credentials(fd, &peer) == 0 else { throw SocketError.last("peer credentials") }
        // 65536 is Linux's own limit (NGROUPS_MAX); nobody has more than a few, so a small table is tried first.
        var groups = [UInt32](repeating: 0, count: 64)
        var count = opentask_peer_groups(fd, &groups, Int32(groups.count))
        if count < 0, errno == ERANGE {
            groups = [UInt32](repeating: 0, count: 65536)
            count = opentask_peer_groups(fd, &groups, Int32(groups.count))
        }
        self.init(
            pid: peer.pid, uid: peer.uid, gid: peer.gid, groups: Array(groups.prefix(max(Int(count), 0))))
    }
}
