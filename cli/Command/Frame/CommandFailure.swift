/// Why a command did not do what was asked, with the words for the person and the exit status for the script.
public enum CommandFailure: Error, Equatable {
    /// It was tried and refused, or went wrong: 1.
    case failed(String)
    /// The command line makes no sense: 2.
    case usage(String)
    /// Nobody answers: 3.
    case unreachable(String)
    /// A setting must be changed: 78 (EX_CONFIG).
    case configuration(String)

    public var message: String {
        switch self {
        case .failed(let message), .usage(let message), .unreachable(let message),
            .configuration(let message):
            message
        }
    }

    public var status: Int32 {
        switch self {
        case .failed: 1
        case .usage: 2
        case .unreachable: 3
        case .configuration: 78
        }
    }
}
