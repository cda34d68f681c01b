/// Host and port of a URL (RFC 3986 section 3.2), read more strictly than browsers do: what they would mend is refused,
/// so that nobody reads another host out of it than the one that was judged.
struct URLAuthority {
    /// In lower case, an IPv6 address without its brackets.
    let host: String
    /// 1 to 65,535; nil: that of the scheme.
    let port: UInt16?

    /// - Parameter text: `host`, `host:port`, `[address]` or `[address]:port`; nil for anything else, a user name
    ///   included.
    init?(_ text: some StringProtocol) {
        let host: Substring
        let tail: Substring
        let text = Substring(text)
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
            guard host.contains(":"), NetworkAddress(host) != nil else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            tail = text[host.endIndex...]
            guard Self.isName(host) else { return nil }
        }
        self.host = host.lowercased()
        guard !tail.isEmpty else {
            port = nil
            return
        }
        let digits = tail.dropFirst()
        guard tail.first == ":", digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits),
            port > 0
        else { return nil }
        self.port = port
    }

    private static func isName(_ host: Substring) -> Bool {
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

    /// Whether a host is out on the internet, as far as its text tells.
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
