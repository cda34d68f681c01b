import Log
import Processes

/// Keeps the services running until somebody asks for the end: starts them, prints what they write, restarts what dies,
/// and ends them all, by process number only.
struct Supervision {
    /// From SIGTERM to SIGKILL.
    static let patience = Duration.seconds(10)

    private struct Service {
        let program: Program
        var child: Int32?
        var started = ContinuousClock.now
        var restartAt: ContinuousClock.Instant?
        var backoff = Backoff()
        /// This run of it has said READY.
        var isReady = false
        /// It has said READY once, or it stays down: nobody waits for it any more.
        var isSettled = false
    }

    private let children: Children
    private let log: Logger
    /// Prints a line of a service.
    private let printLine: (_ service: String, _ line: String) -> Void
    /// Called once, when every service that can be started has said READY.
    private let allReady: () -> Void
    private var services: [String: Service]
    private var announced = false

    init(
        programs: [String: Program], children: Children, log: Logger,
        printLine: @escaping (_ service: String, _ line: String) -> Void, allReady: @escaping () -> Void
    ) {
        services = programs.mapValues { Service(program: $0) }
        self.children = children
        self.log = log
        self.printLine = printLine
        self.allReady = allReady
    }

    /// Returns when it was asked to stop and all have ended; throws when a service that nothing works without cannot
    /// be started with these settings.
    mutating func run() throws(CommandFailure) {
        for name in services.keys.sorted() { start(name) }
        var failure: CommandFailure?
        supervising: while true {
            for event in children.nextEvents(atMost: untilNextRestart()) {
                switch event {
                case .stopRequested: break supervising
                case .line(let child, let line): printed(child, line)
                case .ready(let child): becameReady(child)
                case .ended(let child, let ending):
                    if let reason = ended(child, ending) {
                        failure = reason
                        break supervising
                    }
                }
            }
            restartWhatIsDue()
        }
        stopAll()
        if let failure { throw failure }
    }

    private mutating func start(_ name: String) {
        guard var service = services[name] else { return }
        service.restartAt = nil
        service.started = .now
        service.isReady = false
        do {
            service.child = try children.start(service.program)
        } catch {
            let delay = service.backoff.delay(clean: false, ran: .zero)
            service.restartAt = .now + delay
            log(.error, "cannot start a service, will try again", ["service": name, "error": "\(error)"])
        }
        services[name] = service
    }

    private func name(of child: Int32) -> String? {
        services.first { $0.value.child == child }?.key
    }

    private func printed(_ child: Int32, _ line: String) {
        if let name = name(of: child) { printLine(name, line) }
    }

    private mutating func becameReady(_ child: Int32) {
        guard let name = name(of: child) else { return }
        services[name]?.isReady = true
        settled(name)
    }

    private mutating func settled(_ name: String) {
        services[name]?.isSettled = true
        guard !announced, services.values.allSatisfy(\.isSettled) else { return }
        announced = true
        allReady()
    }

    /// - Returns: why everything must end, if it must.
    private mutating func ended(_ child: Int32, _ ending: Ending) -> CommandFailure? {
        guard let name = name(of: child), var service = services[name] else { return nil }
        service.child = nil
        if ending == .status(78) {
            services[name] = service
            log(
                .error, "a service needs another setting and stays down, see its last line", ["service": name]
            )
            guard name != "opentask-api" else {
                return .configuration("\(name) cannot start with these settings, see its last line")
            }
            settled(name)
            return nil
        }
        let ran = ContinuousClock.now - service.started
        let delay = service.backoff.delay(clean: ending == .status(0) && service.isReady, ran: ran)
        service.restartAt = .now + delay
        services[name] = service
        log(
            ending == .status(0) ? .notice : .warning, "a service ended, starting it again",
            ["service": name, "with": ending.description, "in_ms": String(Int(delay / .milliseconds(1)))])
        return nil
    }

    private func untilNextRestart() -> Duration? {
        services.values.compactMap(\.restartAt).min().map { max(.zero, $0 - .now) }
    }

    private mutating func restartWhatIsDue() {
        for (name, service) in services.sorted(by: { $0.key < $1.key }) {
            if let due = service.restartAt, due <= .now { start(name) }
        }
    }

    /// SIGTERM to all; after ten seconds, or when asked once more, SIGKILL to those that are left.
    private mutating func stopAll() {
        let deadline = ContinuousClock.now + Self.patience
        var running = services.compactMapValues(\.child)
        for child in running.values { children.send(15, to: child) }
        var killed = false
        while !running.isEmpty {
            let left = deadline - .now
            var kill = !killed && left <= .zero
            for event in children.nextEvents(atMost: killed ? nil : max(.zero, left)) {
                switch event {
                case .stopRequested: kill = !killed
                case .line(let child, let line): printed(child, line)
                case .ready: break
                case .ended(let child, _): running = running.filter { $0.value != child }
                }
            }
            if kill {
                killed = true
                for (name, child) in running {
                    log(.error, "a service did not end in time, killed", ["service": name])
                    children.send(9, to: child)
                }
            }
        }
    }
}
