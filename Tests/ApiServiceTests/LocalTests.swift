import ApiService
import ApiStore
import Daemon
import Domain
import FoundationEssentials
import Interfaces
import JSON
import Testing
import Time
import Varlink

@Suite("org.opentask.local")
struct LocalTests {
    private let bench: Bench
    private let door: Door

    init() throws {
        bench = try Bench()
        door = try Door(bench)
    }

    private func call(
        _ method: String, _ path: String, _ body: String? = nil, user: String? = nil
    ) throws -> (status: Int, body: JSONValue) {
        let reply = try door.client.call(
            Local.Call.self, .init(user: user, method: method, path: path, body: body))
        return (reply.status, reply.body.isEmpty ? .null : try JSONValue(parsing: Array(reply.body.utf8)))
    }

    private func error(_ body: () throws -> Void) -> VarlinkError? {
        do {
            try body()
            return nil
        } catch { return error as? VarlinkError }
    }

    @Test func `a request is answered as over HTTP, for the user named or the first`() throws {
        #expect(error { _ = try call("GET", "/api/tasks") }?.name == Local.Errors.noUserYet)
        let ann = try bench.add()
        let bob = try bench.add("bob")
        let made = try call("POST", "/api/tasks", #"{"title":"call bob"}"#)
        #expect(made.status == 201)
        #expect(made.body["data"]?["user_id"] == .int(ann.id.rawValue))
        let other = try call("POST", "/api/tasks", #"{"title":"x"}"#, user: "BOB")
        #expect(other.body["data"]?["user_id"] == .int(bob.id.rawValue))
        #expect(try call("GET", "/api/tasks?limit=1").body["data"]?["count"] == 1)
        #expect(try call("PATCH", "/api/tasks/abc", "{}").status == 400)
        #expect(try call("GET", "/api/nothing").status == 404)
        #expect(try call("PUT", "/api/tasks").status == 405)
        #expect(try call("POST", "/api/tasks", "{").status == 400)
        let unknown = error { _ = try call("GET", "/api/tasks", user: "nobody") }
        #expect(unknown?.name == Local.Errors.noSuchUser)
        #expect(unknown?.parameters["name"] == "nobody")
        #expect(error { _ = try call("GET", "no path") }?.name == Local.Errors.notValid)
    }

    @Test func `what is done here is no sweep of a script: it shows its result itself`() throws {
        let ann = try bench.add()
        try bench.make("u", ["due_at": .local("09:00"), "priority": 4], by: ann)
        try bench.take()
        let swept = try call("POST", "/api/tasks/bulk/snooze-overdue", "{}")
        #expect(swept.body["data"]?["feedback_notification"] == false)
        #expect(try bench.outbox().isEmpty)
    }

    @Test func `a stream is no answer here, and is not left open`() throws {
        try bench.add()
        #expect(error { _ = try call("GET", "/api/sync/stream") }?.name == Local.Errors.notValid)
    }

    @Test func `a user is added with Inbox and periods, once; the password opens the page`() throws {
        let reply = try door.client.call(
            Local.AddUser.self, .init(name: " Jürgen ", timezone: "Europe/Berlin", email: "j@example.org"))
        let password = try unwrap(reply.password)
        #expect(password.utf8.count >= 12)
        let user = try unwrap(try bench.store.read { try $0.user(login: "JÜRGEN") })
        #expect(user.name == "Jürgen")
        #expect(user.email == "j@example.org")
        #expect(user.preferences.zone.name == "Europe/Berlin")
        #expect(try bench.rows("SELECT name FROM project WHERE is_inbox = 1") == ["Inbox"])
        #expect(
            try bench.rows("SELECT label || ' ' || start_time FROM time_slot ORDER BY start_time") == [
                "Early morning 07:00", "Morning 09:00", "Midday 12:00", "Afternoon 16:00", "Evening 20:30",
            ])
        var browser = Browser(bench)
        #expect(try browser.signIn("jürgen", password).status == 200)
        let again = error { _ = try door.client.call(Local.AddUser.self, .init(name: "JÜRGEN")) }
        #expect(again?.name == Local.Errors.userExists)
        let given = try door.client.call(
            Local.AddUser.self, .init(name: "eve", password: "long enough", timezone: "UTC"))
        #expect(given.password == nil, "a password that was given is not told")
    }

    @Test(arguments: [
        ("name", "", "long enough", "UTC"), ("name", "  ", "long enough", "UTC"),
        ("name", "a\nb", "long enough", "UTC"),
        ("password", "eve", "short", "UTC"), ("timezone", "eve", "long enough", "Mars/Olympus"),
        ("timezone", "eve", "long enough", ""),
    ])
    func `what cannot be a user is refused by field`(
        _ field: String, _ name: String, _ password: String, _ zone: String
    ) throws {
        let refused = error {
            _ = try door.client.call(
                Local.AddUser.self, .init(name: name, password: password, timezone: zone))
        }
        #expect(refused?.name == Local.Errors.notValid)
        #expect(refused?.parameters["field"] == .string(field))
        #expect(try bench.count("user") == 0)
    }

    @Test func `a token is returned once and opens the API`() throws {
        let ann = try bench.add()
        let token = try door.client.call(Local.CreateToken.self, .init(user: "ann", label: "script")).token
        #expect(token.utf8.count == 64)
        let answer = try bench.call("GET", "/api/auth/me", headers: [("Authorization", "Bearer \(token)")])
        #expect(answer["id"] == .int(ann.id.rawValue))
        #expect(try bench.count("token WHERE hash = '\(token)'") == 0)
        let blank = error { _ = try door.client.call(Local.CreateToken.self, .init(user: "ann", label: " ")) }
        #expect(blank?.name == Local.Errors.notValid)
        let nobody = error {
            _ = try door.client.call(Local.CreateToken.self, .init(user: "eve", label: "x"))
        }
        #expect(nobody?.name == Local.Errors.noSuchUser)
    }

    @Test(arguments: ["", "../evil", "a/b", "Uppercase", "missing", "a.b", "a\u{0}b"])
    func `only an enricher that has a socket can be used`(_ name: String) throws {
        let refused = error { _ = try door.client.call(Local.UseEnricher.self, .init(name: name)) }
        #expect(refused?.name == Local.Errors.noSuchEnricher)
        #expect(try door.client.call(Local.Status.self, .init()).enricher == "builtin")
    }

    @Test func `the enricher in use is named in the next claim`() throws {
        let ann = try bench.add()
        #expect(
            FileManager.default.createFile(atPath: bench.folder + "/run/enrichers/mine.sock", contents: nil))
        _ = try door.client.call(Local.UseEnricher.self, .init(name: "mine"))
        _ = try bench.call("POST", "/api/tasks", ["title": "x"], as: ann)
        let jobs = try door.client.call(EnrichQueue.Claim.self, .init(limit: 1, leaseMs: 1000)).jobs
        #expect(jobs.map(\.enricher) == ["mine"])
    }

