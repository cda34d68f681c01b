import Crypto
import Testing

@Suite("RFC 4648 Base64 and hexadecimal")
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of section 10 hold both ways`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
        let short = String(encoded.prefix { $0 != "=" })
        #expect(Base64URL.encode(Array(text.utf8)) == short)
        #expect(Base64URL.decode(short) == Array(text.utf8))
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test func `the two alphabets differ in two characters`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.decode("-_8=") == nil)
        #expect(Base64URL.decode("+/8") == nil)
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zh==", "Zm9v\n", "Zm9=v", "====", "Zg==Zg=="])
    func `what is no complete Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `every byte survives`() {
        let bytes = [UInt8](0...255)
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    }

    @Test func `hexadecimal reads both cases and nothing else`() {
        #expect(Hex.decode("DeadBEEF") == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(Hex.decode("abc") == nil)
        #expect(Hex.decode("0g") == nil)
    }
}
