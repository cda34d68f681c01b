internal import FoundationEssentials

/// The enrichers of this machine: the sockets in one folder.
struct EnrichersFolder: Sendable {
    let path: String

    /// By name, the built-in one first. A socket's file name without `.sock`.
    var names: [String] {
        // A folder that is not there has none.
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let names = files.filter { $0.hasSuffix(".sock") }.map { String($0.dropLast(5)) }.filter(
            QueueWorker.isName)
        return names.sorted { ($0 != QueueWorker.builtin, $0) < ($1 != QueueWorker.builtin, $1) }
    }

    func lane(_ name: String) -> Lane? {
        names.contains(name) ? Lane(name: name, path: "\(path)/\(name).sock", mostParallel: 1) : nil
    }
}

private func < (a: (Bool, String), b: (Bool, String)) -> Bool {
    a.0 == b.0 ? a.1 < b.1 : !a.0
}
