import CCrypto

/// A private key on the curve P-256 (FIPS 186-4; `prime256v1` to OpenSSL). Immutable; any thread.
public struct P256PrivateKey: Sendable {
    let handle: Handle

    init(handle: Handle) {
        self.handle = handle
    }

    /// A fresh key.
    public static func generate() -> P256PrivateKey {
        P256PrivateKey(handle: KeyGenerator.shared.generate())
    }

    /// From the 32 bytes of its scalar, as VAPID tools print it.
    ///
    /// - Throws: for another length, and for 0 or a number not below the curve's order.
    public init(scalar: [UInt8]) throws(CryptoError) {
        guard scalar.count == 32 else { throw CryptoError(step: "read a private key: not 32 bytes") }
        // ECPrivateKey without its public part (RFC 5915): libcrypto computes that part while reading.
        try self.init(
            der: [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + scalar
                + [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    }

    private init(der: [UInt8]) throws(CryptoError) {
        let key = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PrivateKey(EVP_PKEY_EC, nil, &next, bytes.count)
        }
        guard let key else { throw .last("read a private key") }
        handle = Handle(key, free: EVP_PKEY_free)
        try check()
    }

    /// From PEM text: PKCS#8 as Apple's `.p8` files are, or SEC 1. Encrypted keys are refused.
    public init(pem: String) throws(CryptoError) {
        let bytes = Array(pem.utf8)
        let key = bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            // Without a callback libcrypto would ask for the password on the terminal.
            return PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
        }
        guard let key else { throw .last("read a private key from PEM") }
        handle = Handle(key, free: EVP_PKEY_free)
        try check()
    }

    private func check() throws(CryptoError) {
        guard isP256(handle.pointer) else { throw CryptoError(step: "read a private key: not on P-256") }
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else {
            throw .last("check a private key")
        }
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_check(context) == 1 else { throw .last("check a private key") }
    }

    /// 32 bytes, big-endian. A secret.
    public var scalar: [UInt8] {
        var number: OpaquePointer?
        precondition(EVP_PKEY_get_bn_param(handle.pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1)
        defer { BN_clear_free(number) }
        return bigEndian(number, count: 32)
    }

    /// PKCS#8 PEM. A secret.
    public var pem: String {
        guard let bio = BIO_new(BIO_s_mem()) else { preconditionFailure("out of memory") }
        defer { BIO_free(bio) }
        precondition(PEM_write_bio_PKCS8PrivateKey(bio, handle.pointer, nil, nil, 0, nil, nil) == 1)
        var text: UnsafeMutablePointer<CChar>?
        let count = opentask_bio_bytes(bio, &text)
        return UnsafeRawBufferPointer(start: text, count: count).withMemoryRebound(to: UInt8.self) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    public var publicKey: P256PublicKey {
        P256PublicKey(handle: handle)
    }

    /// The x coordinate that both sides of a Diffie-Hellman exchange get (SP 800-56A section 5.7.1.2): 32 bytes.
    public func sharedSecret(with peer: P256PublicKey) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("ECDH") }
        defer { EVP_PKEY_CTX_free(context) }
        // No second validation of the peer's key: reading it checked that it is on the curve and not at infinity,
        // which on a curve of prime order is all (the check left out multiplies by the order, as dear as ECDH itself).
        guard EVP_PKEY_derive_init(context) == 1,
            EVP_PKEY_derive_set_peer_ex(context, peer.handle.pointer, 0) == 1
        else { throw .last("ECDH") }
        var count = 32
        let secret = [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            filled = EVP_PKEY_derive(context, buffer.baseAddress, &count) == 1 ? count : 0
        }
        guard secret.count == 32 else { throw .last("ECDH") }
        return secret
    }
}

/// A public key on the curve P-256. Immutable; any thread.
public struct P256PublicKey: Sendable {
    let handle: Handle

    init(handle: Handle) {
        self.handle = handle
    }

    /// From its uncompressed point: 0x04, x, y, together 65 bytes (SEC 1 section 2.3.3).
    ///
    /// - Throws: for any other form and for a point that is not on the curve.
    public init(uncompressed: [UInt8]) throws(CryptoError) {
        guard uncompressed.count == 65, uncompressed.first == 4 else {
            throw CryptoError(step: "read a public key: not 65 bytes, uncompressed")
        }
        let key = Handle(EVP_PKEY_new(), free: EVP_PKEY_free)
        // Copying the curve from a key that has it is far cheaper than having libcrypto build it from its name.
        guard EVP_PKEY_copy_parameters(key.pointer, KeyGenerator.shared.template.pointer) == 1,
            EVP_PKEY_set1_encoded_public_key(key.pointer, uncompressed, uncompressed.count) == 1
        else { throw .last("read a public key") }
        handle = key
    }

    /// 65 bytes.
    public var uncompressed: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65) { buffer, filled in
            let done = EVP_PKEY_get_octet_string_param(
                handle.pointer, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, buffer.baseAddress, 65, &filled)
            precondition(done == 1 && filled == 65, "a P-256 point has 65 bytes")
        }
    }
}

/// Makes keys with one context that knows the curve.
final class KeyGenerator: Sendable {
    static let shared = KeyGenerator()

    /// A key made once, to copy the curve from.
    let template: Handle

    private let contexts = ContextPool {
        let context = Handle(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), free: EVP_PKEY_CTX_free)
        let ready =
            EVP_PKEY_keygen_init(context.pointer) == 1
            && EVP_PKEY_CTX_set_group_name(context.pointer, "prime256v1") == 1
        precondition(ready, "libcrypto knows P-256")
        return context
    }

    private init() {
        template = contexts.lend(KeyGenerator.generate)
    }

    func generate() -> Handle {
        contexts.lend(KeyGenerator.generate)
    }

    private static func generate(_ context: Handle) -> Handle {
        var key: OpaquePointer?
        precondition(EVP_PKEY_generate(context.pointer, &key) == 1, "no key: no randomness")
        return Handle(key, free: EVP_PKEY_free)
    }
}

private func isP256(_ key: OpaquePointer) -> Bool {
    guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC else { return false }
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return false }
    return name.prefix(count).elementsEqual("prime256v1".utf8.map(CChar.init))
}

/// `number` as `count` bytes, padded with zeros in front.
func bigEndian(_ number: OpaquePointer?, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        precondition(
            BN_bn2binpad(number, buffer.baseAddress, Int32(count)) == Int32(count), "the number fits")
        filled = count
    }
}
