import Glibc
public import Log

/// One clear line per entry on standard error: `HH:MM:SS service level message key=value`, in local time.
///
/// Each line is a single write(2), so lines of several threads and processes do not mix.
public struct StandardErrorSink: LogSink {
    private let service: String

    public init(service: String) {
        self.service = service
    }

    public func write(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        let bytes = Array("\(wallClock()) \(service) \(level) \(sentence(message, fields))\n".utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

/// The message with its fields behind it, sorted by name; a value with blanks is quoted, a line break is `\n`.
func sentence(_ message: String, _ fields: [String: String]) -> String {
    var text = message
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
        let flat = value.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
        text +=
            flat.isEmpty || flat.contains(where: { $0 == " " || $0 == "\"" })
            ? " \(name)=\"\(flat)\"" : " \(name)=\(flat)"
    }
    return text
}

/// The local time of day, `HH:MM:SS`.
private func wallClock() -> String {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(two(local.tm_hour)):\(two(local.tm_min)):\(two(local.tm_sec))"
}
