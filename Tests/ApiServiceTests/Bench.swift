import ApiService
import ApiStore
import Crypto
import Daemon
import Domain
import FoundationEssentials
import HTTPServer
import Interfaces
import JSON
import Log
import SQLite
import Synchronization
import TestSupport
import Time

/// The whole api in memory, but for its database, which lies in a folder that goes with the bench. The clock stands at
/// Wednesday 2026-10-14, 10:00 in Chicago, where the specification's examples are, until a test moves it.
final class Bench: Sendable {
    /// Somebody with an account and a token.
    struct Person: Sendable {
        let id: UserID
        let name: String
        let token: String
        let inbox: Int64
    }

    static let zone = Zone("America/Chicago").unsafelyUnwrapped

    let folder: String
    let clock = FixedClock(.local("10:00"))
    let log = Lines()
    let store: Store
    let parts: Parts
    let api: Api

    /// - Parameter environment: settings beside the folders.
    init(_ environment: [String: String] = [:]) throws {
        folder = try Self.makeFolder()
        var values = [
            "OPENTASK_STATE": folder, "OPENTASK_RUN": folder + "/run", "OPENTASK_WEB": folder + "/web",
        ]
        values.merge(environment) { $1 }
        try FileManager.default.createDirectory(
            atPath: folder + "/run/enrichers", withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            atPath: folder + "/web/app", withIntermediateDirectories: true)
        let settings = try Settings(environment: Environment(values))
        store = try Store(path: settings.databasePath, quotaPrompts: settings.quotaPromptsEnabled)
        parts = Parts(
            store: store, clock: clock, settings: settings, log: Logger(threshold: .debug, sink: log))
        api = Api(parts)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)  // left to the next cleaning of /tmp otherwise
    }

    /// Short, for the paths of Unix sockets.
    private static func makeFolder() throws -> String {
        let path = "/tmp/ota-\(UInt64.random(in: 0...(.max)))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    var now: Instant { clock.now() }

    func advance(seconds: Int64) { clock.advance(seconds: seconds) }

    /// A new account with a token. The password is `passwordOfAll`.
    @discardableResult
    func add(_ name: String = "ann", zone: String = "America/Chicago") throws -> Person {
        let token = Hex.encode(SecureRandom.bytes(32))
        let zone = try unwrap(Zone(zone))
        let (id, inbox) = try store.write(at: clock) { transaction in
            let id = try transaction.add(
                NewUser(
                    name: name, email: "\(name)@example.org", passwordHash: Self.hashOfAll, zone: zone))
            _ = try transaction.addToken(
                name: "test", hash: Hex.encode(SHA256.hash(token)), preview: String(token.suffix(8)),
                source: "manual", user: id)
            return (id, try transaction.inbox(of: id))
        }
        return Person(id: id, name: name, token: token, inbox: inbox.rawValue)
    }

    static let passwordOfAll = "correct horse battery"
    /// Made once: a hash takes a fifth of a second.
    private static let hashOfAll: String = {
        do { return try PasswordHash.make(passwordOfAll) } catch { return "scrypt failed: \(error)" }
    }()

    /// What only the database knows: completions, statistics, marks.
    func rows(_ sql: String) throws -> [String] {
        let database = try Database(path: store.path, mode: .readOnly)
        return try database.query(sql) { $0.text(0) }
    }

    func count(_ sql: String) throws -> Int {
        Int(try rows("SELECT count(*) FROM \(sql)").first ?? "") ?? -1
    }

    /// Changes what no operation changes yet, such as a preference.
    func change(_ script: String) throws {
        try Database(path: store.path).execute(script)
    }

    func set(_ preference: String, _ json: String, of person: Person) throws {
        try store.write(at: clock) { try $0.setPreference(preference, json, of: person.id) }
    }

    /// The messages that wait in the outbox, oldest first.
    func outbox() throws -> [Push.Message] {
        try store.read { try $0.outbox(limit: 10_000) }.map {
            try JSONCoding.decode(Push.Message.self, from: $0.body.utf8)
        }
    }

    /// The same, and takes them out, as push does.
    @discardableResult
    func take() throws -> [Push.Message] {
        let waiting = try store.read { try $0.outbox(limit: 10_000) }
        try store.write(at: clock) { try $0.removeOutbox(waiting.map(\.id)) }
        return try waiting.map { try JSONCoding.decode(Push.Message.self, from: $0.body.utf8) }
    }
}

/// What was logged, so that a test can read it.
final class Lines: LogSink {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func write(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        lines.withLock { $0.append("\(level) \(message) \(fields)") }
    }
}

/// Something that a test needs is not there.
struct Missing: Error, CustomStringConvertible {
    let description: String
}

func unwrap<T>(_ value: T?, _ what: String = "\(T.self)") throws -> T {
    guard let value else { throw Missing(description: "no \(what)") }
    return value
}

extension Instant {
    /// A wall clock of Chicago: `09:00` or `09:00:30` on 2026-10-14, `10-15 09:00`, or `2027-01-02 09:00`.
    static func local(_ text: String) -> Instant {
        let parts = text.split(separator: " ").map(String.init)
        let date =
            switch parts.count > 1 ? parts[0].count : 0 {
            case 10: parts[0]
            case 5: "2026-" + parts[0]
            default: "2026-10-14"
            }
        guard let instant = Instant(iso8601: "\(date)T\(parts[parts.count - 1])", zone: Bench.zone) else {
            preconditionFailure("no time: \(text)")
        }
        return instant
    }
}

extension JSONValue {
    /// The instant of such a wall clock, as the api writes it.
    static func local(_ text: String) -> JSONValue { .string(Instant.local(text).iso8601) }
}

/// Makes an empty file, such as where a socket would be.
func touch(_ path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw Missing(description: path)
    }
}

func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
