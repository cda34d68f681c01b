import FoundationEssentials
import Testing

/// The table of docs/house-style.md, "The layers": what the files of each folder may import besides what comes with
/// Swift. Package.swift says the same to the build; here it is said once more, so that no line of it changes unseen.
private let layers: [String: Set<String>] = [
    // Mechanisms: no product words; a wrapper sees its one C module.
    "shared/Time": [], "shared/JSON": [], "shared/Log": [],
    "shared/SQLite": ["CSQLite"], "shared/Sockets": ["CLinux"], "shared/Timers": ["CLinux", "Time"],
    "shared/Processes": ["CLinux"], "shared/Systemd": ["CSystemd", "Log"],
    "shared/HTTPServer": ["CMicrohttpd"],
    "shared/HTTPClient": ["CCurl"], "shared/Crypto": ["CCrypto"], "shared/Recurrence": ["Time"],
    "shared/Varlink": ["Sockets", "JSON"],
    "shared/Daemon": ["Systemd", "Sockets", "Varlink", "HTTPServer", "Log", "Time"],
    // The product's rules, and its words on the wire.
    "shared/Domain": ["Time", "Recurrence", "JSON"],
    "shared/Interfaces": ["Varlink", "JSON", "Time"],
    // Services: never one another; only a store sees SQLite, only its own service sees a store.
    "services/api/Store": ["SQLite", "Domain", "Time", "JSON", "Interfaces"],
    "services/api/Service": [
        "ApiStore", "Interfaces", "Domain", "Time", "JSON", "Log", "Varlink", "HTTPServer", "Crypto",
        "Daemon", "Sockets",
    ],
    "services/scheduler/Service": [
        "Interfaces", "Domain", "Time", "Timers", "Log", "Varlink", "Daemon", "Sockets",
    ],
    "services/push/Store": ["SQLite", "Time", "JSON", "Interfaces"],
    "services/push/Service": [
        "PushStore", "Interfaces", "Domain", "HTTPClient", "Crypto", "Time", "JSON", "Log", "Varlink",
        "Daemon", "Sockets",
    ],
    "services/enrich/Enricher": ["Interfaces", "Domain", "Time"],
    "services/enrich/Service": [
        "Enricher", "Interfaces", "Domain", "Time", "JSON", "Log", "Varlink", "Daemon", "Sockets",
    ],
    // What only wires.
    "services/api/Daemon": [
        "ApiService", "ApiStore", "Daemon", "Time", "Log", "HTTPServer", "Varlink", "Interfaces",
    ],
    "services/scheduler/Daemon": ["SchedulerService", "Daemon", "Time", "Log", "Varlink", "Interfaces"],
    "services/push/Daemon": [
        "PushService", "PushStore", "Daemon", "HTTPClient", "Time", "Log", "Varlink", "Interfaces",
    ],
    "services/enrich/Daemon": [
        "EnrichService", "Enricher", "Daemon", "Time", "Log", "Varlink", "Interfaces",
    ],
    "cli/Command": [
        "Interfaces", "Varlink", "Sockets", "HTTPClient", "JSON", "Time", "Timers", "Processes", "Systemd",
        "Log",
    ],
    "cli/Main": ["Command"],
]

/// What comes with Swift and may be used by everybody. All of Foundation is not among it: it costs each process 9 MB.
private let withSwift: Set<String> = [
    "Swift", "Synchronization", "Glibc", "Dispatch", "FoundationEssentials", "FoundationInternationalization",
]

@Suite("The layers")
struct LayerTests {
    @Test(arguments: layers.keys.sorted())
    func `a folder imports what stands below it and nothing else`(_ folder: String) throws {
        let allowed = try #require(layers[folder]).union(withSwift)
        for file in try House.swiftFiles(below: folder) {
            let extra = try Self.imports(of: file).subtracting(allowed)
            #expect(extra.isEmpty, "\(file) imports \(extra.sorted())")
        }
    }

    @Test func `every folder of the product has its line in the table`() throws {
        for file in try House.swiftFiles(below: "shared") + House.swiftFiles(below: "services")
            + House.swiftFiles(below: "cli")
        {
            #expect(layers.keys.contains { file.hasPrefix($0 + "/") }, "\(file) is in no layer")
        }
    }

    @Test func `Domain has no clock and no I/O`() throws {
        let words = [
            "SystemClock", "Date()", "FileManager", "ProcessInfo", "URLSession", "fopen", "time(nil)",
        ]
        for file in try House.swiftFiles(below: "shared/Domain")
            + House.swiftFiles(below: "shared/Recurrence")
        {
            let code = try House.code(of: file)
            for word in words where code.contains(word) { Issue.record("\(file) has \(word)") }
        }
    }

    /// The modules that a file imports.
    private static func imports(of file: String) throws -> Set<String> {
        let lines = try House.text(of: file).split(separator: "\n")
        return Set(
            lines.compactMap { line in
                var words = line.split(separator: " ")
                while let first = words.first,
                    first.hasPrefix("@") || ["public", "internal", "private"].contains(first)
                {
                    words.removeFirst()
                }
                guard words.first == "import", words.count > 1 else { return nil }
                return words[words.count > 2 ? 2 : 1].split(separator: ".").first.map(String.init)
            })
    }
}
