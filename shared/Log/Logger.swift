/// How much a line matters. error: a person must act; warning: we went on without it; notice: a change of state;
/// info: one line per request at most; debug: anything.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    case debug, info, notice, warning, error

    /// The words of `LOG_LEVEL`: trace and debug, info, notice, warn(ing), error; nil for any other.
    public init?(_ word: String) {
        switch word.lowercased() {
        case "trace", "debug": self = .debug
        case "info": self = .info
        case "notice": self = .notice
        case "warn", "warning": self = .warning
        case "error": self = .error
        default: return nil
        }
    }

    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Where lines go: the journal, standard error, a test's list.
public protocol LogSink: Sendable {
    func write(_ level: LogLevel, _ message: String, _ fields: [String: String])
}

/// A constant sentence plus fields: `log(.warning, "push rejected, will retry", ["device": id])`.
/// Ids and counts, never content.
public struct Logger: Sendable {
    private let threshold: LogLevel
    private let sink: any LogSink

    public init(threshold: LogLevel = .notice, sink: any LogSink) {
        self.threshold = threshold
        self.sink = sink
    }

    public func callAsFunction(_ level: LogLevel, _ message: StaticString, _ fields: [String: String] = [:]) {
        guard level >= threshold else { return }
        sink.write(level, message.description, fields)
    }
}
