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
        return allowPrivate || URLAuthority.isPublic(host) ? nil : .privateAddress
    }

    /// The host, in lower case, an IPv6 address without its brackets; nil when there is none, or a user name, a wrong
    /// port, a fragment.
    public static func host(of url: String) -> String? {
        authority(of: url)?.host
    }

    /// `https://host` or `https://host:port` (RFC 6454 section 6.2), the audience of a VAPID token (RFC 8292).
    public static func origin(of url: String) -> String? {
        guard let authority = authority(of: url) else { return nil }
        let name = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
        guard let port = authority.port, port != 443 else { return "https://\(name)" }
        return "https://\(name):\(port)"
    }

    private static func authority(of url: String) -> URLAuthority? {
        guard url.prefix(8).lowercased() == "https://", !url.contains("#"), !url.contains("\\") else {
            return nil
        }
        return URLAuthority(url.dropFirst(8).prefix { $0 != "/" && $0 != "?" })
    }
}
