import FoundationEssentials
public import Processes

/// Where an instance keeps everything: databases in the folder itself, sockets in `run`, secrets in `credentials`.
public struct StateFolder: Sendable {
    /// Absolute.
    public let path: String

    public var run: String { "\(path)/run" }
    var credentials: String { "\(path)/credentials" }

    public init(_ path: String) {
        let current = FileManager.default.currentDirectoryPath
        var absolute = path.hasPrefix("/") ? path : "\(current)/\(path)"
        absolute = absolute.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        self.path = "/\(absolute)"
    }

    /// Makes what is missing; nobody but the owner may look inside.
    public func create() throws(CommandFailure) {
        for folder in [path, run, "\(run)/enrichers"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw .failed(
                    "cannot create the folder \(folder): make it yourself, or choose another with --state")
            }
        }
    }

    /// One instance at a time. The lock goes with the process, however that ends.
    public func lock() throws(CommandFailure) -> FileLock {
        do {
            if let lock = try FileLock.take(path: "\(run)/lock") { return lock }
        } catch {
            throw .failed("cannot lock \(run)/lock: \(error)")
        }
        // Unreadable: then without the number.
        let holder = (try? String(contentsOfFile: "\(run)/lock", encoding: .utf8))
            .flatMap { Int($0.filter(\.isNumber)) }.map { " (process \($0))" }
        throw .failed(
            "another instance\(holder ?? "") already uses \(path): end it, or choose another folder with --state"
        )
    }

    /// Leaves the address where `opentask doctor` finds it.
    func remember(url: String) throws(CommandFailure) {
        do {
            try Data("\(url)\n".utf8).write(to: URL(filePath: "\(run)/url"), options: .atomic)
        } catch {
            throw .failed("cannot write \(run)/url: \(error)")
        }
    }

    /// The path of a socket, refused when it is longer than a Unix socket's address can be (unix(7): 107 bytes).
    public func socket(_ name: String) throws(CommandFailure) -> String {
        let path = "\(run)/\(name)"
        guard path.utf8.count <= 107 else {
            throw .configuration(
                "the path of a socket would have \(path.utf8.count) bytes, and 107 is the limit: "
                    + "choose a shorter folder with --state (\(path))")
        }
        return path
    }
}
