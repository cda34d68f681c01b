import Crypto
import Testing

@Suite("P-256 keys: NIST CAVS, RFC 7515, RFC 5915")
struct P256Tests {
    @Test func `ECDH gives the first vector of NIST's set for P-256`() throws {
        let key = try P256PrivateKey(
            scalar: hex("7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534"))
        let peer = try P256PublicKey(
            uncompressed: [4] + hex("700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287")
                + hex("db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac"))
        #expect(
            try Hex.encode(key.sharedSecret(with: peer))
                == "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b")
    }

    @Test func `the signature of RFC 7515 A 3 is valid, and not with one bit changed`() throws {
        let key = try P256PrivateKey(scalar: base64("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"))
        #expect(
            key.publicKey.uncompressed
                == [4] + base64("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
                + base64("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let signed = Array(
            ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtc"
                + "GxlLmNvbS9pc19yb290Ijp0cnVlfQ").utf8)
        var signature = base64(
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
        #expect(key.publicKey.isValidSignature(signature, of: signed))
        signature[40] ^= 1
        #expect(!key.publicKey.isValidSignature(signature, of: signed))
        #expect(!key.publicKey.isValidSignature(Array(signature.dropLast()), of: signed))
    }

    @Test func `a signature has 64 bytes and is valid under its own key alone`() throws {
        let key = P256PrivateKey.generate()
        let message = Array("a message".utf8)
        // Often enough that numbers with leading zeros come up (one in 128 signatures).
        for _ in 0..<600 {
            let signature = try key.signature(of: message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, of: message))
        }
        #expect(
            !P256PrivateKey.generate().publicKey.isValidSignature(try key.signature(of: message), of: message)
        )
    }

    @Test func `a token is header, claims and signature`() throws {
        let key = P256PrivateKey.generate()
        let token = try key.jsonWebToken(
            header: Array(#"{"alg":"ES256"}"#.utf8), claims: Array(#"{"iss":"joe"}"#.utf8))
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        #expect(Base64URL.decode(parts[0]) == Array(#"{"alg":"ES256"}"#.utf8))
        #expect(Base64URL.decode(parts[1]) == Array(#"{"iss":"joe"}"#.utf8))
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(key.publicKey.isValidSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test func `a key survives as a scalar and as PEM`() throws {
        let key = P256PrivateKey.generate()
        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(try P256PrivateKey(pem: key.pem).scalar == key.scalar)
        #expect(try P256PrivateKey(scalar: key.scalar).publicKey.uncompressed == key.publicKey.uncompressed)
    }

    @Test(arguments: [
        "", "00", String(repeating: "00", count: 32),
        // the order of the curve
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        String(repeating: "ff", count: 32),
    ])
    func `a scalar out of range is refused`(scalar: String) {
        #expect(throws: CryptoError.self) { try P256PrivateKey(scalar: hex(scalar)) }
    }

    @Test func `a point that is not on the curve is refused`() {
        var point = P256PrivateKey.generate().publicKey.uncompressed
        point[64] ^= 1
        #expect(throws: CryptoError.self) { try P256PublicKey(uncompressed: point) }
        #expect(throws: CryptoError.self) {
            try P256PublicKey(uncompressed: [4] + [UInt8](repeating: 0, count: 64))
        }
        #expect(throws: CryptoError.self) { try P256PublicKey(uncompressed: [0]) }
    }

    // Both by `openssl genpkey`: a P-384 key, and a P-256 key under the password "secret".
    @Test(arguments: [
        """
        -----BEGIN PRIVATE KEY-----
        MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBXJUl0aT2gLzhb/ShG
        PmRhW95hvhyWkn608zbZ6HsF1zsSfGUECjUxzKp5tWYhtTGhZANiAAR/khnIMGQE
        H0eRq3+silqTvxdo2YofRIFaEfYAeLfPUy68EB/AixCspH4D/cYmJVallCuwDmD0
        kR3zg4M6L2rqhe1ZWdZDQu1R33ujwN/zJtus+4Mo7DrfPbCN7OJy00g=
        -----END PRIVATE KEY-----
        """,
        """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjT1uuxK1kAzgICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHer4fwQrNpZYa/nSaGJyrYEgZAb
        PGLm3fTS3qOPrJPoXH9RTuG5EXJUofZapGMnjjJGu1m19VJIr2Fp6k/EGB/baz3W
        HizWsdUOSEEwJueXW4CqQyOFQDCPiH6REHnkrgWL/FPc8ybB/95ADeCCSaMsbaYU
        PLrPYxpHZXtW6ptVC2FjcktfMYIm6xh0D0Na8ZyQu1efve2FnUUVKJz3aoOOdgA=
        -----END ENCRYPTED PRIVATE KEY-----
        """,
        "no key at all",
    ])
    func `PEM of another curve, under a password, or of nothing is refused`(pem: String) {
        #expect(throws: CryptoError.self) { try P256PrivateKey(pem: pem) }
    }
}

func hex(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }
func base64(_ text: String) -> [UInt8] { Base64URL.decode(text) ?? [] }
