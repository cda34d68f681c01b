import CSystemd
import Glibc
public import Log

/// Lines to the journal, with their fields: `journalctl OPENTASK_TASK=17`.
///
/// sd_journal_sendv(3), any thread. A full or absent journal loses the line; a service never stops for its log.
public struct JournalSink: LogSink {
    private let identifier: String

    /// - Parameter identifier: SYSLOG_IDENTIFIER, the service's name.
    public init(identifier: String) {
        self.identifier = identifier
    }

    /// Whether standard error goes to the journal: JOURNAL_STREAM names its device and inode (systemd.exec(5)).
    public static var isConnected: Bool {
        guard let variable = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0 else { return false }
        return String(cString: variable) == "\(status.st_dev):\(status.st_ino)"
    }

    public func write(_ level: LogLevel, _ message: String, _ fields: [String: String]) {
        var lines = [
            "MESSAGE=\(sentence(message, fields))", "PRIORITY=\(level.priority)",
            "SYSLOG_IDENTIFIER=\(identifier)",
        ]
        for (name, value) in fields { lines.append("OPENTASK_\(fieldName(name))=\(value)") }
        var vectors: [iovec] = []
        for line in lines {
            let bytes = Array(line.utf8)
            let copy = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
            copy.copyMemory(from: bytes, byteCount: bytes.count)
            vectors.append(iovec(iov_base: copy, iov_len: bytes.count))
        }
        _ = sd_journal_sendv(vectors, Int32(vectors.count))
        for vector in vectors { vector.iov_base.deallocate() }
    }

    /// Journal field names are upper-case letters, digits and underscores.
    private func fieldName(_ name: String) -> String {
        String(name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}

extension LogLevel {
    /// The levels of syslog(3).
    var priority: Int {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        }
    }
}
