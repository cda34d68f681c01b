import FoundationEssentials

/// The enrichers of this machine: whoever has a socket in the folder (enrich 2.3).
struct InstalledEnrichers: Sendable {
    private let folder: String

    init(_ settings: Settings) { folder = "\(settings.runPath)/enrichers" }

    /// By name; the built-in one is always among them.
    var names: Set<String> {
        // A folder that is not there has none.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.filter(Self.isName))
            .union(["builtin"])
    }

    /// Whether a name can be one: it becomes a part of a path.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
