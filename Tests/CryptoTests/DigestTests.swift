import Crypto
import Testing

@Suite("Digests: FIPS 180-4, RFC 4231, RFC 5869")
struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the published hashes`(text: String, hash: String) {
        #expect(Hex.encode(SHA256.hash(text)) == hash)
    }

    struct MAC: Sendable {
        var key: [UInt8]
        var message: String
        var code: String
    }

    @Test(arguments: [
        MAC(
            key: [UInt8](repeating: 0x0B, count: 20), message: "Hi There",
            code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        MAC(
            key: Array("Jefe".utf8), message: "what do ya want for nothing?",
            code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        MAC(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: "Test Using Larger Than Block-Size Key - Hash Key First",
            code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        // RFC 2104 with nothing at all: the value that Python's hmac gives.
        MAC(key: [], message: "", code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func `HMAC-SHA-256 gives the published codes`(_ row: MAC) {
        let message = Array(row.message.utf8)
        let code = HMACSHA256.code(message, key: row.key)
        #expect(Hex.encode(code) == row.code)
        #expect(HMACSHA256.isValid(code, for: message, key: row.key))
        #expect(!HMACSHA256.isValid(code, for: message + [0], key: row.key))
    }

    @Test func `HKDF gives test case 1 of RFC 5869`() throws {
        let secret = [UInt8](repeating: 0x0B, count: 22)
        let salt = [UInt8](0x00...0x0C)
        let info = [UInt8](0xF0...0xF9)
        #expect(
            Hex.encode(HKDFSHA256.extract(salt: salt, secret: secret))
                == "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
        #expect(
            Hex.encode(HKDFSHA256.derive(salt: salt, secret: secret, info: info, count: 42))
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    }

    @Test func `HKDF gives test case 3 of RFC 5869, without salt and info`() {
        let secret = [UInt8](repeating: 0x0B, count: 22)
        #expect(
            Hex.encode(HKDFSHA256.derive(salt: [], secret: secret, info: [], count: 42))
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }
}
