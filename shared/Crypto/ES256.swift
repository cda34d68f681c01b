import CCrypto

extension P256PrivateKey {
    /// ECDSA over SHA-256, as the 64 bytes r, s of JSON Web Signatures (RFC 7518 section 3.4).
    public func signature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw .last("sign") }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, handle.pointer, nil) == 1 else {
            throw .last("sign")
        }
        var count = 80  // at most 72: two numbers of 33 bytes and their ASN.1 headers
        let der = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let done = EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count)
            filled = done == 1 ? count : 0
        }
        let signature = der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let signature else { throw .last("sign") }
        defer { ECDSA_SIG_free(signature) }
        return bigEndian(ECDSA_SIG_get0_r(signature), count: 32)
            + bigEndian(ECDSA_SIG_get0_s(signature), count: 32)
    }

    /// A JSON Web Token in compact form (RFC 7515 section 7.1), signed with ES256.
    ///
    /// - Parameters:
    ///   - header: JSON text; must say `"alg":"ES256"`.
    ///   - claims: JSON text.
    public func jsonWebToken(header: [UInt8], claims: [UInt8]) throws(CryptoError) -> String {
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        return signed + "." + Base64URL.encode(try signature(of: Array(signed.utf8)))
    }
}

extension P256PublicKey {
    /// Whether `signature` (r, s: 64 bytes) is the message's under this key.
    public func isValidSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64, let parts = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(parts) }
        let r = BN_bin2bn(Array(signature.prefix(32)), 32, nil)
        let s = BN_bin2bn(Array(signature.suffix(32)), 32, nil)
        precondition(ECDSA_SIG_set0(parts, r, s) == 1, "both numbers are there")  // now owns them
        var der: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(parts, &der)
        guard count > 0, let der, let context = EVP_MD_CTX_new() else { return false }
        defer {
            CRYPTO_free(der, nil, 0)
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, handle.pointer, nil) == 1
            && EVP_DigestVerify(context, der, Int(count), message, message.count) == 1
    }
}
