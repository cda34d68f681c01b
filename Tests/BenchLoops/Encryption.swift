import CCrypto
import Crypto

/// Messages of Web Push per second. The subscription's key is read for each, as it comes from the database.
func webPushMessages(for seconds: Double) throws -> Double {
    let key = P256PrivateKey.generate().publicKey.uncompressed
    let secret = SecureRandom.bytes(16)
    let text = [UInt8](repeating: UInt8(ascii: "x"), count: 250)
    return try rate(over: seconds) {
        let recipient = try WebPushRecipient(publicKey: key, authenticationSecret: secret)
        let body = try WebPushEncryption.encrypt(text, for: recipient)
        precondition(body.count == 86 + text.count + 1 + 16)
    }
}

/// What cannot be left out of such a message, by libcrypto alone: a key of its own and one Diffie-Hellman exchange.
func bareExchanges(for seconds: Double) -> Double {
    let generator = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    precondition(EVP_PKEY_keygen_init(generator) == 1)
    precondition(EVP_PKEY_CTX_set_group_name(generator, "prime256v1") == 1)
    var peer: OpaquePointer?
    precondition(EVP_PKEY_generate(generator, &peer) == 1)
    defer {
        EVP_PKEY_free(peer)
        EVP_PKEY_CTX_free(generator)
    }
    var secret = [UInt8](repeating: 0, count: 32)
    return rate(over: seconds) {
        var key: OpaquePointer?
        precondition(EVP_PKEY_generate(generator, &key) == 1)
        let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
        var count = secret.count
        precondition(EVP_PKEY_derive_init(context) == 1)
        precondition(EVP_PKEY_derive_set_peer_ex(context, peer, 0) == 1)
        precondition(EVP_PKEY_derive(context, &secret, &count) == 1)
        EVP_PKEY_CTX_free(context)
        EVP_PKEY_free(key)
    }
}
