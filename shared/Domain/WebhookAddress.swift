/// Where webhooks may lead (api D21): http or https, and into private networks as well, since a home's receivers are
/// there, but never to a link-local address.
///
/// The text is judged when somebody writes it; the address that is really dialled is judged again, since a name may
/// lead anywhere later.
public enum WebhookAddress {
    public enum Refusal: Hashable, Sendable, CustomStringConvertible {
        case malformed, tooLong, privateAddress, linkLocal

        /// For the error that a person or a client sees.
        public var description: String {
            switch self {
            case .malformed: "must be an absolute address like https://example.org/hook"
            case .tooLong: "has at most 2048 bytes"
            case .privateAddress: "is in a private network, which this server does not allow"
            case .linkLocal: "is a link-local address"
            }
        }
    }

    /// - Parameter allowPrivate: `OPENTASK_WEBHOOK_PRIVATE`.
    /// - Returns: why not; nil if it may be used.
    public static func check(_ url: String, allowPrivate: Bool) -> Refusal? {
        guard url.utf8.count <= 2048 else { return .tooLong }
        guard let host = host(of: url) else { return .malformed }
        if let address = NetworkAddress(host) {
            if address.isLinkLocal { return .linkLocal }
            return allowPrivate || address.isPublic ? nil : .privateAddress
        }
        return allowPrivate || URLAuthority.isPublic(host) ? nil : .privateAddress
    }

    /// Whether this address may be dialled for a webhook.
    public static func mayDial(_ address: NetworkAddress, allowPrivate: Bool) -> Bool {
        !address.isLinkLocal && (allowPrivate || address.isPublic)
    }

    /// The host in lower case, an IPv6 address without its brackets; nil for what is no http or https URL of printable
    /// ASCII. A user name and a password may stand before it: some receivers ask for them.
    static func host(of url: String) -> String? {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("\\") else { return nil }
        let scheme = url.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()), url[scheme.endIndex...].hasPrefix("://") else {
            return nil
        }
        let rest = url[url.index(scheme.endIndex, offsetBy: 3)...]
        var authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.firstIndex(of: "@") {
            authority = authority[authority.index(after: at)...]
            guard !authority.contains("@") else { return nil }
        }
        return URLAuthority(authority)?.host
    }
}
