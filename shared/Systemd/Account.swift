import Glibc

/// The accounts of this machine: getpwuid_r(3), getpwnam_r(3). Any thread; may block when names come from a network.
public enum Account {
    /// The effective user of this process.
    public static var own: UInt32 { geteuid() }

    /// The name of a user; nil for a number that has none.
    public static func name(of user: UInt32) -> String? {
        entry { record, buffer, size, result in getpwuid_r(user, record, buffer, size, result) }.map(\.name)
    }

    /// The number of a user; nil for a name that does not exist.
    public static func number(of name: String) -> UInt32? {
        entry { record, buffer, size, result in getpwnam_r(name, record, buffer, size, result) }.map(\.number)
    }

    private typealias LookUp = (
        UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
        UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32

    private static func entry(_ lookUp: LookUp) -> (name: String, number: UInt32)? {
        var record = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // 16 KiB holds what sysconf(_SC_GETPW_R_SIZE_MAX) suggests, sixteen times over.
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let base = buffer.baseAddress, lookUp(&record, base, buffer.count, &found) == 0, let found
            else {
                return nil
            }
            return (String(cString: found.pointee.pw_name), found.pointee.pw_uid)
        }
    }
}
