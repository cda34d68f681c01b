import Crypto
import Testing

@Suite("RFC 7914 scrypt, stored passwords")
struct PasswordHashTests {
    struct Vector: Sendable {
        var password, salt: String
        var n, r, p: Int
        var key: String
    }

    @Test(arguments: [
        Vector(
            password: "", salt: "", n: 16, r: 1, p: 1,
            key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"),
        Vector(
            password: "password", salt: "NaCl", n: 1024, r: 8, p: 16,
            key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"),
        Vector(
            password: "pleaseletmein", salt: "SodiumChloride", n: 16384, r: 8, p: 1,
            key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"),
    ])
    func `the vectors of section 12 hold`(_ row: Vector) throws {
        let key = try Scrypt.derive(
            password: Array(row.password.utf8), salt: Array(row.salt.utf8), n: row.n, r: row.r, p: row.p,
            count: 64)
        #expect(Hex.encode(key) == row.key)
    }

    @Test func `parameters outside section 6 are refused`() {
        #expect(throws: CryptoError.self) {
            try Scrypt.derive(password: [], salt: [], n: 1000, r: 8, p: 1, count: 32)
        }
        #expect(throws: CryptoError.self) {
            try Scrypt.derive(password: [], salt: [], n: 1, r: 8, p: 1, count: 32)
        }
    }

    @Test func `a password is verified by its own line alone`() throws {
        let line = try PasswordHash.make("correct horse ü")
        #expect(line.hasPrefix("scrypt$65536$8$1$"))
        #expect(PasswordHash.verify("correct horse ü", line))
        #expect(!PasswordHash.verify("correct horse u", line))
        #expect(!PasswordHash.verify("", line))
        #expect(try PasswordHash.make("correct horse ü") != line, "each line has a salt of its own")
    }

    // By Python: hashlib.scrypt(b"hunter2", salt=bytes(range(16)), n=32768, r=8, p=1, maxmem=1<<30, dklen=32)
    @Test func `a line that another program made is verified`() {
        #expect(
            PasswordHash.verify(
                "hunter2",
                "scrypt$32768$8$1$AAECAwQFBgcICQoLDA0ODw$D8TAoCxrUms0TyiwrSDb2952NlZObg9i4sWMjyXh4aM"))
    }

    @Test(arguments: [
        "", "scrypt", "hunter2", "scrypt$32768$8$1$AAECAwQFBgcICQoLDA0ODw$",
        "scrypt$1048576$8$1$AAECAwQFBgcICQoLDA0ODw$D8TAoCxrUms0TyiwrSDb2952NlZObg9i4sWMjyXh4aM",
        "scrypt$32768$8$2$AAECAwQFBgcICQoLDA0ODw$D8TAoCxrUms0TyiwrSDb2952NlZObg9i4sWMjyXh4aM",
        "scrypt$32768$8$1$AAEC$D8TAoCxrUms0TyiwrSDb2952NlZObg9i4sWMjyXh4aM",
    ])
    func `a line of another form verifies nothing`(line: String) {
        #expect(!PasswordHash.verify("hunter2", line))
    }

    @Test func `nobody's password is the decoy's`() {
        #expect(!PasswordHash.verify("", PasswordHash.decoy))
    }

    @Test func `secrets are equal in all bytes or not at all`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
        #expect(constantTimeEqual([], []))
    }

    @Test func `tokens differ and have 43 characters`() {
        let tokens = Set((0..<100).map { _ in SecureRandom.token() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 })
    }
}
