import CCrypto

/// AES-128 in Galois/counter mode with a nonce of 12 bytes and a tag of 16 (SP 800-38D).
///
/// A nonce must never come twice under one key.
public enum AES128GCM {
    public static let tagCount = 16

    /// Ciphertext, then tag.
    ///
    /// - Precondition: key of 16 bytes, nonce of 12.
    public static func seal(
        _ text: [UInt8], key: [UInt8], nonce: [UInt8], authenticating extra: [UInt8] = []
    ) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12, "AES-128-GCM: key 16 bytes, nonce 12")
        return contexts.lend { context in
            [UInt8](unsafeUninitializedCapacity: text.count + tagCount) { buffer, filled in
                var count: Int32 = 0
                var ending: UInt8 = 0
                var done = EVP_EncryptInit_ex2(context.pointer, algorithm.pointer, key, nonce, nil) == 1
                if !extra.isEmpty {
                    done =
                        done
                        && EVP_EncryptUpdate(context.pointer, nil, &count, extra, Int32(extra.count)) == 1
                }
                done =
                    done
                    && EVP_EncryptUpdate(
                        context.pointer, buffer.baseAddress, &count, text, Int32(text.count)) == 1
                    && EVP_EncryptFinal_ex(context.pointer, &ending, &count) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount),
                        buffer.baseAddress.map { $0 + text.count }) == 1
                precondition(done, "AES-128-GCM failed")
                filled = text.count + tagCount
            }
        }
    }

    /// - Parameter sealed: ciphertext, then tag.
    /// - Throws: when key, nonce, extra or text are not those that were sealed.
    public static func open(
        _ sealed: [UInt8], key: [UInt8], nonce: [UInt8], authenticating extra: [UInt8] = []
    ) throws(CryptoError) -> [UInt8] {
        precondition(key.count == 16 && nonce.count == 12, "AES-128-GCM: key 16 bytes, nonce 12")
        guard sealed.count >= tagCount else { throw CryptoError(step: "decrypt: shorter than its tag") }
        var tag = Array(sealed.suffix(tagCount))
        let text = Array(sealed.dropLast(tagCount))
        return try contexts.lend { context throws(CryptoError) in
            var authentic = false
            let opened = [UInt8](unsafeUninitializedCapacity: max(text.count, 1)) { buffer, filled in
                var count: Int32 = 0
                var ending: UInt8 = 0
                authentic = EVP_DecryptInit_ex2(context.pointer, algorithm.pointer, key, nonce, nil) == 1
                if !extra.isEmpty {
                    authentic =
                        authentic
                        && EVP_DecryptUpdate(context.pointer, nil, &count, extra, Int32(extra.count)) == 1
                }
                authentic =
                    authentic
                    && EVP_DecryptUpdate(
                        context.pointer, buffer.baseAddress, &count, text, Int32(text.count)) == 1
                    && EVP_CIPHER_CTX_ctrl(
                        context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
                    && EVP_DecryptFinal_ex(context.pointer, &ending, &count) == 1
                filled = authentic ? text.count : 0
            }
            guard authentic else { throw .last("decrypt") }
            return opened
        }
    }

    private static let algorithm = Handle(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), free: EVP_CIPHER_free)
    private static let contexts = ContextPool { Handle(EVP_CIPHER_CTX_new(), free: EVP_CIPHER_CTX_free) }
}
