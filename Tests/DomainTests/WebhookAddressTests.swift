import Domain
import Testing

@Suite("D21: where webhooks may lead")
struct WebhookAddressTests {
    @Test(arguments: [
        "https://example.org", "http://example.org/", "HTTPS://Example.ORG:8443/a?b#c", "http://nas/",
        "http://192.168.1.4:1880/x", "http://127.0.0.1/", "http://[::1]:8080/", "http://[fd00::1]/",
        "http://user:pass@hass.local:8123/api/webhook/x", "http://10.0.0.1?x", "http://100.64.1.1/",
    ])
    func `http and https, into private networks too`(_ url: String) {
        #expect(WebhookAddress.check(url, allowPrivate: true) == nil)
    }

    @Test(arguments: [
        "", "example.org", "/hook", "//example.org", "ftp://example.org", "http:/example.org", "http://",
        "http:///x", "http://ex ample.org", "http://exämple.org", "http://a..b/", "http://x:0/", "http://x:/",
        "http://x:65536/", "http://x:8o/", "http://[::1", "http://[1.2.3.4]/", "http://a@b@c/",
        "https://a\\b/",
        "http://x\n", "javascript:alert(1)", "http//x",
    ])
    func `what is no absolute http address is refused`(_ url: String) {
        #expect(WebhookAddress.check(url, allowPrivate: true) == .malformed)
    }

    @Test func `2048 bytes are the limit`() {
        let url = "http://x.example/" + String(repeating: "a", count: 2031)
        #expect(url.utf8.count == 2048)
        #expect(WebhookAddress.check(url, allowPrivate: true) == nil)
        #expect(WebhookAddress.check(url + "a", allowPrivate: true) == .tooLong)
    }

    @Test(arguments: [
        "http://169.254.169.254/", "http://169.254.0.1:80/", "http://[fe80::1]/", "http://[febf::1]/",
        "http://[::ffff:169.254.169.254]/", "http://[64:ff9b::a9fe:1]/", "http://[2002:a9fe:1::]/",
    ])
    func `link-local is refused in any case`(_ url: String) {
        #expect(WebhookAddress.check(url, allowPrivate: true) == .linkLocal)
        #expect(WebhookAddress.check(url, allowPrivate: false) == .linkLocal)
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://10.1.2.3/", "http://[::1]/", "http://localhost/", "http://nas/",
        "http://hass.local/", "http://[::ffff:10.0.0.1]/", "http://user@192.168.0.1/", "http://127.1/",
        "http://0x7f.0.0.1/",
    ])
    func `without private addresses only what is out on the internet is taken`(_ url: String) {
        #expect(WebhookAddress.check(url, allowPrivate: false) == .privateAddress)
        #expect(WebhookAddress.check("https://example.org/", allowPrivate: false) == nil)
        #expect(WebhookAddress.check("https://8.8.8.8/", allowPrivate: false) == nil)
    }

    @Test(arguments: [
        ("169.254.169.254", false, false), ("::ffff:169.254.169.254", false, false),
        ("fe80::2", false, false),
        ("10.0.0.1", true, false), ("::1", true, false), ("::ffff:10.0.0.1", true, false),
        ("8.8.8.8", true, true), ("2606:4700::1", true, true), ("::ffff:8.8.8.8", true, true),
    ])
    func `the address that is dialled is judged by itself`(_ text: String, _ home: Bool, _ strict: Bool)
        throws
    {
        let address = try #require(NetworkAddress(text))
        #expect(WebhookAddress.mayDial(address, allowPrivate: true) == home)
        #expect(WebhookAddress.mayDial(address, allowPrivate: false) == strict)
    }

    @Test func `every refusal says why`() {
        let all: [WebhookAddress.Refusal] = [.malformed, .tooLong, .privateAddress, .linkLocal]
        #expect(Set(all.map(\.description)).count == all.count)
    }
}
