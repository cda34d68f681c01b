/// What a browser gave with its subscription: the key to encrypt to, and the secret that only it and we know.
public struct WebPushRecipient: Sendable {
    let publicKey: P256PublicKey
    let publicKeyBytes: [UInt8]
    let authenticationSecret: [UInt8]

    /// - Parameters:
    ///   - publicKey: `p256dh`, an uncompressed point of 65 bytes.
    ///   - authenticationSecret: `auth`, 16 bytes.
    public init(publicKey: [UInt8], authenticationSecret: [UInt8]) throws(CryptoError) {
        guard authenticationSecret.count == 16 else {
            throw CryptoError(step: "read a subscription's secret: not 16 bytes")
        }
        self.publicKey = try P256PublicKey(uncompressed: publicKey)
        self.publicKeyBytes = publicKey
        self.authenticationSecret = authenticationSecret
    }
}

/// Message encryption for Web Push (RFC 8291) in one `aes128gcm` record (RFC 8188).
///
/// Costs one key generation and one Diffie-Hellman exchange; all contexts are kept. Any thread.
public enum WebPushEncryption {
    /// The longest text that fits into the 4096 bytes every push service must take (RFC 8291 section 4): 3993 bytes.
    public static let maximumTextCount = 4096 - headerCount - 1 - AES128GCM.tagCount

    private static let headerCount = 16 + 4 + 1 + 65
    private static let recordSize: UInt32 = 4096

    /// The body of the push request; its `Content-Encoding` is `aes128gcm`.
    ///
    /// - Throws: for a text over `maximumTextCount` bytes.
    public static func encrypt(_ text: [UInt8], for recipient: WebPushRecipient) throws(CryptoError)
        -> [UInt8]
    {
        try encrypt(text, for: recipient, sender: .generate(), salt: SecureRandom.bytes(16))
    }

    /// The same with a given key and salt, for the published vectors. Neither may ever come twice.
    public static func encrypt(
        _ text: [UInt8], for recipient: WebPushRecipient, sender: P256PrivateKey, salt: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        precondition(salt.count == 16, "RFC 8188: a salt has 16 bytes")
        guard text.count <= maximumTextCount else { throw CryptoError(step: "encrypt a push: text too long") }

        let senderBytes = sender.publicKey.uncompressed
        let shared = try sender.sharedSecret(with: recipient.publicKey)
        // RFC 8291 section 3.4: both public keys go into the derivation.
        let secret = HKDFSHA256.derive(
            salt: recipient.authenticationSecret, secret: shared,
            info: keyInfo + recipient.publicKeyBytes + senderBytes, count: 32)
        // RFC 8188 sections 2.2 and 2.3; the only record has number 0, which leaves the nonce as it is.
        let pseudoRandom = HKDFSHA256.extract(salt: salt, secret: secret)
        let key = HKDFSHA256.expand(pseudoRandom, info: contentKeyInfo, count: 16)
        let nonce = HKDFSHA256.expand(pseudoRandom, info: nonceInfo, count: 12)

        var body: [UInt8] = []
        body.reserveCapacity(headerCount + text.count + 1 + AES128GCM.tagCount)
        body += salt
        withUnsafeBytes(of: recordSize.bigEndian) { body += $0 }
        body.append(UInt8(senderBytes.count))
        body += senderBytes
        // RFC 8188 section 2: 2 ends the last record.
        body += AES128GCM.seal(text + [2], key: key, nonce: nonce)
        return body
    }

    private static let keyInfo = Array("WebPush: info\0".utf8)
    private static let contentKeyInfo = Array("Content-Encoding: aes128gcm\0".utf8)
    private static let nonceInfo = Array("Content-Encoding: nonce\0".utf8)
}
