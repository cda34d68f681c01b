import Glibc

/// A file system of 1 MiB of its own, which can be full. Needs the right to mount one.
public final class SmallDisk {
    public let path: String

    public init() throws {
        path = "/tmp/ota-disk-\(UInt64.random(in: 0...(.max)))"
        guard mkdir(path, 0o700) == 0, Self.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path) else {
            throw NoDisk()
        }
    }

    struct NoDisk: Error {}

    deinit {
        _ = Self.run("umount", "-l", path)
        rmdir(path)
    }

    public static let isAllowed: Bool = {
        // Root in a container may not, either.
        guard geteuid() == 0, let disk = try? SmallDisk() else { return false }
        return access(disk.path, W_OK) == 0
    }()

    /// Takes all the room that is left.
    public func fill() throws {
        let file = fopen(path + "/ballast", "w")
        guard let file else { throw NoDisk() }
        let block = [UInt8](repeating: 1, count: 1024)
        while fwrite(block, 1, block.count, file) == block.count, fflush(file) == 0 {}
        fclose(file)
    }

    public func makeRoom() { unlink(path + "/ballast") }

    private static func run(_ arguments: String...) -> Bool {
        var pid: pid_t = 0
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        guard posix_spawnp(&pid, arguments[0], nil, nil, &pointers, environ) == 0 else { return false }
        var status: Int32 = -1
        waitpid(pid, &status, 0)
        return status == 0
    }
}
