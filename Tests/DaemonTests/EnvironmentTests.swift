import Daemon
import FoundationEssentials
import Testing

@Suite("Settings from variables and credentials")
struct EnvironmentTests {
    @Test func `a variable that is set to nothing counts as not set`() throws {
        let environment = Environment(["A": "", "B": "b"])
        #expect(environment["A"] == nil)
        #expect(environment.string("A", default: "standard") == "standard")
        #expect(environment.string("B", default: "standard") == "b")
        #expect(try environment.integer("A", in: 1...9, default: 5) == 5)
    }

    @Test(arguments: [("1", 1), ("9", 9), ("+3", 3)])
    func `a whole number within its range is taken`(_ text: String, _ value: Int) throws {
        #expect(try Environment(["N": text]).integer("N", in: 1...9, default: 5) == value)
    }

    @Test(arguments: ["0", "10", "-3", "2.5", "nine", " 3", "99999999999999999999"])
    func `any other number is refused with the name of the variable and its range`(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Environment(["N": text]).integer("N", in: 1...9, default: 5)
        }
        #expect(error?.message == "N must be a whole number from 1 to 9, and is \"\(text)\"")
    }

    @Test(arguments: [
        ("true", true), ("1", true), ("YES", true), ("on", true),
        ("false", false), ("0", false), ("No", false), ("off", false),
    ])
    func `the words for yes and no`(_ word: String, _ value: Bool) throws {
        #expect(try Environment(["F": word]).flag("F", default: !value) == value)
    }

    @Test func `a word that is neither yes nor no is refused`() {
        #expect(throws: ConfigurationError("F must be true or false, and is \"maybe\"")) {
            try Environment(["F": "maybe"]).flag("F", default: true)
        }
    }

    @Test func `a secret comes from the credentials, trimmed, and a variable wins`() throws {
        let folder = try CredentialsFolder(["KEY": " secret\n\n", "EMPTY": "\n"])
        let environment = Environment(["CREDENTIALS_DIRECTORY": folder.path])
        #expect(try environment.credential("KEY") == "secret")
        #expect(try environment.credential("EMPTY") == nil)
        #expect(try environment.credential("ABSENT") == nil)
        #expect(environment.credentialPath("KEY") == "\(folder.path)/KEY")
        let both = Environment(["CREDENTIALS_DIRECTORY": folder.path, "KEY": "variable"])
        #expect(try both.credential("KEY") == "variable")
        #expect(try Environment([:]).credential("KEY") == nil)
    }

    @Test func `a secret that is no text is refused without showing it`() throws {
        let folder = try CredentialsFolder([:])
        try Data([0xff, 0xfe]).write(to: URL(filePath: "\(folder.path)/KEY"))
        let environment = Environment(["CREDENTIALS_DIRECTORY": folder.path])
        #expect(throws: ConfigurationError.self) { try environment.credential("KEY") }
    }
}

/// A folder of files that goes when the test ends.
private final class CredentialsFolder {
    let path: String

    init(_ files: [String: String]) throws {
        path = "/tmp/opentask-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // what is left of /tmp is not this test's matter
    }
}
