// L-1 to L-5: the names that people, and the server, put on items.

/// L-3: the names that the server sets itself. They are always valid; any other name that begins with `ai-` is none.
public enum SystemLabel {
    public static let toProcess = "ai-to-process"
    public static let failed = "ai-failed"
    public static let locked = "ai-locked"
    public static let added = "ai-added"
    public static let proposed = "ai-proposed"
    public static let monitored = "ai-monitored"
    public static let all: Set<String> = [toProcess, failed, locked, added, proposed, monitored]

    /// Whether a name begins with `ai-`, in any case.
    public static func isReserved(_ name: String) -> Bool { name.lowercased().hasPrefix("ai-") }
}

/// The colours of projects and labels (api 2.4).
public enum Palette {
    public static let colors = ["red", "orange", "yellow", "green", "blue", "purple", "pink", "gray"]
}

/// L-1, L-3: a name as the registry takes it: trimmed, 1 to 100 characters, not reserved.
public func labelName(_ text: String) -> Result<String, Refusal> {
    let name = trimmed(text)
    guard (1...100).contains(name.unicodeScalars.count) else {
        return .failure(Refusal("A label has 1 to 100 characters", field: "name"))
    }
    guard !name.unicodeScalars.contains(where: isInvisibleControl) else {
        return .failure(Refusal("The name has control characters", field: "name"))
    }
    guard !SystemLabel.isReserved(name) else {
        return .failure(Refusal("Names that begin with ai- are reserved", field: "name"))
    }
    return .success(name)
}

/// What L-2 makes of labels that are to be on an item.
public struct CheckedLabels: Hashable, Sendable {
    /// Trimmed, each once, as first written.
    public var labels: [String]
    /// Those that the same write registers.
    public var new: [String]

    public init(labels: [String] = [], new: [String] = []) {
        self.labels = labels
        self.new = new
    }
}

/// L-1 to L-3: only names that are new on the item are checked; those that nobody knows are refused together.
///
/// - Parameters:
///   - known: what is on the item already: never refused.
///   - create: registers what is not registered.
///   - registered: the registry's writing of a name, compared without case; nil when it has none.
public func checkedLabels(
    _ labels: [String], known: [String], create: Bool, registered: (String) throws -> String?
) rethrows -> Result<CheckedLabels, Refusal> {
    let old = Dictionary(known.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var checked = CheckedLabels()
    var reserved: [String] = []
    var unknown: [String] = []
    for name in withoutDuplicates(labels) {
        let key = name.lowercased()
        if let kept = old[key] {
            checked.labels.append(kept)
        } else if SystemLabel.all.contains(key) {
            checked.labels.append(key)
        } else if SystemLabel.isReserved(name) {
            reserved.append(name)
        } else if let kept = try registered(name) {
            checked.labels.append(kept)
        } else if create, name.unicodeScalars.count <= 100,
            !name.unicodeScalars.contains(where: isInvisibleControl)
        {
            checked.labels.append(name)
            checked.new.append(name)
        } else {
            unknown.append(name)
        }
    }
    if !reserved.isEmpty {
        let names = reserved.joined(separator: ", ")
        return .failure(
            Refusal("Not a label: \(names). Names that begin with ai- are reserved", field: "labels"))
    }
    if !unknown.isEmpty {
        let names = unknown.joined(separator: ", ")
        return .failure(
            Refusal(
                create
                    ? "A label has at most 100 characters and no control characters: \(names)"
                    : "Not registered: \(names). create_label: true registers it", field: "labels"))
    }
    return .success(checked)
}

/// L-5: takes names off, then puts names on; compared without case, no duplicates, order kept.
public func editedLabels(_ present: [String], removing: [String] = [], adding: [String] = []) -> [String] {
    let gone = Set(removing.map { trimmed($0).lowercased() })
    return withoutDuplicates(present.filter { !gone.contains($0.lowercased()) } + adding)
}

/// L-4: `ai-proposed` becomes `ai-added`, in its place; nothing else changes.
public func confirmedLabels(_ labels: [String]) -> [String] {
    guard labels.contains(SystemLabel.proposed) else { return labels }
    return withoutDuplicates(labels.map { $0 == SystemLabel.proposed ? SystemLabel.added : $0 })
}
