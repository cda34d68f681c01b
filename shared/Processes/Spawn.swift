import CLinux
import Glibc

/// Starts the program as systemd would (sd_listen_fds(3)).
/// - Returns: the child's number, or -1 with errno.
func spawn(_ program: Program, output: Int32) -> Int32 {
    var environment = program.environment
    environment["NOTIFY_SOCKET"] = program.noticePath
    // The service manager's own words to us are not for them.
    for name in ["LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PID", "WATCHDOG_PID", "WATCHDOG_USEC"] {
        environment[name] = nil
    }
    if !program.sockets.isEmpty {
        environment["LISTEN_FDS"] = String(program.sockets.count)
        environment["LISTEN_FDNAMES"] = program.sockets.map(\.name).joined(separator: ":")
    }
    // Twelve blanks that the child overwrites with its own number.
    let listenPid = "LISTEN_PID="
    var variables = environment.map { "\($0.key)=\($0.value)" }
    if !program.sockets.isEmpty { variables.append(listenPid + String(repeating: " ", count: 12)) }

    let arguments = CStrings([program.path] + program.arguments)
    let settings = CStrings(variables)
    defer {
        arguments.release()
        settings.release()
    }
    let sockets = program.sockets.map(\.descriptor)
    return sockets.withUnsafeBufferPointer { sockets in
        arguments.pointers.withUnsafeBufferPointer { arguments in
            settings.pointers.withUnsafeBufferPointer { settings in
                var child = opentask_child()
                child.path = arguments[0].map { UnsafePointer($0) }
                child.argv = arguments.baseAddress
                child.envp = settings.baseAddress
                if !sockets.isEmpty {
                    child.listen_pid = settings[variables.count - 1].map { $0 + listenPid.utf8.count }
                }
                child.sockets = sockets.baseAddress
                child.socket_count = Int32(min(sockets.count, Int(OPENTASK_MOST_SOCKETS)))
                child.output = output
                return opentask_spawn(&child)
            }
        }
    }
}

/// A list of C strings with nil behind the last, as execve(2) wants it.
private struct CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    func release() {
        for pointer in pointers { free(pointer) }
    }
}
