import CSystemd
import Glibc

/// What the service manager and its service tell each other: sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3).
///
/// Outside of systemd all of it is silent: nothing is handed over, and notices go nowhere. Call from the main thread
/// while the process starts; `notify` from any thread.
public enum ServiceManager {
    /// A listening socket that was handed over.
    public struct Socket: Hashable, Sendable {
        /// FileDescriptorName= of the socket unit; "unknown" when it has none.
        public let name: String
        /// Open, close-on-exec; whoever takes it owns it.
        public let descriptor: Int32

        public init(name: String, descriptor: Int32) {
            self.name = name
            self.descriptor = descriptor
        }
    }

    /// The sockets of LISTEN_FDS with their names of LISTEN_FDNAMES, in the order of the unit; empty when LISTEN_PID
    /// is not this process. Takes the three variables out of the environment, so that no child takes them for its own.
    public static func listeningSockets() -> [Socket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count > 0 else { return [] }
        let sockets = (0..<Int(count)).map { index in
            let name = names?[index].map { String(cString: $0) }
            return Socket(name: name ?? "unknown", descriptor: 3 + Int32(index))
        }
        for index in 0..<Int(count) { free(names?[index]) }
        free(names)
        return sockets
    }

    /// Whether the descriptor is a stream socket that listens.
    public static func isListeningStream(_ descriptor: Int32) -> Bool {
        sd_is_socket(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0
    }

    /// What a service tells about itself.
    public enum Notice: Hashable, Sendable {
        case ready
        case stopping
        /// One line for `systemctl status`.
        case status(String)
        /// Still alive.
        case watchdog

        var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .status(let line): "STATUS=\(line.split(separator: "\n").joined(separator: " "))"
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    /// Sends notices in one message.
    /// - Returns: whether there is a manager that could be told.
    @discardableResult
    public static func notify(_ notices: Notice...) -> Bool {
        sd_notify(0, notices.map(\.text).joined(separator: "\n")) > 0
    }

    /// WatchdogSec= of the unit: without a `.watchdog` notice within this time the manager kills the service.
    /// Nil when nobody watches.
    public static func watchdogInterval() -> Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }
}
