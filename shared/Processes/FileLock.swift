import Glibc

/// A lock on a file that lasts as long as this value, or as the process if it is killed: flock(2).
public final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Takes the lock and writes the number of this process into the file; nil when another process has it.
    public static func take(path: String) throws(ProcessError) -> FileLock? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ProcessError(step: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw ProcessError(step: path, code: code)
        }
        ftruncate(descriptor, 0)
        let line = Array("\(getpid())\n".utf8)
        _ = write(descriptor, line, line.count)  // only for a person to read
        return FileLock(descriptor: descriptor)
    }

    deinit { close(descriptor) }
}
