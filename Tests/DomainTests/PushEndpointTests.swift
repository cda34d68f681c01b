import Domain
import Testing

@Suite("Push endpoints: which may be called")
struct PushEndpointTests {
    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/abc", "HTTPS://Updates.Push.Services.Mozilla.com/wpush/v2/x?y=1",
        "https://web.push.apple.com:443/a", "https://push.example.org.:8443/", "https://a_b.example.org",
        "https://8.8.8.8/x", "https://[2606:4700::1111]/x", "https://[2606:4700::1111]:8443/x",
    ])
    func `https, out on the internet`(_ url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: false) == nil)
    }

    @Test(arguments: [
        "http://push.example.org/", "ftp://push.example.org/", "//push.example.org/", "push.example.org", "",
        "https:/push.example.org", "wss://push.example.org/",
    ])
    func `anything but https is refused, at home too`(_ url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: true) == .notHTTPS)
    }

    @Test(arguments: [
        "https://", "https:///a", "https://:443/", "https://user@push.example.org/",
        "https://a:b@push.example.org/",
        "https://push.example.org:0/", "https://push.example.org:65536/", "https://push.example.org:/",
        "https://push.example.org:8o/", "https://push.example.org/#a",
        "https://push.example.org\\@evil.example/",
        "https://push..example.org/", "https://.example.org/", "https://push example.org/",
        "https://push.exämple.org/",
        "https://push.example.org/\n", "https://[::1", "https://[1.2.3.4]/", "https://[]/", "https://[::1]x/",
        "https://\(String(repeating: "a", count: 64)).example.org/",
        "https://\(String(repeating: "abcdefg.", count: 32))org/",
    ])
    func `what is no address is refused`(_ url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: true) == .malformed)
        #expect(PushEndpoint.check(url, allowPrivate: false) == .malformed)
    }

    @Test(arguments: [
        "https://localhost/", "https://nas/", "https://nas.local/", "https://x.internal/", "https://x.lan/",
        "https://router.home.arpa/", "https://router.home.arpa./", "https://x.localhost/", "https://x.test/",
        "https://127.0.0.1/", "https://127.1/", "https://0x7f.0.0.1/", "https://10.0.0.8:8443/",
        "https://[::1]/",
        "https://[fd00::1]/", "https://169.254.169.254/", "https://[::ffff:10.0.0.1]/",
    ])
    func `what leads into the house is refused, unless it is allowed`(_ url: String) {
        #expect(PushEndpoint.check(url, allowPrivate: false) == .privateAddress)
        #expect(PushEndpoint.check(url, allowPrivate: true) == nil)
    }

    @Test func `2048 bytes are the limit`() {
        let url = "https://x.example/" + String(repeating: "a", count: 2030)
        #expect(url.utf8.count == 2048)
        #expect(PushEndpoint.check(url, allowPrivate: true) == nil)
        #expect(PushEndpoint.check(url + "a", allowPrivate: true) == .tooLong)
    }

    @Test(arguments: [
        ("https://Push.Example.org/a/b?c", "https://push.example.org"),
        ("https://push.example.org:443/a", "https://push.example.org"),
        ("https://push.example.org:8443/a", "https://push.example.org:8443"),
        ("https://[2606:4700::1111]:8443", "https://[2606:4700::1111]:8443"),
        ("https://[2606:4700::1111]?a", "https://[2606:4700::1111]"),
        ("http://push.example.org", nil), ("https://a@b", nil),
    ])
    func `RFC 6454 section 6.2: the origin, without a port that is the usual one`(
        _ url: String, _ origin: String?
    ) {
        #expect(PushEndpoint.origin(of: url) == origin)
    }

    @Test func `each refusal says what is wanted`() {
        for refusal in [PushEndpoint.Refusal.notHTTPS, .malformed, .tooLong, .privateAddress] {
            #expect("\(refusal)".hasPrefix("the endpoint "))
        }
        #expect(PushEndpoint.host(of: "https://Push.Example.org:1/") == "push.example.org")
    }
}
