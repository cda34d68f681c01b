import FoundationEssentials
import Testing

@Suite("The house style")
struct StyleTests {
    private static let wrappers = [
        "SQLite", "Sockets", "Timers", "Processes", "Systemd", "HTTPServer", "HTTPClient", "Crypto",
    ].map { "shared/\($0)/" }

    private static func product() throws -> [String] {
        try House.swiftFiles(below: "shared") + House.swiftFiles(below: "services")
            + House.swiftFiles(below: "cli")
    }

    @Test func `every target but the wrappers is built with strict memory safety and warnings as errors`()
        throws
    {
        let package = try House.code(of: "Package.swift")
        #expect(package.contains(".treatAllWarnings(as: .error)"))
        #expect(package.contains("let safe: [SwiftSetting] = house + [.strictMemorySafety()]"))
        let wrapped = package.split(separator: "\n").filter { $0.contains(" wrapper(\"") }.count
        #expect(wrapped <= Self.wrappers.count, "a new wrapper needs a line in this test, and a reason")
    }

    @Test func `raw pointers and unchecked promises stay in the wrappers`() throws {
        let words = [
            "Unsafe", "unsafe ", "@unchecked Sendable", "nonisolated(unsafe)", "withUnsafe", "Unmanaged",
        ]
        for file in try Self.product() where !Self.wrappers.contains(where: file.hasPrefix) {
            let code = try House.code(of: file)
            for word in words where code.contains(word) { Issue.record("\(file) has \(word)") }
        }
    }

    @Test func `an unchecked promise says beside it why it is true`() throws {
        for file in try Self.product() {
            let lines = try House.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where line.contains("@unchecked Sendable") {
                let near = lines[max(0, number - 12)...number]
                if !near.contains(where: { $0.contains("//") }) {
                    Issue.record("\(file):\(number + 1) says nothing")
                }
            }
        }
    }

    @Test func `nothing traps on purpose but preconditions`() throws {
        for file in try Self.product() {
            let code = try House.code(of: file)
            for word in ["try!", "fatalError(", "as! "] where code.contains(word) {
                Issue.record("\(file) has \(word)")
            }
        }
    }

    @Test func `a swallowed error says why`() throws {
        for file in try Self.product() {
            let lines = try House.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() where line.firstMatch(of: /\btry\?/) != nil {
                // What follows may refuse instead, with words of its own: then nothing is swallowed.
                let refuses = lines[number...].prefix(5).contains { $0.contains("throw ") }
                let near = lines[max(0, number - 8)...number]
                if !refuses, !near.contains(where: { $0.contains("//") }) {
                    Issue.record("\(file):\(number + 1) says nothing")
                }
            }
        }
    }

    @Test func `no file has more than 450 lines`() throws {
        for file in try Self.product() + House.swiftFiles(below: "Tests") {
            let count = try House.text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
                .count
            #expect(count <= 450, "\(file) has \(count) lines: what is its second subject?")
        }
    }

    @Test func `no type is called what says nothing`() throws {
        let endings = ["Manager", "Helper", "Util", "Utils", "Utility", "Impl"]
        for file in try Self.product() {
            for line in try House.code(of: file).split(separator: "\n") {
                let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
                guard
                    let at = words.firstIndex(where: {
                        ["struct", "class", "enum", "protocol", "actor"].contains($0)
                    }),
                    words.indices.contains(at + 1)
                else { continue }
                // systemd's manager is the field's own word.
                guard words[at + 1] != "ServiceManager" else { continue }
                #expect(!endings.contains { words[at + 1].hasSuffix($0) }, "\(file): \(words[at + 1])")
            }
        }
    }

    @Test func `no free-standing Task, no sleep that gives it time`() throws {
        for file in try Self.product() {
            let code = try House.code(of: file)
            for word in ["Task.detached", "Task.sleep", "usleep(", "Thread.sleep"] {
                if code.contains(word) { Issue.record("\(file) has \(word)") }
            }
        }
    }

    @Test func `each C library has one module map and one wrapper`() throws {
        for map in try House.files(below: "shared", suffix: "module.modulemap") {
            let module = map.split(separator: "/")[1]
            let users = try Set(
                Self.product().filter { try House.text(of: $0).contains("import \(module)\n") }
                    .map { $0.split(separator: "/").prefix(2).joined(separator: "/") })
            // CLinux is what Swift's Glibc hides, so each wrapper of the system's own calls needs it.
            #expect(module == "CLinux" || users.count <= 1, "\(module) is used by \(users.sorted())")
        }
    }

    @Test func `every service has its page in docs, and every unit is checked`() throws {
        for service in ["api", "scheduler", "push", "enrich"] {
            #expect(
                FileManager.default.fileExists(atPath: "\(House.root)/docs/\(service).md"),
                "docs/\(service).md")
            let unit = try House.text(of: "deploy/systemd/opentask-\(service).service")
            for line in ["Type=notify", "WatchdogSec=", "Restart=on-failure", "RestartPreventExitStatus=78"] {
                #expect(unit.contains(line), "opentask-\(service).service has no \(line)")
            }
        }
    }
}
