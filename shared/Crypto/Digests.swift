import CCrypto

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
            let done = EVP_Digest(bytes, bytes.count, buffer.baseAddress, nil, algorithm.pointer, nil)
            precondition(done == 1, "SHA-256 failed")
            filled = 32
        }
    }

    /// The hash of the text's UTF-8 bytes.
    public static func hash(_ text: String) -> [UInt8] {
        hash(Array(text.utf8))
    }

    /// Fetched once: libcrypto 3 otherwise looks the name up, under a lock, for each hash.
    static let algorithm = Handle(EVP_MD_fetch(nil, "SHA256", nil), free: EVP_MD_free)
}

/// HMAC with SHA-256 (RFC 2104).
public enum HMACSHA256 {
    /// 32 bytes.
    public static func code(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        contexts.lend { context in
            [UInt8](unsafeUninitializedCapacity: 32) { buffer, filled in
                let done =
                    key.withUnsafeBufferPointer { key in
                        // A null key would mean "as before" to libcrypto: an empty one still has an address.
                        var nothing: UInt8 = 0
                        return EVP_MAC_init(
                            context.pointer, key.baseAddress ?? .init(&nothing), key.count, nil)
                    } == 1
                    && EVP_MAC_update(context.pointer, message, message.count) == 1
                    && EVP_MAC_final(context.pointer, buffer.baseAddress, nil, 32) == 1
                precondition(done, "HMAC failed")
                filled = 32
            }
        }
    }

    /// Whether `code` is the message's, in constant time.
    public static func isValid(_ code: [UInt8], for message: [UInt8], key: [UInt8]) -> Bool {
        constantTimeEqual(self.code(message, key: key), code)
    }

    private static let algorithm = Handle(EVP_MAC_fetch(nil, "HMAC", nil), free: EVP_MAC_free)

    private static let contexts = ContextPool {
        let context = Handle(EVP_MAC_CTX_new(algorithm.pointer), free: EVP_MAC_CTX_free)
        var name = Array("SHA256".utf8CString)
        let done = name.withUnsafeMutableBufferPointer { name in
            let parameters = [
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return EVP_MAC_CTX_set_params(context.pointer, parameters)
        }
        precondition(done == 1, "HMAC takes SHA-256")
        return context
    }
}

/// HKDF with SHA-256 (RFC 5869).
public enum HKDFSHA256 {
    public static func extract(salt: [UInt8], secret: [UInt8]) -> [UInt8] {
        HMACSHA256.code(secret, key: salt)
    }

    /// - Parameter count: bytes wanted, at most 8160 (255 blocks, section 2.3).
    public static func expand(_ key: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count <= 255 * 32, "HKDF gives at most 255 blocks")
        var output: [UInt8] = []
        var block: [UInt8] = []
        var index: UInt8 = 1
        while output.count < count {
            block = HMACSHA256.code(block + info + [index], key: key)
            output += block
            index &+= 1
        }
        return Array(output.prefix(count))
    }

    public static func derive(salt: [UInt8], secret: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        expand(extract(salt: salt, secret: secret), info: info, count: count)
    }
}
