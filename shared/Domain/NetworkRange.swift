/// Addresses that begin with the same bits, as `10.1.0.0/16`, `fd00::/8`, or one address alone.
public struct NetworkRange: Hashable, Sendable {
    private let prefix: NetworkAddress
    /// 1 to 32, or to 128.
    private let bits: Int

    /// Nil for anything else. A range of length zero, which is everybody, is none (api D39).
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = NetworkAddress(first) else { return nil }
        let all = address.bytes.count * 8
        prefix = address
        guard parts.count == 2 else {
            bits = all
            return
        }
        let digits = parts[1]
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let bits = Int(digits),
            (1...all).contains(bits)
        else { return nil }
        self.bits = bits
    }

    public func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == prefix.bytes.count else { return false }
        return NetworkAddress.Range(prefix.bytes, bits).contains(address.bytes)
    }
}
