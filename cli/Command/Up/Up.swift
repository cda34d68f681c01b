import FoundationEssentials
import Log
import Processes
import Sockets
import Systemd

/// `opentask up`: all four services in the foreground, without a service manager.
///
/// It opens every socket and hands it over as systemd would, so that the services have one way to start. A socket stays
/// open here while its service is down: callers wait, they are not refused.
public struct Up: Subcommand {
    public let words = ["up"]
    public let summary = "Start OpenTask here and stay in the foreground"
    public let details = """
        Starts the four services that lie beside this program, prints one log and the address, restarts what
        dies, and ends them all on Ctrl-C. The first start creates a user: OPENTASK_INIT_USERNAME (admin),
        OPENTASK_INIT_PASSWORD (made up and printed once), OPENTASK_INIT_TIMEZONE (this machine's).
        All other settings are environment variables, see docs/command.md.
        """
    public let options = [
        Option(
            "listen", "HOST:PORT", variable: "OPENTASK_LISTEN",
            help: "where browsers connect, 127.0.0.1:3000 by default"),
        Option(
            "state", "DIR", variable: "OPENTASK_STATE", help: "where everything is kept, ./data by default"),
    ]

    public init() {}

    public func run(_ call: Invocation) throws {
        // Before anything can start a thread, so that every signal comes to the supervision.
        let children = try Children()
        let text = call.option("listen") ?? "127.0.0.1:3000"
        guard let address = ListenAddress(text) else {
            throw CommandFailure.usage(
                "--listen wants HOST:PORT, 127.0.0.1:3000 for one, and not \"\(text)\"")
        }
        let state = StateFolder(call.option("state") ?? "./data")
        try state.create()
        let lock = try state.lock()
        let sockets = try OpenSockets(state: state, address: address)
        try state.remember(url: sockets.url)
        let login = try FirstLogin(state: state, environment: call.environment)
        let programs = try programs(call.environment, state, sockets, login)

        let log = Logger(threshold: .notice, sink: StandardErrorSink(service: "opentask"))
        log(.notice, "starting", ["url": sockets.url, "state": state.path])
        var supervision = Supervision(
            programs: programs, children: children, log: log, printLine: Up.printLine,
            allReady: { call.print(Up.announcement(sockets.url, login)) })
        try supervision.run()
        log(.notice, "ended")
        withExtendedLifetime((lock, sockets)) {}
    }

    private func programs(
        _ environment: [String: String], _ state: StateFolder, _ sockets: OpenSockets, _ login: FirstLogin?
    ) throws(CommandFailure) -> [String: Program] {
        var variables = environment
        variables["OPENTASK_STATE"] = state.path
        variables["OPENTASK_RUN"] = state.run
        variables["OPENTASK_LISTEN"] = nil
        variables.merge(["LOG_LEVEL": "notice", "AUTH_URL": sockets.url]) { given, _ in given }
        if FileManager.default.fileExists(atPath: state.credentials) {
            variables.merge(["CREDENTIALS_DIRECTORY": state.credentials]) { given, _ in given }
        }
        // Who types `sudo opentask up` goes on as who they are.
        if let owner = environment["SUDO_UID"] {
            variables.merge(["OPENTASK_OWNER": owner]) { given, _ in given }
        }
        variables.merge(login?.variables ?? [:]) { _, made in made }

        let folder = try Installation.binaries()
        if let web = Installation.web(binaries: folder) {
            variables.merge(["OPENTASK_WEB": web]) { given, _ in given }
        }
        var programs: [String: Program] = [:]
        for plan in ServicePlan.all {
            let path = "\(folder)/\(plan.name)"
            guard FileManager.default.isExecutableFile(atPath: path) else {
                throw .failed("\(plan.name) is missing beside this program: \(path)")
            }
            programs[plan.name] = Program(
                path: path, environment: plan.environment(variables), sockets: sockets.handedTo(plan),
                noticePath: try state.socket("\(plan.name).notify"))
        }
        return programs
    }

    private static func announcement(_ url: String, _ login: FirstLogin?) -> String {
        var lines = ["OpenTask is ready: \(url)"]
        if let login {
            let password = login.generatedPassword ?? "as given in OPENTASK_INIT_PASSWORD"
            lines += ["First login, shown this once: name \(login.username), password \(password)"]
        }
        lines += ["Ctrl-C ends it."]
        return lines.joined(separator: "\n")
    }

    /// The services' own lines are told apart by their names; what else a process writes gets the same head.
    private static func printLine(_ service: String, _ line: String) {
        if line.dropFirst(8).hasPrefix(" \(service) ") {
            Streams.printError(line)
        } else {
            StandardErrorSink(service: service).write(.warning, line, [:])
        }
    }
}

/// The sockets of an instance, open for as long as this value lives.
struct OpenSockets {
    let url: String
    private let http: ListeningSocket
    private var unix: [String: ListeningSocket] = [:]

    init(state: StateFolder, address: ListenAddress) throws(CommandFailure) {
        do {
            http = try .tcp(host: address.host, port: address.port)
        } catch {
            throw .failed(
                "cannot listen on \(address.host), port \(address.port): \(error). Is another instance running? "
                    + "Choose another address with --listen")
        }
        url = ListenAddress.url(host: address.host, port: http.localAddress.port ?? address.port)
        for name in ServicePlan.all.flatMap(\.sockets).compactMap(\.path) {
            let path = try state.socket(name)
            do {
                unix[name] = try .unix(path: path, mode: 0o600)
            } catch {
                throw .failed("cannot listen on \(path): \(error)")
            }
        }
    }

    func handedTo(_ plan: ServicePlan) -> [(name: String, descriptor: Int32)] {
        plan.sockets.compactMap { name, path in
            guard let path else { return (name, http.fd) }
            return unix[path].map { (name, $0.fd) }
        }
    }
}

/// Where the files of this installation are.
enum Installation {
    /// The folder of the running program.
    static func binaries() throws(CommandFailure) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let slash = path.lastIndex(of: "/")
        else { throw .failed("cannot tell where this program is: is /proc mounted?") }
        return String(path[..<slash])
    }

    /// The web app of an installation, `PREFIX/share/opentask/web`; nil in a build tree.
    static func web(binaries: String) -> String? {
        let path = "\(binaries)/../share/opentask/web"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }
}
