/// S-17: what a person reads after many tasks were moved. Counts, never titles (N-36).
public struct SweepText: Hashable, Sendable {
    public var moved: Int
    /// High tasks left over target.
    public var high: Int
    /// Lower tasks past their deadline, left over target.
    public var pastDeadline: Int
    /// Urgent tasks left over target.
    public var urgent: Int
    public var allMovedAreHigh: Bool

    public init(moved: Int, high: Int, pastDeadline: Int, urgent: Int, allMovedAreHigh: Bool) {
        self.moved = moved
        self.high = high
        self.pastDeadline = pastDeadline
        self.urgent = urgent
        self.allMovedAreHigh = allMovedAreHigh
    }

    /// - Parameter until: X-20.
    public func title(until: String) -> String {
        guard moved > 0 else { return "Nothing snoozed" }
        let what = allMovedAreHigh ? "high-priority task" : "task"
        return "Snoozed \(moved) \(what)\(moved == 1 ? "" : "s") until \(until)"
    }

    /// Nil if nothing is left.
    public var body: String? {
        guard high + pastDeadline + urgent > 0 else { return nil }
        if moved == 0, high + pastDeadline == 0 { return "\(urgent) Urgent can't be bulk snoozed" }
        let left = "\(joined(parts)) still over target"
        return advice.map { "\(left). \($0)" } ?? left
    }

    private var parts: [String] {
        var parts: [String] = []
        if high > 0 { parts.append("\(high) High") }
        if pastDeadline > 0 { parts.append("\(pastDeadline) past deadline") }
        if urgent > 0 { parts.append("\(urgent) Urgent") }
        return parts
    }

    /// What another press would do.
    private var advice: String? {
        guard moved > 0 else { return nil }
        let them: String
        switch (high > 0, pastDeadline > 0) {
        case (false, false): return "Urgent can't be bulk snoozed"
        case (true, false): them = high == 1 ? "the High one" : "the High ones"
        case (false, true) where urgent > 0:
            them = pastDeadline == 1 ? "the past-deadline one" : "the past-deadline ones"
        case (false, true): them = pastDeadline == 1 ? "it" : "them"
        case (true, true): them = urgent > 0 ? "all but Urgent" : "them"
        }
        return "Snooze again to move \(them)"
    }
}

/// `a, b and c`.
func joined(_ parts: [String]) -> String {
    guard let last = parts.last else { return "" }
    guard parts.count > 1 else { return last }
    return parts.dropLast().joined(separator: ", ") + " and " + last
}
