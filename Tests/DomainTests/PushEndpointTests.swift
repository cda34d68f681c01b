import Domain
import Testing

@Suite("Push endpoints: https and out on the internet")
struct PushEndpointTests {
    @Test(arguments: [
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://fcm.googleapis.com/fcm/send/abc:def-_",
        "https://web.push.apple.com/QGvk?x=1",
        "https://ntfy.example.org:8443/upAbc?up=1",
        "https://93.184.216.34/x",
        "https://[2606:2800:220:1:248:1893:25c8:1946]/x",
        "HTTPS://Push.Example.COM/x",
    ])
    func `a public https endpoint is allowed`(url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: false) == nil)
    }

    @Test(arguments: [
        "https://localhost/x", "https://LOCALHOST:8443/x", "https://push/x", "https://nas.local/x",
        "https://push.home.arpa/x", "https://127.0.0.1/x", "https://127.1/x", "https://0x7f.0.0.1/x",
        "https://2130706433/x", "https://0177.0.0.1/x", "https://10.0.0.1/x", "https://172.31.255.255/x",
        "https://192.168.1.1/x", "https://169.254.169.254/latest", "https://100.100.1.1/x",
        "https://0.0.0.0/x",
        "https://[::1]/x", "https://[::]/x", "https://[fe80::1]/x", "https://[fd00::1]/x",
        "https://[::ffff:127.0.0.1]/x", "https://[64:ff9b::10.0.0.1]/x", "https://[2002:7f00:1::]/x",
        "https://[2001:db8::1]/x", "https://224.0.0.1/x", "https://255.255.255.255/x", "https://localhost./x",
    ])
    func `a private one is refused unless the house allows it`(url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: false) == .privateAddress)
        #expect(PushEndpoint.check(url, allowPrivate: true) == nil)
    }

    struct Row: Sendable {
        var url: String
        var refusal: PushEndpoint.Refusal
    }

    @Test(arguments: [
        Row(url: "", refusal: .notHTTPS),
        Row(url: "http://push.example.org/x", refusal: .notHTTPS),
        Row(url: "file:///etc/passwd", refusal: .notHTTPS),
        Row(url: "https://", refusal: .malformed),
        Row(url: "https:///x", refusal: .malformed),
        Row(url: "https://user@push.example.org/x", refusal: .malformed),
        Row(url: "https://push.example.org@127.0.0.1/x", refusal: .malformed),
        Row(url: "https://push.example.org:0/x", refusal: .malformed),
        Row(url: "https://push.example.org:65536/x", refusal: .malformed),
        Row(url: "https://push.example.org:/x", refusal: .malformed),
        Row(url: "https://push.example.org/x#y", refusal: .malformed),
        Row(url: "https://push.example.org\\@127.0.0.1/x", refusal: .malformed),
        Row(url: "https://push..example.org/x", refusal: .malformed),
        Row(url: "https://push.example.org/a b", refusal: .malformed),
        Row(url: "https://push.example.org/\r\nHost: x", refusal: .malformed),
        Row(url: "https://pu%73h.example.org/", refusal: .malformed),
        Row(url: "https://[::1/x", refusal: .malformed),
        Row(url: "https://[1.2.3.4]/x", refusal: .malformed),
        Row(url: "https://[1::2::3]/x", refusal: .malformed),
        Row(url: "https://push.example.org/" + String(repeating: "a", count: 2048), refusal: .tooLong),
    ])
    func `what is no https address is refused in any house`(_ row: Row) {
        #expect(PushEndpoint.check(row.url, allowPrivate: false) == row.refusal)
        #expect(PushEndpoint.check(row.url, allowPrivate: true) == row.refusal)
    }

    @Test(arguments: [
        ("https://Push.example.org/x?y", "https://push.example.org"),
        ("https://push.example.org:443/x", "https://push.example.org"),
        ("https://push.example.org:8443", "https://push.example.org:8443"),
        ("https://[2606:2800::1]:8443/x", "https://[2606:2800::1]:8443"),
    ])
    func `RFC 6454 the origin leaves out path and usual port`(url: String, origin: String) {
        #expect(PushEndpoint.origin(of: url) == origin)
    }

    @Test(arguments: [
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "::12345", ":1:2:3:4:5:6:7", "::g", "1.2.3", "1.2.3.4.5",
        "01.2.3.4", "256.1.1.1", "",
    ])
    func `what is no IP address is not read as one`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("::", [UInt8](repeating: 0, count: 16)),
            (
                "2001:4860:4860::8888",
                [0x20, 0x01, 0x48, 0x60, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88]
            ),
            ("::ffff:8.8.8.8", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8]),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("8.8.4.4", [8, 8, 4, 4]),
        ] as [(String, [UInt8])])
    func `RFC 4291 2 2 addresses are read`(text: String, bytes: [UInt8]) {
        #expect(NetworkAddress(text)?.bytes == bytes)
    }
}
