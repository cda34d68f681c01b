import FoundationEssentials
import Time

/// The first user of a new instance. The api creates it on an empty database from these variables.
public struct FirstLogin: Sendable {
    public let username: String
    /// Set when it was made up here, and so has to be shown.
    public let generatedPassword: String?
    public let variables: [String: String]

    /// - Returns: nil when the instance has a database already.
    public init?(state: StateFolder, environment: [String: String]) throws(CommandFailure) {
        let database = environment["OPENTASK_DB_PATH"] ?? "\(state.path)/opentask.db"
        guard !FileManager.default.fileExists(atPath: database) else { return nil }
        func given(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

        username = given("OPENTASK_INIT_USERNAME") ?? "admin"
        let password = given("OPENTASK_INIT_PASSWORD")
        generatedPassword = password == nil ? FirstLogin.makePassword() : nil
        let zone: String
        if let name = given("OPENTASK_INIT_TIMEZONE") { zone = name } else { zone = try MachineZone.name() }
        guard Zone(zone) != nil else {
            throw .configuration("OPENTASK_INIT_TIMEZONE is no time zone of this machine: \"\(zone)\"")
        }
        variables = [
            "OPENTASK_INIT_USERNAME": username,
            "OPENTASK_INIT_PASSWORD": password ?? generatedPassword ?? "",
            "OPENTASK_INIT_TIMEZONE": zone,
        ]
    }

    /// Four groups of four letters and digits that cannot be taken for one another: 79 bits.
    static func makePassword() -> String {
        let alphabet = Array("abcdefghjkmnpqrstuvwxyz23456789")
        var system = SystemRandomNumberGenerator()  // getrandom(2)
        return (0..<4).map { _ in
            String((0..<4).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &system)] })
        }.joined(separator: "-")
    }
}

/// The time zone of this machine.
enum MachineZone {
    /// From the link /etc/localtime, else from /etc/timezone; without either it is UTC, as localtime(5) says.
    static func name() throws(CommandFailure) -> String {
        let files = FileManager.default
        // What is no link, or absent, leaves it to the next source.
        if let target = try? files.destinationOfSymbolicLink(atPath: "/etc/localtime"),
            case let parts = target.split(separator: "/"), let folder = parts.lastIndex(of: "zoneinfo")
        {
            return parts[(folder + 1)...].joined(separator: "/")
        }
        if let text = try? String(contentsOfFile: "/etc/timezone", encoding: .utf8),
            let line = text.split(separator: "\n").first
        {
            return String(line)
        }
        guard !files.fileExists(atPath: "/etc/localtime") else {
            throw .configuration(
                "this machine does not tell its time zone: set OPENTASK_INIT_TIMEZONE, Europe/Berlin for one")
        }
        return "UTC"
    }
}
