// swift-tools-version: 6.2
// Every target, its path, what it may import: the layer table of docs/house-style.md, in force.

import PackageDescription

/// What every Swift target of the house is built with.
let house: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Everything but the wrappers of C libraries: here an unsafe pointer is a build error.
let safe: [SwiftSetting] = house + [.strictMemorySafety()]

/// Installed binaries find the Swift runtime in a private folder beside them (docs/install.md).
let runtime: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib/opentask"])
]

/// A C library: a module map and a shim with what Swift cannot call.
func library(_ name: String, _ pkgConfig: String? = nil) -> Target {
    .systemLibrary(name: name, path: "shared/\(name)", pkgConfig: pkgConfig)
}

/// The wrapper of a C library: the only place where raw pointers are.
func wrapper(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    .target(name: name, dependencies: dependencies, path: "shared/\(name)", swiftSettings: house)
}

func shared(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "shared/\(name)", resources: resources,
        swiftSettings: safe)
}

func service(
    _ name: String, path: String, _ dependencies: Target.Dependency..., resources: [Resource] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "services/\(path)", resources: resources,
        swiftSettings: safe)
}

func daemon(_ name: String, path: String, _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: path, swiftSettings: safe, linkerSettings: runtime)
}

func tests(_ module: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(module)Tests",
        swiftSettings: house)
}

