import CMicrohttpd
import Glibc

/// Who is at the other end of a connection.
public enum HTTPPeer: Sendable, Hashable {
    /// The textual address without port; an IPv4 address mapped into IPv6 is given as IPv4.
    case ip(String)
    /// A process on this machine, through a Unix socket.
    case unix
}

extension HTTPPeer {
    /// As the kernel gives it with an accepted connection.
    init(_ address: sockaddr_storage) {
        var address = address
        let text = withUnsafePointer(to: &address) { pointer -> String? in
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    var ip = $0.pointee.sin_addr
                    return Self.text(AF_INET, &ip)
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                    var ip = $0.pointee.sin6_addr
                    return Self.text(AF_INET6, &ip)
                }
            default: nil
            }
        }
        guard let text else {
            self = .unix
            return
        }
        self = .ip(text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text)
    }

    private static func text(_ family: Int32, _ ip: UnsafeRawPointer) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(family, ip, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }
}
