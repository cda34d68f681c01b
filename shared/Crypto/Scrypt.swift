import CCrypto

/// The password-based key derivation of RFC 7914.
public enum Scrypt {
    /// Needs about 128 * n * r bytes of memory while it runs, and blocks for tens to hundreds of milliseconds.
    ///
    /// - Parameters:
    ///   - n: cost, a power of two above 1.
    ///   - r: block size; 8 everywhere.
    ///   - p: parallelization; 1.
    ///   - count: bytes wanted.
    /// - Throws: for parameters that RFC 7914 section 6 excludes, or that need more than 1 GiB.
    public static func derive(
        password: [UInt8], salt: [UInt8], n: Int, r: Int, p: Int, count: Int
    ) throws(CryptoError) -> [UInt8] {
        guard n > 1, r > 0, p > 0, count > 0 else { throw CryptoError(step: "scrypt: parameters") }
        var done = false
        let key = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            done =
                password.withUnsafeBytes { password in
                    EVP_PBE_scrypt(
                        password.baseAddress?.assumingMemoryBound(to: CChar.self), password.count, salt,
                        salt.count,
                        UInt64(n), UInt64(r), UInt64(p), 1 << 30, buffer.baseAddress, count)
                } == 1
            filled = done ? count : 0
        }
        guard done else { throw .last("scrypt") }
        return key
    }
}

/// What is stored of a person's password: `scrypt$N$r$p$salt$hash`, salt and hash in base64url.
///
/// `make` and `verify` block for about 0.2 s and take 64 MiB: call them on a thread that a server owns, and not for
/// more callers at a time than the machine has cores.
public enum PasswordHash {
    /// Costs that `verify` accepts: a stored line can neither be too weak nor eat the machine's memory.
    static let costs: Set<Int> = [1 << 15, 1 << 16, 1 << 17]

    /// Hashes with a fresh salt of 16 bytes, N = 65536, r = 8, p = 1.
    public static func make(_ password: String) throws(CryptoError) -> String {
        let (n, r, p) = (1 << 16, 8, 1)
        let salt = SecureRandom.bytes(16)
        let key = try Scrypt.derive(password: Array(password.utf8), salt: salt, n: n, r: r, p: p, count: 32)
        return "scrypt$\(n)$\(r)$\(p)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
    }

    /// Whether `password` is the one that `stored` was made from, compared in constant time. False for a line
    /// that is not of this form.
    public static func verify(_ password: String, _ stored: String) -> Bool {
        let parts = stored.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let n = Int(parts[1]), costs.contains(n),
            parts[2] == "8",
            parts[3] == "1", let salt = Base64URL.decode(parts[4]), (16...64).contains(salt.count),
            let expected = Base64URL.decode(parts[5]), expected.count == 32
        else { return false }
        // try? : out of memory; whoever cannot be verified is not let in
        guard
            let key = try? Scrypt.derive(
                password: Array(password.utf8), salt: salt, n: n, r: 8, p: 1, count: 32)
        else { return false }
        return constantTimeEqual(key, expected)
    }

    /// A stored line that no password matches: verified against when a name is unknown, so that the answer takes as
    /// long as for a name that exists.
    public static let decoy =
        "scrypt$65536$8$1$\(Base64URL.encode(SecureRandom.bytes(16)))$\(Base64URL.encode(SecureRandom.bytes(32)))"
}
