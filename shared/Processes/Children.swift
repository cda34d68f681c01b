import CLinux
import Glibc

/// Children of this process, and the signals that ask it to stop, as one stream of events.
///
/// Everything happens in `nextEvents`, which waits in poll(2): no threads, no wake-ups while nothing happens. Belongs
/// to the thread that made it, which must live as long as the children: they get SIGTERM when it ends.
public final class Children {
    public enum Event: Hashable, Sendable {
        /// SIGTERM, SIGINT or SIGHUP came.
        case stopRequested
        /// A line that a child wrote, without its line break.
        case line(child: Int32, String)
        /// A child said READY=1.
        case ready(child: Int32)
        case ended(child: Int32, Ending)
    }

    private final class Child {
        /// pidfd_open(2): no SIGCHLD, which somebody else's thread could take away.
        let process: Int32
        let output: Int32
        let notices: Int32
        let noticePath: String
        var unfinished: [UInt8] = []
        /// Nobody writes to `output` any more; asking it again would answer at once, for ever.
        var isSilent = false

        init(process: Int32, output: Int32, notices: Int32, noticePath: String) {
            self.process = process
            self.output = output
            self.notices = notices
            self.noticePath = noticePath
        }
    }

    private let signals: Int32
    private var children: [Int32: Child] = [:]

    /// Blocks the signals, so call it before any thread is started.
    public init() throws(ProcessError) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        signals = opentask_signal_descriptor(&set)
        guard signals >= 0 else { throw ProcessError(step: "signalfd", code: errno) }
    }

    deinit {
        for child in children.values { release(child) }
        close(signals)
    }

    /// Starts a program.
    /// - Returns: the child's process number.
    public func start(_ program: Program) throws(ProcessError) -> Int32 {
        guard access(program.path, X_OK) == 0 else { throw ProcessError(step: program.path, code: errno) }
        let notices = try bindNotices(program.noticePath)
        var pipe: [Int32] = [-1, -1]
        guard opentask_pipe(&pipe) == 0 else { throw ProcessError(step: "pipe", code: errno) }
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
        let id = spawn(program, output: pipe[1])
        let code = errno
        close(pipe[1])
        let process = id > 0 ? opentask_process_descriptor(id) : -1
        let child = Child(process: process, output: pipe[0], notices: notices, noticePath: program.noticePath)
        guard process >= 0 else {
            let reason = id > 0 ? errno : code
            if id > 0 { kill(id, SIGKILL) }
            release(child)
            throw ProcessError(step: id > 0 ? "pidfd_open" : "fork", code: reason)
        }
        children[id] = child
        return id
    }

    /// Sends a signal to a child that has not been reported as ended; else does nothing.
    public func send(_ signal: Int32, to child: Int32) {
        if let child = children[child] { _ = opentask_send_signal(child.process, signal) }
    }

    /// Waits until something happens.
    /// - Parameter limit: how long at most; nil waits for ever.
    /// - Returns: what happened, in order for each child; nothing when the limit passed.
    public func nextEvents(atMost limit: Duration?) -> [Event] {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = deadline.map { max(.zero, $0 - .now) }
            let events = poll(atMost: left)
            // Something may have happened that is nobody's business: a child has closed its output.
            if !events.isEmpty || left == .zero { return events }
        }
    }

    private func poll(atMost limit: Duration?) -> [Event] {
        let watched = children.sorted { $0.key < $1.key }
        var descriptors = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        for (_, child) in watched {
            for descriptor in [child.isSilent ? -1 : child.output, child.notices, child.process] {
                descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            }
        }
        guard Glibc.poll(&descriptors, nfds_t(descriptors.count), timeout(limit)) > 0 else { return [] }
        var events: [Event] = []
        for (index, (id, child)) in watched.enumerated() {
            let (output, notices, process) = (
                descriptors[1 + 3 * index], descriptors[2 + 3 * index], descriptors[3 + 3 * index]
            )
            if output.revents != 0 { events += lines(of: child, id) }
            if notices.revents != 0, saysReady(child) { events.append(.ready(child: id)) }
            if process.revents != 0 { events += end(of: child, id) }
        }
        while case let number = opentask_next_signal(signals), number != 0 { events.append(.stopRequested) }
        return events
    }

    private func timeout(_ limit: Duration?) -> Int32 {
        guard let limit else { return -1 }
        let (seconds, attoseconds) = limit.components
        // Rounded up: waking a moment too early would only wait again.
        return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }

    /// Takes leave of a child that has ended: what it has still written, and how it went.
    private func end(of child: Child, _ id: Int32) -> [Event] {
        var status: Int32 = 0
        guard waitpid(id, &status, WNOHANG) == id else { return [] }
        children[id] = nil
        var events = lines(of: child, id)
        if !child.unfinished.isEmpty {
            events.append(.line(child: id, String(decoding: child.unfinished, as: UTF8.self)))
        }
        release(child)
        let signal = status & 0x7f
        return events + [.ended(child: id, signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal))]
    }

    /// A line longer than this is cut into several.
    private static let longestLine = 16_384

    private func lines(of child: Child, _ id: Int32) -> [Event] {
        var events: [Event] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(child.output, &buffer, buffer.count), count >= 0 {
            if count == 0 {
                child.isSilent = true
                break
            }
            for byte in buffer[..<count] {
                if byte != UInt8(ascii: "\n") { child.unfinished.append(byte) }
                if byte == UInt8(ascii: "\n") || child.unfinished.count >= Self.longestLine {
                    events.append(.line(child: id, String(decoding: child.unfinished, as: UTF8.self)))
                    child.unfinished = []
                }
            }
        }
        return events
    }

    private func saysReady(_ child: Child) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var ready = false
        while case let count = recv(child.notices, &buffer, buffer.count, 0), count > 0 {
            ready =
                ready
                || String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").contains(
                    "READY=1")
        }
        return ready
    }

    private func bindNotices(_ path: String) throws(ProcessError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard descriptor >= 0 else { throw ProcessError(step: "socket", code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            close(descriptor)
            throw ProcessError(step: path, code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        unlink(path)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0 else {
            let code = errno
            close(descriptor)
            throw ProcessError(step: path, code: code)
        }
        return descriptor
    }

    private func release(_ child: Child) {
        if child.process >= 0 { close(child.process) }
        close(child.output)
        close(child.notices)
        unlink(child.noticePath)
    }
}

func message(ofCode code: Int32) -> String { String(cString: strerror(code)) }