    @Test func `how the api is`() throws {
        let ann = try bench.add()
        _ = try bench.call("POST", "/api/tasks", ["title": "x", "due_at": .local("09:00")], as: ann)
        _ = try bench.call("POST", "/api/tasks", ["title": "y"], as: ann)
        bench.advance(seconds: 90)
        let status = try door.client.call(Local.Status.self, .init())
        #expect(status.uptimeSeconds == 90)
        #expect(status.users == 1 && status.tasks == 2 && status.outbox == 1 && status.jobsWaiting == 1)
        #expect(status.database == bench.store.path)
    }
}

@Suite("The first user of an empty database")
struct FirstUserTests {
    @Test func `is made from the environment, once, and only on an empty database`() throws {
        let bench = try Bench()
        let environment = Environment([
            "OPENTASK_INIT_USERNAME": "root", "OPENTASK_INIT_PASSWORD": "long enough",
            "OPENTASK_INIT_TIMEZONE": "Asia/Kolkata",
        ])
        try Accounts(bench.parts).addFirst(environment: Environment([:]))
        #expect(try bench.count("user") == 0)
        try Accounts(bench.parts).addFirst(environment: environment)
        try Accounts(bench.parts).addFirst(environment: environment)
        #expect(
            try bench.rows("SELECT name || ' ' || email || ' ' || timezone FROM user") == [
                "root root@localhost Asia/Kolkata"
            ])
        var browser = Browser(bench)
        #expect(try browser.signIn("root", "long enough").status == 200)
    }

    @Test func `a first user that cannot be is a mistake in the settings`() throws {
        let bench = try Bench()
        let error = #expect(throws: ConfigurationError.self) {
            try Accounts(bench.parts).addFirst(
                environment: Environment([
                    "OPENTASK_INIT_USERNAME": "root", "OPENTASK_INIT_PASSWORD": "short",
                ]))
        }
        #expect(error?.message.contains("password") == true)
        #expect(error?.message.contains("short") == false)
    }
}
