import Command
import FoundationEssentials
import Testing

@Suite("opentask up")
struct UpTests {
    @Test(
        arguments: [
            ("127.0.0.1:3000", "127.0.0.1", 3000), ("[::1]:80", "::1", 80), ("localhost:0", "localhost", 0),
            (":3000", "0.0.0.0", 3000), ("3000", "127.0.0.1", 3000),
        ] as [(String, String, UInt16)])
    func `an address to listen on`(_ text: String, _ host: String, _ port: UInt16) {
        let address = ListenAddress(text)
        #expect(address?.host == host)
        #expect(address?.port == port)
    }

    @Test(arguments: ["", ":", "host", "host:", "host:65536", "host:-1", "::1:3000", "host:port", "1.2.3.4"])
    func `what is no address is refused`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(arguments: [
        ("0.0.0.0", "http://localhost:80"), ("::", "http://localhost:80"), ("::1", "http://[::1]:80"),
        ("127.0.0.1", "http://127.0.0.1:80"),
    ])
    func `the address that a browser opens`(_ host: String, _ url: String) {
        #expect(ListenAddress.url(host: host, port: 80) == url)
    }

    @Test func `a service that dies comes back later and later, after 30 s at most`() {
        var backoff = Backoff()
        let delays = (0..<10).map { _ in backoff.delay(clean: false, ran: .zero) }
        #expect(
            delays.prefix(4) == [
                .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600),
            ])
        #expect(delays.last == .seconds(30))
    }

    @Test func `half a minute of life forgets what was before`() {
        var backoff = Backoff()
        for _ in 0..<10 { _ = backoff.delay(clean: false, ran: .zero) }
        #expect(backoff.delay(clean: false, ran: .seconds(30)) == .milliseconds(200))
    }

    @Test func `a service that ended as asked comes back at once`() {
        var backoff = Backoff()
        #expect(backoff.delay(clean: true, ran: .zero) == .zero)
        #expect(backoff.delay(clean: false, ran: .zero) == .milliseconds(200))
        // One that ends clean right after a crash may be in a loop of both.
        #expect(backoff.delay(clean: true, ran: .zero) == .milliseconds(200))
    }

    @Test func `a socket's path may have 107 bytes and no more`() throws {
        let folder = "/" + String(repeating: "x", count: 107 - "/run/api.sock".utf8.count - 1)
        #expect(try StateFolder(folder).socket("api.sock").utf8.count == 107)
        let error = #expect(throws: CommandFailure.self) { try StateFolder(folder + "x").socket("api.sock") }
        #expect(error?.status == 78)
        #expect(error?.message.contains("107") == true)
    }

    @Test func `a state folder is absolute, and belongs to one instance at a time`() throws {
        #expect(StateFolder("/a/./b//c/").path == "/a/b/c")
        #expect(StateFolder("data").path == FileManager.default.currentDirectoryPath + "/data")
        let state = StateFolder("/tmp/opentask-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: state.path) }  // left behind in /tmp otherwise
        try state.create()
        let mode = try FileManager.default.attributesOfItem(atPath: state.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let lock = try state.lock()
        let error = #expect(throws: CommandFailure.self) { try state.lock() }
        #expect(error?.status == 1)
        withExtendedLifetime(lock) {}
    }

    @Test func `the first login is made once: from the variables, else made up`() throws {
        let state = StateFolder("/tmp/opentask-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: state.path) }  // left behind in /tmp otherwise
        try state.create()
        let zone = ["OPENTASK_INIT_TIMEZONE": "Europe/Berlin"]
        let made = try FirstLogin(state: state, environment: zone)
        #expect(made?.username == "admin")
        #expect(made?.variables["OPENTASK_INIT_PASSWORD"] == made?.generatedPassword)
        #expect(made?.variables["OPENTASK_INIT_TIMEZONE"] == "Europe/Berlin")
        #expect(made?.generatedPassword?.count == 19)
        #expect(try FirstLogin(state: state, environment: zone)?.generatedPassword != made?.generatedPassword)

        let given = try FirstLogin(
            state: state,
            environment: ["OPENTASK_INIT_USERNAME": "ann", "OPENTASK_INIT_PASSWORD": "long enough"].merging(
                zone
            ) { $1 })
        #expect(given?.username == "ann")
        #expect(given?.generatedPassword == nil)
        #expect(given?.variables["OPENTASK_INIT_PASSWORD"] == "long enough")

        let wrong = #expect(throws: CommandFailure.self) {
            try FirstLogin(state: state, environment: ["OPENTASK_INIT_TIMEZONE": "Mars/Olympus"])
        }
        #expect(wrong?.status == 78)

        try Data().write(to: URL(filePath: "\(state.path)/opentask.db"))
        #expect(try FirstLogin(state: state, environment: zone) == nil)
    }

    @Test func `a secret is seen by the one service that needs it`() throws {
        let everything = [
            "OPENTASK_INIT_PASSWORD": "a", "VAPID_PRIVATE_KEY": "b", "ANTHROPIC_API_KEY": "c",
            "LOG_LEVEL": "info",
        ]
        let seen = Dictionary(
            uniqueKeysWithValues: ServicePlan.all.map { ($0.name, Set($0.environment(everything).keys)) })
        #expect(
            seen == [
                "opentask-api": ["OPENTASK_INIT_PASSWORD", "LOG_LEVEL"],
                "opentask-scheduler": ["LOG_LEVEL"],
                "opentask-push": ["VAPID_PRIVATE_KEY", "LOG_LEVEL"],
                "opentask-enrich": ["ANTHROPIC_API_KEY", "LOG_LEVEL"],
            ])
    }
}
