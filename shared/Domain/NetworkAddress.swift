/// An IP address, and whether it is out on the internet: what a person's browser names as its push service must not
/// lead back into the house.
public struct NetworkAddress: Hashable, Sendable {
    /// 4 or 16 bytes, network order.
    public let bytes: [UInt8]

    /// Nil for any other number of bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether the address is reachable across the internet, by the special-purpose registries of IANA (RFC 6890 and
    /// what it became). IPv4 inside IPv6 (mapped, NAT64, 6to4) is judged as the IPv4 that it leads to.
    public var isPublic: Bool {
        if bytes.count == 4 {
            return !NetworkAddress.privateRanges.contains { $0.contains(bytes) }
        }
        if let inner = embedded { return inner.isPublic }
        // Only 2000::/3 is given out as global unicast; the rest is local, multicast or reserved.
        return bytes[0] & 0xE0 == 0x20 && !NetworkAddress.reserved6.contains { $0.contains(bytes) }
    }

    /// Whether the address is of this one network segment only (RFC 3927, RFC 4291 section 2.5.6): where routers, and
    /// the metadata services of clouds, answer whoever asks.
    public var isLinkLocal: Bool {
        if bytes.count == 4 { return NetworkAddress.linkLocal4.contains(bytes) }
        return embedded?.isLinkLocal ?? NetworkAddress.linkLocal6.contains(bytes)
    }

    /// The IPv4 address that an IPv6 one leads to (mapped, NAT64, 6to4).
    private var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        if NetworkAddress.mapped.contains(bytes) || NetworkAddress.translated.contains(bytes) {
            return NetworkAddress(bytes: Array(bytes[12...]))
        }
        return NetworkAddress.sixToFour.contains(bytes) ? NetworkAddress(bytes: Array(bytes[2..<6])) : nil
    }

    struct Range {
        var prefix: [UInt8]
        var bits: Int

        init(_ prefix: [UInt8], _ bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            for index in 0..<(bits + 7) / 8 {
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(bits - index * 8, 8))
                if (address[index] ^ prefix[index]) & mask != 0 { return false }
            }
            return true
        }
    }

    private static let privateRanges = [
        Range([0], 8),  // this network
        Range([10], 8), Range([172, 16], 12), Range([192, 168], 16),  // RFC 1918
        Range([100, 64], 10),  // carriers' NAT, and Tailscale
        Range([127], 8),  // loopback
        Range([169, 254], 16),  // link-local, and the metadata services of clouds
        Range([192, 0, 0], 24), Range([198, 18], 15),  // protocols, benchmarks
        Range([192, 0, 2], 24), Range([198, 51, 100], 24), Range([203, 0, 113], 24),  // documentation
        Range([224], 4), Range([240], 4),  // multicast, reserved, broadcast
    ]
    private static let linkLocal4 = Range([169, 254], 16)
    private static let linkLocal6 = Range([0xFE, 0x80], 10)
    private static let mapped = Range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96)
    private static let translated = Range([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96)
    private static let sixToFour = Range([0x20, 0x02], 16)
    private static let reserved6 = [
        Range([0x20, 0x01, 0], 23),  // protocols, Teredo
        Range([0x20, 0x01, 0x0D, 0xB8], 32), Range([0x3F, 0xFF, 0], 20),  // documentation
    ]
}

extension NetworkAddress {
    /// Reads four decimal numbers with dots, or IPv6 by RFC 4291 section 2.2 (without brackets and zone). Nil for
    /// anything else: the hexadecimal, octal and short forms that some resolvers take for IPv4 are no addresses here.
    public init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? NetworkAddress.ipv6(text) : NetworkAddress.ipv4(text) else {
            return nil
        }
        self.bytes = bytes
    }

    private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.utf8.allSatisfy(isDigit), part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0"),
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func ipv6(_ text: some StringProtocol) -> [UInt8]? {
        let halves = splitAtDoubleColon(text)
        guard let halves, let front = groups(halves.0) else { return nil }
        guard let tail = halves.1 else { return front.count == 16 ? front : nil }
        // RFC 4291 section 2.2: the dotted form stands for the last four bytes only.
        guard !halves.0.contains(".") else { return nil }
        guard let back = groups(tail), front.count + back.count <= 14 else { return nil }
        return front + [UInt8](repeating: 0, count: 16 - front.count - back.count) + back
    }

    /// What stands before and after "::"; the second is nil without one; nil for two of them.
    private static func splitAtDoubleColon(_ text: some StringProtocol) -> (String, String?)? {
        let characters = Array(text.utf8)
        let colon = UInt8(ascii: ":")
        let places = characters.indices.dropLast().filter {
            characters[$0] == colon && characters[$0 + 1] == colon
        }
        guard places.count <= 1 else { return nil }
        guard let place = places.first else { return (String(text), nil) }
        return (
            String(decoding: characters[..<place], as: UTF8.self),
            String(decoding: characters[(place + 2)...], as: UTF8.self)
        )
    }

    private static func groups(_ text: String) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let last = ipv4(part) else { return nil }
                bytes += last
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
