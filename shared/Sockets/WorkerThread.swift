import CLinux
import Glibc

/// Threads of our own for work that blocks: Swift's concurrency pool has one thread per core, and a few blocked ones
/// would hold up everything else in it.
public enum WorkerThread {
    /// Runs `body` on a new thread, which ends with it. All signals are blocked there: they belong to the main thread.
    ///
    /// - Parameters:
    ///   - name: what `ps -L` and a debugger show; cut to 15 bytes.
    ///   - stackBytes: address space for the stack; only what is touched becomes memory.
    /// - Throws: `SocketError` (EAGAIN) when the system has no thread left.
    public static func start(
        _ name: String, stackBytes: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
    ) throws(SocketError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, max(stackBytes, 64 << 10))
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        // The new thread inherits the mask, so no signal can reach it before it has blocked them itself.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let work = Unmanaged.passRetained(Work(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer else { return nil }
                let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
                opentask_name_thread(String(decoding: work.name.utf8.prefix(15), as: UTF8.self))
                work.body()
                return nil
            }, work.toOpaque())
        if code != 0 {
            work.release()
            throw SocketError(code: code, step: "start a thread")
        }
    }

    private final class Work: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
