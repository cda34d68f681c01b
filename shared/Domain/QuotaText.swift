// Q-12, L-7: in which order quotas are shown, and in which words.

import Recurrence

extension RecurrenceRule {
    /// Q-21: reminded of by number; all others once a day.
    var isNumbered: Bool { frequency == .daily && interval == 1 }
}

/// Q-12: by period (today, this week, this month, this year), inside by label, then title without case.
public func quotasInOrder(_ quotas: [TaskItem]) -> [TaskItem] {
    func unit(_ quota: TaskItem) -> Int {
        quota.quotaRule.flatMap { RecurrenceRule.Frequency.allCases.firstIndex(of: $0.frequency) } ?? 4
    }
    return quotas.map { quota in
        let label = quota.stripeLabel?.lowercased()
        return (unit(quota), label == nil ? 1 : 0, label ?? "", quota.title.lowercased(), quota)
    }.sorted { a, b in
        (a.0, a.1, a.2, a.3, a.4.id) < (b.0, b.1, b.2, b.3, b.4.id)
    }.map(\.4)
}

/// Q-12: "1/3 this week".
///
/// - Parameters:
///   - count: the effective one (Q-5).
///   - small: on a small card: "1/3 wk".
public func quotaText(count: Int, of quota: TaskItem, small: Bool = false) -> String {
    let fraction = "\(count)/\(quota.progressTarget)"
    guard let rule = quota.quotaRule else { return fraction }
    let (present, short, plural) =
        switch rule.frequency {
        case .daily: ("today", "today", "days")
        case .weekly: ("this week", "wk", "weeks")
        case .monthly: ("this month", "mo", "months")
        case .yearly: ("this year", "yr", "years")
        }
    if rule.interval > 1 { return "\(fraction) per \(rule.interval) \(plural)" }
    return "\(fraction) \(small ? short : present)"
}

extension TaskItem {
    /// L-7: the first label that is not reserved (L-3); the stripe has its colour.
    public var stripeLabel: String? { labels.first { !SystemLabel.isReserved($0) } }
}

/// L-7: the colour of a stripe; nil: neutral. Green is the colour of what is met.
///
/// - Parameter colors: by the label's name in lower case (`label_config`).
public func stripeColor(of label: String?, colors: [String: String]) -> String? {
    guard let label, let color = colors[label.lowercased()], color != "green" else { return nil }
    return color
}

/// U-12: a title in quotes, cut to 20 characters with "...".
public func quotedTitle(_ title: String) -> String {
    title.count > 20 ? "\"\(title.prefix(20))...\"" : "\"\(title)\""
}

/// Q-4, U-12: what the receipt of logging says.
public func loggedText(_ quota: TaskItem) -> String {
    "Logged \(quota.progressCurrent)/\(quota.progressTarget) on \(quotedTitle(quota.title))"
}

/// Q-6: what the activity log says of periods that ended.
public func rolloverText(_ rolled: RolledOver) -> String {
    let title = quotedTitle(rolled.quota.title)
    guard let first = rolled.ended.first else { return "Began \(title)" }
    let met = rolled.ended.count { $0.isMet }
    if rolled.ended.count > 1 { return "Closed \(rolled.ended.count) periods of \(title), \(met) met" }
    return "Closed \(title): \(first.logged)/\(first.target), \(first.isMet ? "met" : "not met")"
}
