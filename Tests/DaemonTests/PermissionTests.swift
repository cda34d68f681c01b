import Daemon
import Sockets
import Testing

@Suite("Who may call a service")
struct PermissionTests {
    private static let names: [UInt32: String] = [
        990: "opentask", 991: "opentask-push", 33: "www-data", 1000: "ann", 1001: "opentasker",
    ]

    private func permission(owners: Set<UInt32> = []) -> Permission {
        Permission(own: 500, owners: owners) { Self.names[$0] }
    }

    private func peer(_ user: UInt32) -> PeerCredentials { PeerCredentials(pid: 1, uid: user, gid: user) }

    @Test(arguments: [0, 500, 990, 991] as [UInt32])
    func `root, the service itself and the users of the services may`(_ user: UInt32) {
        #expect(permission().allows(peer(user)))
    }

    @Test(arguments: [33, 1000, 1001, 4_294_967_295] as [UInt32])
    func `nobody else may, a name that only begins alike included`(_ user: UInt32) {
        #expect(!permission().allows(peer(user)))
    }

    @Test func `the owner may`() {
        #expect(permission(owners: [1000]).allows(peer(1000)))
        #expect(!permission(owners: [1000]).allows(peer(1001)))
    }

    @Test func `OPENTASK_OWNER takes names and numbers`() throws {
        #expect(try Permission(owners: "nobody, 1000").allows(peer(65534)))
        #expect(try Permission(owners: "nobody, 1000").allows(peer(1000)))
        #expect(
            throws: ConfigurationError("OPENTASK_OWNER names a user that does not exist: \"no-such-user\"")
        ) {
            try Permission(owners: "root no-such-user")
        }
    }
}
