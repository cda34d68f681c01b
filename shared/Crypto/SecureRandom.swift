import CCrypto

/// Random bytes for keys, salts and tokens, from libcrypto's generator.
public enum SecureRandom {
    /// - Precondition: the system has randomness; a server without it must not go on.
    public static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            precondition(RAND_bytes(buffer.baseAddress, Int32(count)) == 1, "no randomness")
            filled = count
        }
    }

    /// A token of `count` random bytes in base64url: 32 bytes are 43 characters.
    public static func token(bytes count: Int = 32) -> String {
        Base64URL.encode(bytes(count))
    }
}

/// Compares secrets in a time that depends on their lengths only.
public func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
}
