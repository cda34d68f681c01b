import Glibc

/// A folder of its own for one test, short enough for the path of a Unix socket; gone with this value.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() {
        var template = Array("/tmp/opentask-XXXXXX\0".utf8CString)
        let made = mkdtemp(&template) != nil
        precondition(made, "no temporary folder")
        path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        guard let entries = opendir(path) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { unlink("\(path)/\(name)") }
        }
        closedir(entries)
        rmdir(path)
    }

    /// A file in it, which may be there or not.
    public func file(_ name: String) -> String { "\(path)/\(name)" }
}
