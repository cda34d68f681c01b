import CLinux
import Glibc

/// Where a socket listens or is connected to.
public enum SocketAddress: Hashable, Sendable, CustomStringConvertible {
    case unix(path: String)
    /// A numeric address, IPv4 or IPv6.
    case tcp(host: String, port: UInt16)
    /// Anything else: a socket without a name, another family.
    case other

    public var port: UInt16? { if case .tcp(_, let port) = self { port } else { nil } }

    public var description: String {
        switch self {
        case .unix(let path): path
        case .tcp(let host, let port):
            host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .other: "unnamed"
        }
    }

    /// The address that `fd` is bound to.
    init(boundTo fd: Int32) throws(SocketError) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutableBytes(of: &storage) {
            getsockname(fd, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length)
        }
        guard code == 0 else { throw SocketError.last("getsockname") }
        self = withUnsafeBytes(of: &storage) {
            SocketAddress(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(Int(length))))
        }
    }

    private init(bytes: UnsafeRawBufferPointer) {
        self = .other
        guard bytes.count > 2 else { return }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_UNIX:
            let path = bytes.dropFirst(2).prefix { $0 != 0 }
            if !path.isEmpty { self = .unix(path: String(decoding: path, as: UTF8.self)) }
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            var address = bytes.loadUnaligned(as: sockaddr_in.self)
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET, &address.sin_addr, &text, socklen_t(text.count))
            self = .tcp(host: SocketAddress.string(text), port: UInt16(bigEndian: address.sin_port))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            var address = bytes.loadUnaligned(as: sockaddr_in6.self)
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &address.sin6_addr, &text, socklen_t(text.count))
            self = .tcp(host: SocketAddress.string(text), port: UInt16(bigEndian: address.sin6_port))
        default: break
        }
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Calls `body` with the address of a Unix socket at `path`: at most 107 bytes, no NUL.
    static func withUnix<Result>(
        path: String, step: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(SocketError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0) else { throw SocketError(code: EINVAL, step: step) }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SocketError(code: ENAMETOOLONG, step: step)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafeBytes(of: &address) { raw -> Result? in
            raw.assumingMemoryBound(to: sockaddr.self).baseAddress.map { body($0, socklen_t(raw.count)) }
        }!  // the bytes of a variable have an address
    }

    /// Tries the addresses of `host` (a name, or a numeric address) in the resolver's order until `body` returns
    /// something. What failed last is thrown.
    static func withTCP<Result>(
        host: String, port: UInt16, step: String,
        _ body: (_ family: Int32, UnsafePointer<sockaddr>, socklen_t) -> Result?
    ) throws(SocketError) -> Result {
        var hints = addrinfo()
        hints.ai_socktype = opentask_SOCK_STREAM
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else {
            throw SocketError(code: code == EAI_SYSTEM ? errno : EADDRNOTAVAIL, step: "resolve the address")
        }
        defer { freeaddrinfo(found) }
        var entry = found
        while let info = entry?.pointee {
            if let address = info.ai_addr, let result = body(info.ai_family, address, info.ai_addrlen) {
                return result
            }
            entry = info.ai_next
        }
        throw SocketError.last(step)
    }
}
