public import Time

/// the name of a quota reminder for a day, `q:<task id>:<number>:<local date>` on the wire.
public struct QuotaPromptKey: Hashable, Sendable, CustomStringConvertible {
    public var task: TaskItem.ID
    /// The row's highest number for a quota that is prompted by number, 0 for all others.
    public var number: Int
    /// The owner's.
    public var date: LocalDate

    public init(task: TaskItem.ID, number: Int, date: LocalDate) {
        self.task = task
        self.number = number
        self.date = date
    }

    /// - Returns: nil for everything that `description` does not write.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "q", let id = Self.whole(parts[1]), id > 0,
            let number = Self.whole(parts[2]), number <= 1000, let date = LocalDate(parts[3])
        else { return nil }
        self.init(task: TaskItem.ID(rawValue: id), number: Int(number), date: date)
    }

    public var description: String { "q:\(task.rawValue):\(number):\(date)" }

    /// Digits without a sign and without leading zeros.
    private static func whole(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), text == "0" || text.first != "0" else {
            return nil
        }
        return Int64(text)
    }
}
