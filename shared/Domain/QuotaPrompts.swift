// which quota reminders there are today. They are computed, never stored.

public import Recurrence
public import Time

/// A quota reminder: one row of a period, one day long.
public struct QuotaPrompt: Hashable, Sendable {
    public var key: QuotaPromptKey
    public var task: TaskItem.ID
    public var title: String
    /// By number: done once the day's count reaches it. nil for all others.
    public var number: Int?
    /// By number: all that the row stands for, ascending; what a move of the row moves. Otherwise empty.
    public var numbers: [Int]
    /// nil: Anytime, as there are no periods.
    public var period: Period.ID?
    ///
    public var current: Int
    public var target: Int
    public var unit: RecurrenceRule.Frequency
    public var hasNotes: Bool
    /// L-7: whose colour the stripe has.
    public var stripeLabel: String?
    /// Handled today without progress.
    public var considered: Bool
    public var done: Bool

    /// it counts in its period exactly like a reminder.
    public var isWaiting: Bool { !considered && !done }

    /// `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`.
    public var unitName: String { unit.rawValue }
}

/// The quota reminders of a user today, handled ones included: by period, Anytime last, then title, then number.
///
/// - Parameters:
///   - quotas: the user's own; those that are not open, or no quotas, have none.
///   - periods: his, in any order.
///   - prefs: his; `quotaPromptsEnabled` also says what the server allows.
public func quotaPrompts(
    of quotas: [TaskItem], periods: [Period], now: Instant, prefs: Preferences
) -> [QuotaPrompt] {
    guard prefs.quotaPromptsEnabled else { return [] }
    let ordered = periods.sorted { ($0.start, $0.id.rawValue) < ($1.start, $1.id.rawValue) }
    let places = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.id, $0) })
    let day = prefs.zone.date(now)
    let prompts = quotas.flatMap { quota -> [QuotaPrompt] in
        guard quota.isOpen, quota.kind == .quota, let rule = quota.quotaRule else { return [] }
        let config = QuotaPromptConfig(json: quota.quotaPromptConfig)
        guard config.enabled ?? (rule.frequency != .yearly) else { return [] }
        let base =
            ([config.period ?? nil, prefs.defaultPeriod].compactMap { $0 }).compactMap { places[$0] }
            .first ?? 0
        let row = PromptRow(quota: quota, unit: rule.frequency, date: day, now: now, prefs: prefs)
        guard rule.isNumbered else {
            return [row.prompt(in: ordered.isEmpty ? nil : ordered[base].id)].compactMap { $0 }
        }
        var numbers: [Int?: [Int]] = [:]
        for number in 1...quota.progressTarget {
            let byHand = (config.numbers?[number] ?? nil).flatMap { places[$0] }
            let place = ordered.isEmpty ? nil : byHand ?? min(base + number - 1, ordered.count - 1)
            numbers[place, default: []].append(number)
        }
        return numbers.map { place, numbers in row.prompt(numbers, in: place.map { ordered[$0].id }) }
    }
    func rank(_ prompt: QuotaPrompt) -> Int { prompt.period.flatMap { places[$0] } ?? ordered.count }
    return prompts.map { (rank($0), $0.title.lowercased(), $0) }.sorted { a, b in
        (a.0, a.1, a.2.task, a.2.key.number) < (b.0, b.1, b.2.task, b.2.key.number)
    }.map(\.2)
}

/// What the rows of one quota have in common.
private struct PromptRow {
    let quota: TaskItem
    let unit: RecurrenceRule.Frequency
    let day: QuotaDayState
    let current: Int

    init(
        quota: TaskItem, unit: RecurrenceRule.Frequency, date: LocalDate, now: Instant, prefs: Preferences
    ) {
        self.quota = quota
        self.unit = unit
        day = quota.quotaDay(date)
        current = quota.effectiveCount(at: now, prefs: prefs)
    }

    /// The one row a day of a quota that is not prompted by number; none if it was met before today and is untouched.
    func prompt(in period: Period.ID?) -> QuotaPrompt? {
        let key = QuotaPromptKey(task: quota.id, number: 0, date: day.date)
        let isDone = day.logged > 0 || day.did.contains(key)
        let isConsidered = day.considered.contains(key)
        if current >= quota.progressTarget, !isDone, !isConsidered { return nil }
        return prompt(key, [], in: period, considered: isConsidered, done: isDone)
    }

    /// - Parameter numbers: ascending, at least one.
    func prompt(_ numbers: [Int], in period: Period.ID?) -> QuotaPrompt {
        let highest = numbers.last ?? 0
        let key = QuotaPromptKey(task: quota.id, number: highest, date: day.date)
        return prompt(
            key, numbers, in: period, considered: day.considered.contains(key), done: current >= highest)
    }

    private func prompt(
        _ key: QuotaPromptKey, _ numbers: [Int], in period: Period.ID?, considered: Bool, done: Bool
    ) -> QuotaPrompt {
        QuotaPrompt(
            key: key, task: quota.id, title: quota.title, number: numbers.last, numbers: numbers,
            period: period, current: current, target: quota.progressTarget, unit: unit,
            hasNotes: quota.notes.map { !$0.allSatisfy(\.isWhitespace) } ?? false,
            stripeLabel: quota.stripeLabel, considered: considered, done: done)
    }
}
