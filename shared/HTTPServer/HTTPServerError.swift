/// The server could not be set up.
public struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was being done: a system call's name, or a step in words.
    public let step: String
    /// The system's error number; 0 where there is none.
    public let code: Int32

    public var description: String { "\(step) failed (errno \(code))" }
}
