import Glibc
public import Log
public import Sockets
import Systemd

/// The skeleton of a service: its settings, its log, its sockets, its end. All four look alike because of it.
///
/// `main` makes one first thing, tells it what the service owns and answers, and ends with `run()`:
///
///     let daemon = Daemon("opentask-api")
///     let store = daemon.start("open the database") { try Store(path: settings.path) }
///     daemon.serve(VarlinkServer(router), on: "varlink")
///     daemon.atEnd(outbox.stop)
///     daemon.run()
///
/// Exit statuses: 0 after a stop that was asked for; 1 when a start failed (the service manager tries again);
/// 78 (EX_CONFIG) when a person has to change a setting first (the unit does not try again).
///
/// All of it belongs to the main thread, but for `log` and what `permit` returns.
public final class Daemon {
    /// Lines of this service: to the journal under systemd, else to standard error. `LOG_LEVEL`, by default `warn`.
    public let log: Logger
    /// The settings that the process was started with.
    public let environment: Environment

    /// Who may call this service's Varlink sockets, for `VarlinkServer(permit:)`: see `Permission`.
    public private(set) lazy var permit: @Sendable (PeerCredentials) -> Bool = {
        let permission = start("read OPENTASK_OWNER") {
            try Permission(owners: environment["OPENTASK_OWNER"] ?? "")
        }
        return { permission.allows($0) }
    }()

    private let signals: StopSignals
    private let stopLimit: Duration
    private var sockets: [ServiceManager.Socket]
    private var served: [any Servable] = []
    private var lastThings: [() -> Void] = []
    private var isHealthy: () -> Bool = { true }

    /// - Parameters:
    ///   - name: the executable's, `opentask-api`.
    ///   - stopLimit: from SIGTERM to the end of the process, at most.
    public init(_ name: String, stopLimit: Duration = .seconds(5)) {
        // Before anything can start a thread, so that every thread leaves the signals to run().
        signals = StopSignals()
        self.stopLimit = stopLimit
        environment = Environment()
        OpenFiles.raiseLimit()
        let level = LogLevel(environment["LOG_LEVEL"] ?? "warn")
        let sink: any LogSink =
            JournalSink.isConnected ? JournalSink(identifier: name) : StandardErrorSink(service: name)
        log = Logger(threshold: level ?? .warning, sink: sink)
        sockets = ServiceManager.listeningSockets()
        if level == nil {
            log(.warning, "LOG_LEVEL is none of trace, debug, info, notice, warn, error: using warn")
        }
    }

    /// Does a step of the start that no further try mends when it fails with a `Final`: then the process ends with
    /// status 78, too.
    public func start<Result, Final: Error>(
        _ step: StaticString, refusing final: Final.Type, _ body: () throws -> Result
    ) -> Result {
        start(step) {
            do {
                return try body()
            } catch let error as Final {
                log(
                    .error, "cannot start: somebody has to act first",
                    ["step": step.description, "reason": "\(error)"])
                exit(EX_CONFIG)
            }
        }
    }

    /// Does a step of the start. If it fails the process ends with one line that says what to do: status 78 for a
    /// `ConfigurationError`, else 1.
    public func start<Result>(_ step: StaticString, _ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch let error as ConfigurationError {
            log(
                .error, "cannot start: a setting must be changed",
                ["step": step.description, "setting": error.message])
            exit(EX_CONFIG)
        } catch {
            log(.error, "cannot start", ["step": step.description, "error": "\(error)"])
            exit(EXIT_FAILURE)
        }
    }

    /// Hands every socket of this name to the server, which answers from now on. Servers are drained in the order of
    /// these calls. Without such a socket the process ends with status 78.
    public func serve(_ server: some Servable, on name: String) {
        let named = sockets.filter { $0.name == name }
        sockets.removeAll { $0.name == name }
        start("serve") {
            guard !named.isEmpty else {
                throw ConfigurationError(
                    "no listening socket named \"\(name)\" was handed over: start this service by its socket unit "
                        + "(FileDescriptorName=\(name)) or by `opentask up`")
            }
            for socket in named {
                guard ServiceManager.isListeningStream(socket.descriptor) else {
                    throw ConfigurationError(
                        "the socket named \"\(name)\" is not a listening stream: the unit needs ListenStream= and "
                            + "Accept=no")
                }
                try server.serve(listening: socket.descriptor)
            }
        }
        served.append(server)
    }

    /// Runs after everything served has drained, in the order of these calls.
    public func atEnd(_ lastThing: @escaping () -> Void) {
        lastThings.append(lastThing)
    }

    /// What the watchdog learns: while this is false no sign of life is given, and after WatchdogSec= the service
    /// manager kills and restarts the service. Asked on the main thread at half that interval.
    public func healthy(when isHealthy: @escaping () -> Bool) {
        self.isHealthy = isHealthy
    }

    /// Says READY, waits for SIGTERM or SIGINT, drains what was served, does the last things, ends the process.
    public func run() -> Never {
        for socket in sockets {
            log(.warning, "a socket was handed over that nobody serves", ["name": socket.name])
            close(socket.descriptor)
        }
        sockets = []
        ServiceManager.notify(.ready)
        log(.notice, "ready")
        waitForStop()
        ServiceManager.notify(.stopping)
        log(.notice, "stopping")
        exitWhenOverdue()
        drain()
        for lastThing in lastThings { lastThing() }
        exit(EXIT_SUCCESS)
    }

    private func waitForStop() {
        // Half of the interval, as sd_watchdog_enabled(3) recommends. Without a watchdog: not one wake-up.
        let interval = ServiceManager.watchdogInterval().map { $0 / 2 }
        while !signals.wait(atMost: interval) {
            if isHealthy() {
                ServiceManager.notify(.watchdog)
            } else {
                log(.error, "not healthy, the watchdog is left to act")
            }
        }
    }

    /// Each server gets what is left of four fifths of the limit; the rest is for the last things.
    private func drain() {
        let deadline = ContinuousClock.now + stopLimit * 0.8
        for server in served {
            let left = max(.zero, deadline - ContinuousClock.now)
            server.drain(timeoutMilliseconds: left.milliseconds)
        }
    }

    /// A last thing that hangs must not make the manager kill the service: what is durable is committed by now.
    private func exitWhenOverdue() {
        OverdueExit.arm(after: stopLimit) { [log] in
            log(.error, "stopping took too long, left without the last things")
        }
    }
}

extension Duration {
    /// Whole milliseconds, fraction cut.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
