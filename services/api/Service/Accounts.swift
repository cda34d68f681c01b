import ApiStore
import Crypto
public import Daemon
import Domain
import FoundationEssentials
import Interfaces
import JSON
import Log
import Time
import Varlink

/// Makes accounts.
public struct Accounts: Sendable {
    private let parts: Parts

    public init(_ parts: Parts) { self.parts = parts }

    /// - Parameter timezone: nil: the machine's own.
    /// - Throws: a refusal of `org.opentask.local`.
    func add(name: String, password: String, timezone: String?, email: String?) throws -> UserID {
        let name = name.trimmed
        guard (1...100).contains(name.unicodeScalars.count), !name.contains(where: \.isNewline) else {
            throw LocalMethods.notValid("name", "has 1 to 100 characters")
        }
        guard (8...1024).contains(password.utf8.count) else {
            throw LocalMethods.notValid("password", "has 8 to 1024 bytes")
        }
        guard let zoneName = timezone ?? Self.machineZone(), let zone = Zone(zoneName) else {
            throw LocalMethods.notValid(
                "timezone", "is not a zone that this machine knows, like Europe/Berlin")
        }
        let hash = try PasswordHash.make(password)
        let user = NewUser(name: name, email: email ?? "\(name)@localhost", passwordHash: hash, zone: zone)
        do {
            return try parts.store.write(at: parts.clock) { try $0.add(user) }
        } catch let error as StoreFailure where error.isUnique {
            throw VarlinkError(Local.Errors.userExists, ["name": .string(name)])
        }
    }

    /// On an empty database: the first user, from `OPENTASK_INIT_*` (api section 6). Without a name and a password
    /// none is made; `opentask user add` makes one.
    public func addFirst(environment: Environment) throws {
        guard try parts.store.read({ try $0.userCount() }) == 0,
            let name = environment["OPENTASK_INIT_USERNAME"],
            let password = try environment.credential("OPENTASK_INIT_PASSWORD")
        else { return }
        do {
            _ = try add(
                name: name, password: password, timezone: environment["OPENTASK_INIT_TIMEZONE"],
                email: environment["OPENTASK_INIT_EMAIL"])
        } catch let error as VarlinkError {
            let field = error.parameters["field"]?.string ?? "?"
            let message = error.parameters["message"]?.string ?? error.name
            throw ConfigurationError("OPENTASK_INIT_*: the first user's \(field) \(message)")
        }
        parts.log(.notice, "made the first user")
    }

    /// The machine's own zone: /etc/timezone, else where /etc/localtime leads.
    static func machineZone() -> String? {
        // Debian has the file, others do not.
        if let text = try? String(contentsOfFile: "/etc/timezone", encoding: .utf8),
            Zone(text.trimmed) != nil
        {
            return text.trimmed
        }
        // It may be a file of its own, which names no zone.
        guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"),
            let name = link.split(separator: "zoneinfo/", maxSplits: 1).last
        else { return nil }
        return String(name)
    }
}
