import Log
import Synchronization
import Time

/// What went wrong in a page, as the page tells it.
struct ErrorReport: Sendable {
    var type: String
    var message: String
    var stack: String?
    var url: String?
}

/// The log of errors in pages (A95). Anybody may report, so what one log can take is limited: each error once in five
/// minutes, twenty errors in all; how many were left out is said with the next one.
final class ErrorReports: Sendable {
    private struct Window {
        var began: Instant?
        var told: Set<String> = []
        var leftOut = 0
    }

    private let log: Logger
    private let window = Mutex(Window())
    static let seconds: Int64 = 300
    static let most = 20

    init(log: Logger) { self.log = log }

    func take(_ report: ErrorReport, now: Instant) {
        let leftOut: Int? = window.withLock { window in
            // A clock that was set back begins a new window, or nothing would be told for a long time.
            if window.began.map({ !(0..<Self.seconds).contains(now.seconds(since: $0)) }) ?? true {
                window.began = now
                window.told = []
            }
            guard window.told.count < Self.most,
                window.told.insert("\(report.type) \(report.message)").inserted
            else {
                window.leftOut += 1
                return nil
            }
            defer { window.leftOut = 0 }
            return window.leftOut
        }
        guard let leftOut else { return }
        var fields = ["type": report.type, "message": Self.line(report.message, 500)]
        if let stack = report.stack { fields["stack"] = Self.line(stack, 2000) }
        // What stands behind the path may be somebody's words, or a secret.
        if let url = report.url {
            fields["url"] = Self.line(String(url.prefix { $0 != "?" && $0 != "#" }), 500)
        }
        if leftOut > 0 { fields["left_out"] = String(leftOut) }
        log(
            .warning, "a page has failed in a browser: reload it; if it fails again, report these fields",
            fields)
    }

    /// The first `most` characters, none of which can end a line, move the cursor or turn the direction of what is
    /// written after it.
    static func line(_ text: String, _ most: Int) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(most) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                switch scalar {
                case "\n": line += "\\n"
                case "\t": line += "\\t"
                default: line += "\\u{\(String(scalar.value, radix: 16))}"
                }
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}
