import Glibc

/// Standard output and standard error, line by line, unbuffered.
public enum Streams {
    /// Writes a text and a line break. What nobody reads any more is dropped.
    public static func printOut(_ text: String) { write(text, to: STDOUT_FILENO) }

    public static func printError(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
            }
            guard count > 0 || errno == EINTR else { return }
            done += max(count, 0)
        }
    }
}
