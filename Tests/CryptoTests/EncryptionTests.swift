import Crypto
import Testing

@Suite("AES-128-GCM: test cases of the GCM specification")
struct AES128GCMTests {
    @Test func `test case 2: one block of zeros`() throws {
        let zeros = [UInt8](repeating: 0, count: 16)
        let sealed = AES128GCM.seal(zeros, key: zeros, nonce: Array(zeros.prefix(12)))
        #expect(Hex.encode(sealed) == "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf")
        #expect(try AES128GCM.open(sealed, key: zeros, nonce: Array(zeros.prefix(12))) == zeros)
    }

    @Test func `test case 4: with data that is only authenticated`() throws {
        let key = hex("feffe9928665731c6d6a8f9467308308")
        let nonce = hex("cafebabefacedbaddecaf888")
        let extra = hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let text = hex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        let sealed = AES128GCM.seal(text, key: key, nonce: nonce, authenticating: extra)
        #expect(
            Hex.encode(sealed) == "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
                + "5bc94fbc3221a5db94fae95ae7121a47")
        #expect(try AES128GCM.open(sealed, key: key, nonce: nonce, authenticating: extra) == text)
        #expect(throws: CryptoError.self) { try AES128GCM.open(sealed, key: key, nonce: nonce) }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x80
            #expect(throws: CryptoError.self) {
                try AES128GCM.open(changed, key: key, nonce: nonce, authenticating: extra)
            }
        }
    }

    @Test func `nothing is text too`() throws {
        let key = [UInt8](repeating: 0, count: 16)
        let nonce = [UInt8](repeating: 0, count: 12)
        let sealed = AES128GCM.seal([], key: key, nonce: nonce)
        #expect(Hex.encode(sealed) == "58e2fccefa7e3061367f1d57a4e7455a")  // test case 1
        #expect(try AES128GCM.open(sealed, key: key, nonce: nonce) == [])
        #expect(throws: CryptoError.self) { try AES128GCM.open([1, 2, 3], key: key, nonce: nonce) }
    }
}

@Suite("RFC 8188, RFC 8291 Web Push encryption")
struct WebPushEncryptionTests {
    @Test func `RFC 8188 3 1: key, nonce and record of the example`() throws {
        let salt = base64("I1BsxtFttlv3u_Oo94xnmw")
        let pseudoRandom = HKDFSHA256.extract(salt: salt, secret: base64("yqdlZ-tYemfogSmv7Ws5PQ"))
        let key = HKDFSHA256.expand(
            pseudoRandom, info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
        let nonce = HKDFSHA256.expand(pseudoRandom, info: Array("Content-Encoding: nonce\0".utf8), count: 12)
        #expect(Base64URL.encode(key) == "_wniytB-ofscZDh4tbSjHw")
        #expect(Base64URL.encode(nonce) == "Bcs8gkIRKLI8GeI8")
        let body = base64("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
        #expect(
            try AES128GCM.open(Array(body.dropFirst(21)), key: key, nonce: nonce)
                == Array("I am the walrus".utf8) + [2])
    }

    @Test func `RFC 8291 appendix A: the body byte for byte`() throws {
        let recipient = try WebPushRecipient(
            publicKey: base64(
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
            authenticationSecret: base64("BTBZMqHH6r4Tts7J_aSIgg"))
        let sender = try P256PrivateKey(scalar: base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let body = try WebPushEncryption.encrypt(
            Array("When I grow up, I want to be a watermelon".utf8), for: recipient, sender: sender,
            salt: base64("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            Base64URL.encode(body) == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
                + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
                + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
    }

    @Test func `RFC 8291 4: a body never passes 4096 bytes`() throws {
        let recipient = try WebPushRecipient(
            publicKey: P256PrivateKey.generate().publicKey.uncompressed,
            authenticationSecret: SecureRandom.bytes(16))
        let longest = [UInt8](repeating: 32, count: WebPushEncryption.maximumTextCount)
        #expect(try WebPushEncryption.encrypt(longest, for: recipient).count == 4096)
        #expect(throws: CryptoError.self) { try WebPushEncryption.encrypt(longest + [32], for: recipient) }
    }

    @Test func `no two bodies of one text are alike`() throws {
        let recipient = try WebPushRecipient(
            publicKey: P256PrivateKey.generate().publicKey.uncompressed,
            authenticationSecret: SecureRandom.bytes(16))
        let bodies = try (0..<50).map { _ in try WebPushEncryption.encrypt([1], for: recipient) }
        #expect(Set(bodies).count == 50)
        #expect(Set(bodies.map { Array($0[21..<86]) }).count == 50, "each has a key of its own")
    }

    @Test func `a subscription's secret has 16 bytes`() {
        #expect(throws: CryptoError.self) {
            try WebPushRecipient(
                publicKey: P256PrivateKey.generate().publicKey.uncompressed,
                authenticationSecret: SecureRandom.bytes(15))
        }
    }
}
