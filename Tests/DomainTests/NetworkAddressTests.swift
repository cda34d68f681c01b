import Domain
import Testing

@Suite("D21, D39: addresses and ranges")
struct NetworkAddressTests {
    @Test(
        arguments: [
            ("0.0.0.0", [0, 0, 0, 0]), ("192.168.1.254", [192, 168, 1, 254]),
            ("::", [UInt8](repeating: 0, count: 16)), ("::1", [UInt8](repeating: 0, count: 15) + [1]),
            (
                "2001:db8::8:800:200C:417A",
                [0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 8, 8, 0, 0x20, 0x0C, 0x41, 0x7A]
            ),
            ("FF01:0:0:0:0:0:0:101", [0xFF, 1] + [UInt8](repeating: 0, count: 12) + [1, 1]),
            ("::ffff:129.144.52.38", [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 129, 144, 52, 38]),
        ] as [(String, [UInt8])])
    func `RFC 4291 section 2.2: what is an address is read`(_ text: String, _ bytes: [UInt8]) {
        #expect(NetworkAddress(text)?.bytes == bytes)
        #expect(NetworkAddress(text) == NetworkAddress(bytes: bytes))
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "0x7f.0.0.1", "1.2.3.", "+1.2.3.4", "١.2.3.4",
        ":", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8", "12345::", "g::",
        "[::1]",
        "::1%eth0", "1.2.3.4::", "::1.2.3", ":1:2:3:4:5:6:7", "::1.2.3.4:5", " ::1", "localhost",
    ])
    func `what is none is not`(_ text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [0, 3, 5, 15, 17])
    func `an address has 4 or 16 bytes`(_ count: Int) {
        #expect(NetworkAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "198.17.0.1",
        "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::808:808",
        "2002:808:808::1",
    ])
    func `RFC 6890: out on the internet`(_ text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: [
        "0.1.2.3", "10.255.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1", "127.255.255.254", "169.254.169.254", "192.0.0.1", "192.0.2.1", "198.18.0.1",
        "198.19.255.255",
        "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "2001::1",
        "2001:1ff::1",
        "2001:db8::1", "3fff::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::1", "100::1",
    ])
    func `RFC 6890: not out on the internet`(_ text: String) throws {
        #expect(try !#require(NetworkAddress(text)).isPublic)
    }

    @Test(arguments: [
        ("169.254.0.1", true), ("169.255.0.1", false), ("fe80::1", true), ("fec0::1", false),
        ("::ffff:169.254.1.1", true), ("2002:a9fe:101::", true), ("10.0.0.1", false), ("::1", false),
    ])
    func `RFC 3927, RFC 4291: link-local`(_ text: String, _ expected: Bool) throws {
        #expect(try #require(NetworkAddress(text)).isLinkLocal == expected)
    }

    @Test(arguments: [
        ("10.1.0.0/16", "10.1.255.255", true), ("10.1.0.0/16", "10.2.0.0", false),
        ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3", "10.1.2.4", false), ("10.1.2.3/32", "10.1.2.3", true),
        ("128.0.0.0/1", "255.1.1.1", true), ("128.0.0.0/1", "127.1.1.1", false),
        ("192.168.1.128/25", "192.168.1.255", true), ("192.168.1.128/25", "192.168.1.127", false),
        ("10.1.2.3/8", "10.9.9.9", true), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
        ("fe80::/10", "febf::9", true), ("::1", "::1", true), ("::/1", "1.2.3.4", false),
        ("0.0.0.0/1", "::1", false),
    ])
    func `a range has the addresses that begin with its bits`(
        _ range: String, _ address: String, _ expected: Bool
    )
        throws
    {
        let address = try #require(NetworkAddress(address))
        #expect(try #require(NetworkRange(range)).contains(address) == expected)
    }

    @Test(arguments: [
        "", "0.0.0.0/0", "::/0", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8",
        "10.0.0/8",
        "/8", "10.0.0.0/+8", "10.0.0.0/٨", "all", "10.0.0.0 /8",
    ])
    func `D39: a range of length zero is everybody, and none; other texts are none either`(_ text: String) {
        #expect(NetworkRange(text) == nil)
    }
}
