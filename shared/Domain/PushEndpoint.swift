/// Whether an address that a browser names as its push service may be called at all: https, and out on the internet.
///
/// Only the text is judged here, by the api when it takes a subscription and by push before it keeps one. A name may
/// lead to any address later, so push also judges the address that it really dials.
public enum PushEndpoint {
    public enum Refusal: String, Hashable, Sendable, CustomStringConvertible {
        case notHTTPS, malformed, tooLong, privateAddress

        /// For the error that a person or a client sees.
        public var description: String {
            switch self {
            case .notHTTPS: "the endpoint must begin with https://"
            case .malformed: "the endpoint is no address of a push service"
            case .tooLong: "the endpoint has more than 2048 bytes"
            case .privateAddress:
                "the endpoint is in a private network (OPENTASK_PUSH_PRIVATE=true allows it)"
            }
        }
    }

    /// - Parameter allowPrivate: `OPENTASK_PUSH_PRIVATE`; https is asked for in any case.
    /// - Returns: why not; nil if the endpoint may be used.
    public static func check(_ url: String, allowPrivate: Bool) -> Refusal? {
        guard url.utf8.count <= 2048 else { return .tooLong }
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return .malformed }
        guard url.prefix(8).lowercased() == "https://" else { return .notHTTPS }
        guard let host = host(of: url) else { return .malformed }
        return allowPrivate || isPublic(host) ? nil : .privateAddress
    }

    /// The host, in lower case, an IPv6 address without its brackets; nil when there is none, or a user name, a wrong
    /// port, a fragment.
    public static func host(of url: String) -> String? {
        authority(of: url).map(\.host)
    }

    /// `https://host` or `https://host:port` (RFC 6454 section 6.2), the audience of a VAPID token (RFC 8292).
    public static func origin(of url: String) -> String? {
        guard let (host, port) = authority(of: url) else { return nil }
        let name = host.contains(":") ? "[\(host)]" : host
        return port == nil || port == 443 ? "https://\(name)" : "https://\(name):\(port ?? 443)"
    }

    private static func authority(of url: String) -> (host: String, port: UInt16?)? {
        guard url.prefix(8).lowercased() == "https://", !url.contains("#"), !url.contains("\\") else {
            return nil
        }
        let rest = url.dropFirst(8)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else { return nil }

        let host: Substring
        let tail: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            tail = authority[authority.index(after: end)...]
            guard host.contains(":"), NetworkAddress(host) != nil else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            tail = authority[host.endIndex...]
            guard isName(host) else { return nil }
        }
        guard !tail.isEmpty else { return (host.lowercased(), nil) }
        let digits = tail.dropFirst()
        guard tail.first == ":", digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits),
            port > 0
        else { return nil }
        return (host.lowercased(), port)
    }

    static func isName(_ host: Substring) -> Bool {
        guard !host.isEmpty, host.utf8.count <= 253 else { return false }
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "", labels.count > 1 { labels.removeLast() }  // the root's dot
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }

    static func isPublic(_ host: String) -> Bool {
        if let address = NetworkAddress(host) { return address.isPublic }
        let labels = host.split(separator: ".")
        guard labels.count > 1, let last = labels.last else { return false }
        // 127.1, 0x7f.0.0.1 and their like: resolvers read them as IPv4.
        if last.first?.isNumber == true { return false }
        return !["localhost", "local", "internal", "lan", "home", "test", "invalid"].contains(last)
            && !host.hasSuffix(".home.arpa") && !host.hasSuffix(".home.arpa.")
    }
}