let package = Package(
    name: "opentask",
    targets: [
        // C libraries
        library("CSQLite", "sqlite3"),
        library("CMicrohttpd", "libmicrohttpd"),
        library("CCurl", "libcurl"),
        library("CCrypto", "libcrypto"),
        library("CSystemd", "libsystemd"),
        library("CLinux"),

        // Mechanisms: no product words
        shared("Time"),
        shared("JSON"),
        shared("Log"),
        shared("Recurrence", "Time"),
        wrapper("SQLite", "CSQLite"),
        wrapper("Sockets", "CLinux"),
        wrapper("Timers", "CLinux", "Time"),
        wrapper("Processes", "CLinux"),
        wrapper("Systemd", "CSystemd", "Log"),
        wrapper("HTTPServer", "CMicrohttpd"),
        wrapper("HTTPClient", "CCurl"),
        wrapper("Crypto", "CCrypto"),
        shared("Varlink", "Sockets", "JSON"),
        shared("Daemon", "Systemd", "Sockets", "Varlink", "HTTPServer", "Log", "Time"),

        // The product's rules and words
        shared("Domain", "Time", "Recurrence", "JSON"),
        shared("Interfaces", "Varlink", "JSON", "Time", resources: [.embedInCode("Texts")]),

        // Services
        service("ApiStore", path: "api/Store", "SQLite", "Domain", "Time", "JSON", "Interfaces"),
        service(
            "ApiService", path: "api/Service", "ApiStore", "Interfaces", "Domain", "Time", "JSON", "Log",
            "Varlink", "HTTPServer", "Crypto", "Daemon", "Sockets", resources: [.embedInCode("OpenAPI")]),
        daemon(
            "opentask-api", path: "services/api/Daemon", "ApiService", "ApiStore", "Daemon", "Time", "Log",
            "HTTPServer", "Varlink", "Interfaces"),

        service(
            "SchedulerService", path: "scheduler/Service", "Interfaces", "Domain", "Time", "Timers", "Log",
            "Sockets",
            "Varlink", "Daemon"),
        daemon(
            "opentask-scheduler", path: "services/scheduler/Daemon", "SchedulerService", "Daemon", "Time",
            "Log", "Varlink", "Interfaces"),

        service("PushStore", path: "push/Store", "SQLite", "Time", "JSON", "Interfaces"),
        service(
            "PushService", path: "push/Service", "PushStore", "Interfaces", "Domain", "HTTPClient", "Crypto",
            "Sockets", "Time", "JSON", "Log", "Varlink", "Daemon"),
        daemon(
            "opentask-push", path: "services/push/Daemon", "PushService", "PushStore", "Daemon", "HTTPClient",
            "Time", "Log", "Varlink"),

        service("Enricher", path: "enrich/Enricher", "Interfaces", "Domain", "Time"),
        service(
            "EnrichService", path: "enrich/Service", "Enricher", "Interfaces", "Domain", "Time", "JSON",
            "Sockets",
            "Log", "Varlink", "Daemon"),
        daemon(
            "opentask-enrich", path: "services/enrich/Daemon", "EnrichService", "Enricher", "Daemon", "Time",
            "Log", "Varlink", "Interfaces"),

        // The command
        .target(
            name: "Command",
            dependencies: [
                "Interfaces", "Varlink", "Sockets", "HTTPClient", "JSON", "Time", "Timers", "Processes",
                "Systemd", "Log",
            ],
            path: "cli/Command", swiftSettings: safe),
        daemon("opentask", path: "cli/Main", "Command"),

        // Tests
        .target(
            name: "TestSupport", dependencies: ["Time"], path: "Tests/TestSupport", swiftSettings: house),
        tests("Time", "Time"),
        tests("JSON", "JSON"),
        tests("SQLite", "SQLite"),
        tests("Sockets", "Sockets", "Timers"),
        tests("Processes", "Processes", "Sockets"),
        tests("Varlink", "Varlink", "Sockets", "JSON"),
        .executableTarget(
            name: "varlink-peer", dependencies: ["Varlink", "Sockets", "JSON"], path: "Tests/VarlinkPeer",
            swiftSettings: house),
        .executableTarget(
            name: "bench-loops", dependencies: ["Varlink", "Sockets", "JSON", "Crypto", "CCrypto"],
            path: "Tests/BenchLoops", swiftSettings: house),
        .executableTarget(
            name: "recurrence-answers", dependencies: ["Domain", "Recurrence", "Time"],
            path: "Tests/RecurrenceAnswers", swiftSettings: house),
        tests("HTTPServer", "HTTPServer", "Sockets"),
        tests("HTTPClient", "HTTPClient", "HTTPServer", "Sockets"),
        tests("Crypto", "Crypto"),
        tests("Recurrence", "Recurrence", "Time"),
        tests("Domain", "Domain", "Time", "Recurrence", "JSON"),
        tests("Interfaces", "Interfaces", "Varlink", "JSON"),
        tests("Daemon", "Daemon", "Log", "Sockets", "Systemd"),
        tests("ApiStore", "ApiStore", "Domain", "Time", "SQLite", "Interfaces", "JSON"),
        tests(
            "ApiService", "ApiService", "ApiStore", "Domain", "Time", "HTTPServer", "JSON", "Varlink",
            "Interfaces", "Log", "Crypto", "Daemon", "SQLite", "Sockets", "SchedulerService", "EnrichService"),
        tests(
            "SchedulerService", "SchedulerService", "Interfaces", "Domain", "Time", "Log", "Varlink",
            "Sockets",
            "JSON"),
        tests("PushStore", "PushStore", "SQLite", "Interfaces", "Time", "JSON"),
        tests(
            "PushService", "PushService", "PushStore", "Interfaces", "Time", "JSON", "Log", "Crypto",
            "HTTPClient",
            "Daemon", "Varlink", "Sockets"),
        tests("Enricher", "Enricher", "Interfaces", "Time"),
        tests(
            "EnrichService", "EnrichService", "Enricher", "Interfaces", "Time", "Log", "Varlink", "Sockets",
            "JSON"),
        tests("Command", "Command", "JSON", "Time"),
        tests("House"),
    ],
    swiftLanguageModes: [.v6]
)

// OPENTASK_TESTS=SQLite,ApiStore: these tests and what they need, nothing else. For a build of their own, with a sanitizer.
if let chosen = Context.environment["OPENTASK_TESTS"] {
    var wanted = Set(chosen.split(separator: ",").map { "\($0)Tests" })
    var count = 0
    while count != wanted.count {
        count = wanted.count
        for target in package.targets where wanted.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { wanted.insert(name) }
        }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
}
