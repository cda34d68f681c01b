// how a quota's reminders are set up, and moving one of them.

import JSON

/// `quota_prompt_config` (api 2.7). Kept as it was written: absent and null are told apart, because a bulk edit merges.
public struct QuotaPromptConfig: Hashable, Sendable {
    /// nil: on, but for a yearly quota.
    public var enabled: Bool?
    /// Absent, null (the user's default), or a period.
    public var period: Period.ID??
    /// Numbers that were placed by hand; one without a period is where it would be by itself.
    public var numbers: [Int: Period.ID?]?

    public init() {}

    /// Reads what `json` wrote, and what was checked when it came in; other members and shapes are passed over.
    public init(json text: String?) {
        // try? : what is no JSON reads as the defaults
        guard let text, let value = try? JSONValue(parsing: Array(text.utf8)) else { return }
        enabled = value["enabled"]?.bool
        period = value["slot_id"].map { $0.int.map(Period.ID.init(rawValue:)) }
        if let stored = value["numbers"]?.object {
            var numbers: [Int: Period.ID?] = [:]
            for (key, slot) in stored {
                if let number = Int(key) { numbers[number] = .some(slot.int.map(Period.ID.init(rawValue:))) }
            }
            self.numbers = numbers
        }
    }

    public var json: String {
        var members: [String: JSONValue] = [:]
        if let enabled { members["enabled"] = .bool(enabled) }
        if let period { members["slot_id"] = Self.slot(period) }
        if let numbers {
            members["numbers"] = .object(
                Dictionary(uniqueKeysWithValues: numbers.map { ("\($0.key)", Self.slot($0.value)) }))
        }
        var writer = JSONWriter(capacity: 128)
        writer.value(.object(members))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func slot(_ period: Period.ID?) -> JSONValue { period.map { .int($0.rawValue) } ?? .null }

    /// A32: what `other` names replaces what is here, `numbers` as a whole.
    public func merging(_ other: QuotaPromptConfig) -> QuotaPromptConfig {
        var merged = self
        if let enabled = other.enabled { merged.enabled = enabled }
        if let period = other.period { merged.period = period }
        if let numbers = other.numbers { merged.numbers = numbers.isEmpty ? nil : numbers }
        return merged
    }

    /// a row goes to another period; all else stays.
    ///
    /// - Parameter row: the numbers that the row stands for; none for a quota that is not prompted by number.
    public func moving(_ row: [Int], to period: Period.ID) -> QuotaPromptConfig {
        var moved = self
        if row.isEmpty {
            moved.period = period
        } else {
            for number in row { moved.numbers = (moved.numbers ?? [:]).merging([number: period]) { $1 } }
        }
        return moved
    }

    /// M-17: one period in the place of another; nil when it is not named.
    public func replacing(_ old: Period.ID, by new: Period.ID) -> QuotaPromptConfig? {
        var replaced = self
        if case .some(.some(old)) = period { replaced.period = new }
        replaced.numbers = numbers?.mapValues { $0 == old ? new : $0 }
        return replaced == self ? nil : replaced
    }
}
