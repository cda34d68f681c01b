/// What to start: a program, its environment, and the listening sockets that it is handed.
public struct Program: Sendable {
    /// The absolute path of the executable.
    public var path: String
    public var arguments: [String]
    public var environment: [String: String]
    /// Name and descriptor of each socket, in order: LISTEN_FDNAMES, and descriptors 3, 4, … in the child. At most 16;
    /// the caller keeps its own descriptors.
    public var sockets: [(name: String, descriptor: Int32)]
    /// Where a Unix socket is put on which the child tells READY=1 (NOTIFY_SOCKET).
    public var noticePath: String

    public init(
        path: String, arguments: [String] = [], environment: [String: String],
        sockets: [(name: String, descriptor: Int32)], noticePath: String
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.sockets = sockets
        self.noticePath = noticePath
    }
}

/// How a child ended.
public enum Ending: Hashable, Sendable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    public var description: String {
        switch self {
        case .status(let status): "status \(status)"
        case .signal(let signal): "signal \(signal)"
        }
    }
}

/// A step that the system refused.
public struct ProcessError: Error, Hashable, CustomStringConvertible {
    public let step: String
    /// errno.
    public let code: Int32

    public var description: String { "\(step): \(message(ofCode: code))" }
}
