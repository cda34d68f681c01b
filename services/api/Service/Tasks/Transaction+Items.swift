import ApiStore
import Domain

// The ids of a bulk call: all of them are good, or nothing happens and the answer names those that are not.

extension Transaction {
    /// The items of a bulk call, each once, in the order of their ids in the call; of quotas, the periods that have ended
    /// are closed.
    ///
    /// - Parameters:
    ///   - field: the member of the body that lists them.
    ///   - refuse: why an item that is there cannot be taken; nil: it can.
    /// - Throws: 400 that names each id that is unknown or not the caller's to see (1.13), and each refused one.
    func items(
        _ ids: [TaskItem.ID], for caller: Caller, field: String = "ids",
        refuse: (TaskItem) -> String? = { _ in nil }
    ) throws -> [TaskItem] {
        let found = try tasks(ids, visibleTo: caller.id)
        var seen: Set<TaskItem.ID> = []
        var items: [TaskItem] = []
        var culprits = Culprits(field: field)
        for (index, id) in ids.enumerated() where seen.insert(id).inserted {
            guard let task = found[id] else {
                culprits.add(id, at: index, "does not exist")
                continue
            }
            if let reason = refuse(task) { culprits.add(id, at: index, reason) }
            items.append(task)
        }
        try culprits.refuse()
        return try items.map { try closingEndedPeriods(of: $0) }
    }
}

/// The ids that a bulk call is refused for.
struct Culprits {
    let field: String
    private var ids: [Int64] = []
    private var details: [String: String] = [:]

    init(field: String) { self.field = field }

    /// - Parameter index: where in the list it was sent.
    mutating func add(_ id: TaskItem.ID, at index: Int, _ reason: String) {
        ids.append(id.rawValue)
        details["\(field).\(index)"] = "\(id.rawValue) \(reason)"
    }

    /// - Throws: 400 if there is any.
    func refuse() throws(Failure) {
        if !ids.isEmpty { throw failure() }
    }

    /// - Parameter reason: the word of the rule that refused (api 1.3).
    func failure(reason: String? = nil) -> Failure {
        let named = ids.prefix(10).map(String.init).joined(separator: ", ")
        let more = ids.count > 10 ? " and \(ids.count - 10) more" : ""
        return .invalid(
            "\(field): \(named)\(more) cannot be taken; nothing was changed", details, reason: reason)
    }
}

extension TaskItem {
    /// C-4, S-16: why a bulk call that acts on open items refuses this one; nil: it is open.
    var reasonNotOpen: String? {
        if deletedAt != nil { return "is in the trash" }
        return isOpen ? nil : "is already done"
    }
}
